import { Context } from "effect"

/** Makes cursors that only this deployment can make, and only for the query that they came from. */
export class CursorSigner extends Context.Service<
  CursorSigner,
  {
    /** An opaque, URL-safe text that holds `payload` and is bound to `query`, which it does not hold. */
    readonly seal: (payload: string, query: string) => string
    /** The payload; undefined when the text was altered, or sealed for another query. */
    readonly open: (sealed: string, query: string) => string | undefined
  }
>()("trunkline/domain/ports/CursorSigner") {}
