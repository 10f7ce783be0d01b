import { Context } from "effect"

/** Makes texts that open something for whoever holds them. Synchronous: each costs microseconds. */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** 32 random bytes in base64url. */
    readonly random: () => string
    /** What is stored in place of a token: SHA-256 in hex. */
    readonly hash: (token: string) => string
    /** An opaque, URL-safe text that holds `payload` and that only this deployment can make, for this purpose. */
    readonly sign: (payload: string, purpose: string) => string
    /** The payload; undefined where the text was altered, made elsewhere, or for another purpose. */
    readonly read: (signed: string, purpose: string) => string | undefined
  }
>()("trunkline/domain/ports/Tokens") {}
