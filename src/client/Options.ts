/** One attempt of a request, for logs. It has no secrets. */
export interface RequestLog {
  readonly method: string
  readonly path: string
  /** Null: no answer came. */
  readonly status: number | null
  readonly ms: number
  readonly requestId: string | null
  /** The first has number 1. */
  readonly attempt: number
}

/** Options of one request that reads. Each may also be set for all requests of a client. */
export interface ReadOptions {
  /** Ends the request; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds that one attempt may take. Default 30,000. */
  readonly timeout?: number
  /** Milliseconds that all attempts and the waits between them may take. Default 90,000. */
  readonly deadline?: number
  /** How often a request is tried again. Default 2. */
  readonly retries?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Options of one request that writes. */
export interface WriteOptions extends ReadOptions {
  /**
   * For 24 hours, a repetition with the same key gets the first answer again. Default: a random key for all attempts of
   * the request.
   */
  readonly idempotencyKey?: string
}

export interface TrunklineOptions extends Omit<ReadOptions, "signal"> {
  readonly apiKey?: string | undefined
  /**
   * `true` in a page: the browser's cookie of a signed-in member goes with each request. A text: the value of that
   * cookie, for programs.
   */
  readonly session?: string | true
  /** For sessions: `test` leads to the sandbox. API keys have a mode of their own. */
  readonly mode?: "live" | "test"
  /** Default: the page's origin in a browser, else `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined
  readonly fetch?: typeof globalThis.fetch
  /** Is told of each attempt, once it has ended. */
  readonly onRequest?: (log: RequestLog) => void
  /** An API key in a page can be read by everybody who opens it. */
  readonly dangerouslyAllowBrowser?: boolean
}
