// How the mobile-money provider announces payments: the HTTP routes that it posts to, described as data, and a stream
// for a provider that runs inside the engine. src/http/ingest/MobileMoneyIngest.ts serves the routes.
import { Context, Layer, Stream } from "effect"
import type { FailureCode } from "../topups/TopUpRecord.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { ListedPayment } from "./PaymentProvider.ts"
import type { TopUpId } from "../BrandedIds.ts"

/** The routes of every provider are below this path. */
export const mobileMoneyIngestPath = "/v1/ingest/mobilemoney"

export type PromptResult =
  | {
      readonly _tag: "Paid"
      readonly receipt: string
      readonly amount_minor: number
      readonly currency: Currency
      /** Epoch milliseconds. */
      readonly paid_at: number
    }
  | { readonly _tag: "Failed"; readonly code: FailureCode; readonly message: string }

export type PaymentNotice =
  /** A prompt was paid or has failed. */
  | { readonly _tag: "PromptEnded"; readonly topup_id: TopUpId; readonly result: PromptResult }
  /** The account received a payment, after a prompt or by hand. */
  | { readonly _tag: "PaidIn"; readonly payment: ListedPayment }

/** The provider asks whether it should take a payment that is being made. */
export interface PaymentInquiry {
  readonly _tag: "Inquiry"
  readonly account_ref: string
  readonly currency: Currency
}

/** A request to one of the routes, once its sender was admitted. */
export interface PostedNotice {
  readonly params: Readonly<Record<string, string | undefined>>
  /** The parsed JSON body. */
  readonly document: unknown
  /** Epoch milliseconds. */
  readonly now: number
}

export interface NoticeResponse {
  readonly status: number
  readonly body: unknown
}

export interface NoticeRoute {
  /** Appended to `mobileMoneyIngestPath`. Its parameter `:secret` authenticates the provider. */
  readonly path: `/${string}`
  /** Undefined if the document is not of the provider's documented form. */
  readonly read: (posted: PostedNotice) => PaymentNotice | PaymentInquiry | undefined
  /** How long the engine may take to decide on an inquiry. */
  readonly decide_within_ms: number
  readonly responses: {
    /** The notice is on disk, or the payment of the inquiry has a wallet to go to. */
    readonly accepted: NoticeResponse
    /** No wallet would receive the payment of the inquiry. */
    readonly refused: NoticeResponse
    /** The inquiry could not be decided in time. */
    readonly undecided: NoticeResponse
    readonly unreadable: NoticeResponse
  }
}

export class MobileMoneyNotices extends Context.Service<
  MobileMoneyNotices,
  {
    readonly routes: ReadonlyArray<NoticeRoute>
    /**
     * Whether a request with this secret in its path may come from this remote address. Null: the address is unknown.
     */
    readonly admits: (secret: string, address: string | null) => boolean
    /** Notices that reach the engine other than by HTTP. */
    readonly stream: Stream.Stream<PaymentNotice>
  }
>()("trunkline/domain/ports/MobileMoneyNotices") {
  /** For a deployment without mobile money, and for tests. */
  static readonly none = Layer.succeed(MobileMoneyNotices)({ routes: [], admits: () => false, stream: Stream.never })
}
