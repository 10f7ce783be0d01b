import { Layer } from "effect"
import { CursorSigner } from "../../domain/paging/CursorSigner.ts"
import { makeSealed } from "./HmacSealed.ts"
import type { Keys } from "./Secrets.ts"

export const HmacCursorSigner = (secrets: Keys): Layer.Layer<CursorSigner> => {
  const { open, seal } = makeSealed(secrets)
  /** The length prefix separates the query from the payload that is hashed after it. */
  const contextOf = (query: string): string => `cursor:${query.length}:${query}`
  return Layer.succeed(CursorSigner)({
    seal: (payload, query) => seal(payload, contextOf(query)),
    open: (sealed, query) => open(sealed, contextOf(query))
  })
}
