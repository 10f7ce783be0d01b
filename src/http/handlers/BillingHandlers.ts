import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Billing } from "../../actors/wallet/Billing.ts"
import { beginOf, monthOf } from "../../domain/wallet/CalendarMonth.ts"
import { Api } from "../api/Api.ts"
import { invoicePage, type PrintedPage, receiptPage } from "../pages/BillingPages.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { group } from "../request/RequestServices.ts"

const printed = ({ headers, html }: PrintedPage) =>
  HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8", headers })

export const BillingHandlers = group(
  Api,
  "billing",
  Effect.fnUntraced(function* (handlers) {
    const billing = yield* Billing
    return handlers.handleAll({
      receipt: Effect.fnUntraced(function* ({ params: { id } }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* billing.receipt(workspace_id, id)
      }),
      receiptPage: Effect.fnUntraced(function* ({ params: { id } }) {
        const { workspace_id } = yield* CurrentPrincipal
        return printed(receiptPage(yield* billing.receipt(workspace_id, id)))
      }),
      list: Effect.fnUntraced(function* ({ query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "invoices", workspace_id },
          read: (after, limit) =>
            Effect.map(billing.invoices(workspace_id, { before: after && monthOf(after.at), limit }), (invoices) =>
              invoices.map((invoice) => ({ ...invoice, id: invoice.month }))
            ),
          sort: ({ month }) => beginOf(month)
        })
      }),
      invoice: Effect.fnUntraced(function* ({ params: { month } }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* billing.invoice(workspace_id, month)
      }),
      invoicePage: Effect.fnUntraced(function* ({ params: { month } }) {
        const { workspace_id } = yield* CurrentPrincipal
        return printed(invoicePage(yield* billing.invoice(workspace_id, month)))
      })
    })
  })
)
