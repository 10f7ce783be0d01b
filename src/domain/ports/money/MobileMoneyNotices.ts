// How the mobile-money provider announces payments: the HTTP routes that it posts to, described as data, and a stream
// for a provider that runs inside the engine. src/http/ingest/MobileMoneyIngest.ts serves the routes.
import { Context, Layer, Stream } from "effect"
import type { PaymentInquiry, PaymentNotice } from "../../topups/PaymentNotice.ts"
import type { NoticeResponse, PostedNotice } from "../../topups/PostedNotice.ts"

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
