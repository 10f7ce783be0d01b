import { Layer } from "effect"
import { CursorSigner } from "../../domain/ports/CursorSigner.ts"
import { makeSealed } from "./HmacSealed.ts"
import type { Keys } from "./Secrets.ts"

export const HmacCursorSigner = (secrets: Keys): Layer.Layer<CursorSigner> => {
  const { open, seal } = makeSealed(secrets)
  /** A length before the query keeps it apart from the payload. */
  const contextOf = (query: string): string => `cursor:${query.length}:${query}`
  return Layer.succeed(CursorSigner)({
    seal: (payload, query) => seal(payload, contextOf(query)),
    open: (sealed, query) => open(sealed, contextOf(query))
  })
}
