import { Effect } from "effect"
import { Keyring } from "../../domain/ports/engine/Keyring.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"

export const KeysHandlers = group(
  Api,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const { jwks } = yield* Keyring
    return handlers.handleAll({ jwks: () => Effect.succeed(jwks) })
  })
)
