import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TopUpId } from "../../domain/BrandedIds.ts"
import { ReceiptNotFound } from "../../domain/errors/TopUpErrors.ts"
import { InvoiceNotFound, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { Invoice, InvoiceMonth, InvoiceSummary } from "../../domain/wallet/Invoice.ts"
import { Receipt } from "../../domain/wallet/Receipt.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { idOf } from "../request/CallRef.ts"
import { customerEndpoints } from "./Endpoints.ts"

const Page = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" })).annotate({
  description: "A page that prints. It runs no script and loads nothing."
})

const endpoint = customerEndpoints({ read: { scope: "wallet.read" } })

export class BillingApi extends HttpApiGroup.make("billing")
  .add(
    endpoint.get("receipt", "/v1/topups/:id/receipt", {
      summary: "Read the receipt of a top-up",
      description: "Every top-up that was credited has one, with a number that never changes.",
      params: { id: idOf(TopUpId) },
      success: Receipt,
      errors: [ReceiptNotFound]
    }),
    endpoint.get("receiptPage", "/v1/topups/:id/receipt/page", {
      summary: "Print the receipt of a top-up",
      description: "The receipt as a page of HTML.",
      params: { id: idOf(TopUpId) },
      success: Page,
      errors: [ReceiptNotFound]
    }),
    endpoint.list("list", "/v1/invoices", {
      summary: "List invoices",
      description: "One for every month (UTC) that has ended since the first entry of the wallet, newest first.",
      query: {},
      success: InvoiceSummary
    }),
    endpoint.get("invoice", "/v1/invoices/:month", {
      summary: "Read the invoice of a month",
      description: "What the month cost, what was paid in, and the balances, from the ledger. It never changes.",
      params: { month: InvoiceMonth },
      success: Invoice,
      errors: [InvoiceNotFound, WalletNotFound]
    }),
    endpoint.get("invoicePage", "/v1/invoices/:month/page", {
      summary: "Print the invoice of a month",
      description: "The invoice as a page of HTML.",
      params: { month: InvoiceMonth },
      success: Page,
      errors: [InvoiceNotFound, WalletNotFound]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Receipts and invoices", description: "Documents for your books." })) {}
