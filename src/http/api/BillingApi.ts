import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TopUpId } from "../../domain/BrandedIds.ts"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { ReceiptNotFound } from "../../domain/errors/TopUpErrors.ts"
import { InvoiceNotFound, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { Invoice, InvoiceMonth, InvoiceSummary } from "../../domain/wallet/Invoice.ts"
import { Receipt } from "../../domain/wallet/Receipt.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { idOf } from "../request/CallRef.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { ListOf, paging } from "../request/Pagination.ts"
import { responses } from "../request/Responses.ts"

const Page = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" })).annotate({
  description: "A page that prints. It runs no script and loads nothing."
})

const ofReceipt = { params: { id: idOf(TopUpId) }, error: responses(ReceiptNotFound) }
const receiptRules = { scope: "wallet.read", whenIdMalformed: ReceiptNotFound } as const

const receipt = HttpApiEndpoint.get("receipt", "/v1/topups/:id/receipt", { ...ofReceipt, success: Receipt })
  .annotate(EndpointPolicy, receiptRules)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the receipt of a top-up",
      description: "Every top-up that was credited has one, with a number that never changes."
    })
  )

const receiptPage = HttpApiEndpoint.get("receiptPage", "/v1/topups/:id/receipt/page", { ...ofReceipt, success: Page })
  .annotate(EndpointPolicy, receiptRules)
  .annotateMerge(
    OpenApi.annotations({ summary: "Print the receipt of a top-up", description: "The receipt as a page of HTML." })
  )

const list = HttpApiEndpoint.get("list", "/v1/invoices", {
  query: paging,
  success: ListOf(InvoiceSummary),
  error: responses(BadRequest, InvalidCursor)
})
  .annotate(EndpointPolicy, { scope: "wallet.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List invoices",
      description: "One for every month (UTC) that has ended since the first entry of the wallet, newest first."
    })
  )

const ofInvoice = { params: { month: InvoiceMonth }, error: responses(InvoiceNotFound, WalletNotFound) }
const invoiceRules = { scope: "wallet.read", whenIdMalformed: InvoiceNotFound } as const

const invoice = HttpApiEndpoint.get("invoice", "/v1/invoices/:month", { ...ofInvoice, success: Invoice })
  .annotate(EndpointPolicy, invoiceRules)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the invoice of a month",
      description: "What the month cost, what was paid in, and the balances, from the ledger. It never changes."
    })
  )

const invoicePage = HttpApiEndpoint.get("invoicePage", "/v1/invoices/:month/page", { ...ofInvoice, success: Page })
  .annotate(EndpointPolicy, invoiceRules)
  .annotateMerge(
    OpenApi.annotations({ summary: "Print the invoice of a month", description: "The invoice as a page of HTML." })
  )

export class BillingApi extends HttpApiGroup.make("billing")
  .add(receipt, receiptPage, list, invoice, invoicePage)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Receipts and invoices", description: "Documents for your books." })) {}
