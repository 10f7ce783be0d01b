import { Context } from "effect"

/** Makes bearer tokens and signed texts. Synchronous: each takes microseconds. */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** 32 random bytes in base64url. */
    readonly random: () => string
    /** The hash that is stored instead of a token: SHA-256 in hex. */
    readonly hash: (token: string) => string
    /** An opaque, URL-safe text with `payload`, valid only in this deployment and for this purpose. */
    readonly sign: (payload: string, purpose: string) => string
    /** The payload; undefined if the text was altered, made elsewhere or made for another purpose. */
    readonly read: (signed: string, purpose: string) => string | undefined
  }
>()("trunkline/domain/ports/Tokens") {}
