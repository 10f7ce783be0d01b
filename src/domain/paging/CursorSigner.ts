import { Context } from "effect"

/** Makes signed cursors. Each is valid only in this deployment and for its own query. */
export class CursorSigner extends Context.Service<
  CursorSigner,
  {
    /** An opaque, URL-safe text that contains `payload` and is bound to `query`. */
    readonly seal: (payload: string, query: string) => string
    /** The payload; undefined if the text was altered or made for another query. */
    readonly open: (sealed: string, query: string) => string | undefined
  }
>()("trunkline/domain/ports/CursorSigner") {}
