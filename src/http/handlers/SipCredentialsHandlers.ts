import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { credentialsPath } from "../../actors/credentials/CredentialsActor.ts"
import { passwordPlace } from "../../actors/credentials/CredentialSecrets.ts"
import { secretBody } from "../../actors/shared/SealedResponse.ts"
import { SipCredentials } from "../../actors/credentials/SipCredentials.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { requestContext, requestOrigin } from "../request/RequestOrigin.ts"

const json = (status: number, body: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(body, { status, headers, contentType: "application/json" })

export const SipCredentialsHandlers = group(
  Api,
  "sipCredentials",
  Effect.fnUntraced(function* (handlers) {
    const credentials = yield* SipCredentials

    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ params, payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const { password, record } = yield* credentials.create(workspace_id, params.id, payload, yield* requestContext)
        return json(201, secretBody(record, passwordPlace, password), { location: credentialsPath(params.id) })
      }),
      list: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* credentials.list(workspace_id, params.id)
      }),
      rotate: Effect.fnUntraced(function* ({ params: { credential_id, id }, payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const shown = yield* credentials.rotate(
          workspace_id,
          id,
          credential_id,
          payload?.grace_seconds ?? 0,
          yield* requestContext
        )
        return json(200, secretBody(shown.record, passwordPlace, shown.password))
      }),
      revoke: Effect.fnUntraced(function* ({ params: { credential_id, id } }) {
        const { workspace_id } = yield* CurrentPrincipal
        return json(
          200,
          JSON.stringify(yield* credentials.revoke(workspace_id, id, credential_id, yield* requestContext))
        )
      }),
      delete: Effect.fnUntraced(function* ({ params: { credential_id, id } }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* credentials.revoke(workspace_id, id, credential_id, { origin: yield* requestOrigin })
      })
    })
  })
)
