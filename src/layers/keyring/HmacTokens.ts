import { hash, randomBytes } from "node:crypto"
import { Layer } from "effect"
import { Tokens } from "../../domain/ports/access/Tokens.ts"
import { makeSealed } from "./HmacSealed.ts"
import type { Keys } from "./Secrets.ts"

export const HmacTokens = (secrets: Keys): Layer.Layer<Tokens> => {
  const { open, seal } = makeSealed(secrets)
  /** The length prefix separates the purpose from the payload that is hashed after it. */
  const contextOf = (purpose: string): string => `${purpose.length}:${purpose}`
  return Layer.succeed(Tokens)({
    random: () => randomBytes(32).toString("base64url"),
    hash: (token) => hash("sha256", token, "hex"),
    sign: (payload, purpose) => seal(payload, contextOf(purpose)),
    read: (signed, purpose) => open(signed, contextOf(purpose))
  })
}
