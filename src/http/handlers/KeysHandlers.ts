import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Keyring } from "../../domain/ports/Keyring.ts"
import { Api } from "../Api.ts"

export const KeysHandlers = HttpApiBuilder.group(Api, "keys", Effect.fnUntraced(function*(handlers) {
  const { jwks } = yield* Keyring
  return handlers.handleAll({ jwks: () => Effect.succeed(jwks) })
}))
