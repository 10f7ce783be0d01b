import { Context } from "effect"
import type { Issuer } from "../../wallet/Issuer.ts"

/** The operator, as the deployment configures it for receipts and invoices. */
export class InvoiceIssuer extends Context.Service<InvoiceIssuer, Issuer>()("trunkline/domain/ports/InvoiceIssuer") {}
