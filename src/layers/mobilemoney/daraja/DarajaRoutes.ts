// The routes that Safaricom posts to. Every answer is HTTP 200 with a result code (Daraja documentation, "Customer To
// Business" and "M-Pesa Express"). Safaricom waits eight seconds for it, and seldom repeats a request.
import { Option } from "effect"
import type { NoticeRoute } from "../../../domain/ports/money/MobileMoneyNotices.ts"
import { accountPaymentOf, promptResultOf } from "./DarajaDocuments.ts"
import { toTopUpId } from "../../../domain/BrandedIds.ts"
import type { NoticeResponse } from "../../../domain/topups/PostedNotice.ts"

const result = (ResultCode: string, ResultDesc: string): NoticeResponse => ({
  status: 200,
  body: { ResultCode, ResultDesc }
})
const accepted = result("0", "Accepted")
const invalidAccount = result("C2B00012", "Invalid Account Number")
const otherError = result("C2B00016", "Other Error")

const decide_within_ms = 6_000

/** An unreadable notice is accepted, because a repetition would be unreadable too. */
const noticeResponses = { accepted, refused: invalidAccount, undecided: otherError, unreadable: accepted }

export const darajaRoutes: ReadonlyArray<NoticeRoute> = [
  {
    path: "/stk/:secret/:topup_id",
    read: ({ document, now, params }) =>
      Option.getOrUndefined(
        Option.map(promptResultOf(document, now), (result) => ({
          _tag: "PromptEnded",
          topup_id: toTopUpId((params["topup_id"] ?? "").toLowerCase()),
          result
        }))
      ),
    decide_within_ms,
    responses: noticeResponses
  },
  {
    path: "/c2b/validation/:secret",
    read: ({ document, now }) =>
      Option.getOrUndefined(
        Option.map(accountPaymentOf(document, now), ({ account_ref, currency }) => ({
          _tag: "Inquiry",
          account_ref,
          currency
        }))
      ),
    decide_within_ms,
    responses: { ...noticeResponses, unreadable: invalidAccount }
  },
  {
    path: "/c2b/confirmation/:secret",
    read: ({ document, now }) =>
      Option.getOrUndefined(Option.map(accountPaymentOf(document, now), (payment) => ({ _tag: "PaidIn", payment }))),
    decide_within_ms,
    responses: noticeResponses
  }
]
