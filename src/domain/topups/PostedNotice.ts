// A request of a mobile-money provider to the engine, and the response to it.

/** The routes of every provider are below this path. */
export const mobileMoneyIngestPath = "/v1/ingest/mobilemoney"

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
