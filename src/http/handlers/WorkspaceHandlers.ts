import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { secretBody } from "../../actors/shared/SealedResponse.ts"
import { Workspaces } from "../../actors/workspace/Workspaces.ts"
import { ApiKeyInvalid } from "../../domain/errors/ApiKeyErrors.ts"
import { previousValidSeconds } from "../../domain/webhooks/SubscriptionRecord.ts"
import { voiceSecretPlace } from "../../domain/workspace/VoiceSecret.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { requestContext, requestOrigin } from "../request/RequestOrigin.ts"

export const WorkspaceHandlers = group(
  Api,
  "workspace",
  Effect.fnUntraced(function* (handlers) {
    const workspaces = yield* Workspaces
    return handlers.handleAll({
      get: () => Effect.flatMap(CurrentPrincipal, ({ workspace_id }) => workspaces.get(workspace_id)),
      patch: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* workspaces.change(workspace_id, payload)
      }),
      rotateVoiceSecret: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const { rotation, secret } = yield* workspaces.rotateVoiceSecret(
          workspace_id,
          previousValidSeconds(payload),
          yield* requestContext
        )
        return HttpServerResponse.text(secretBody(rotation, voiceSecretPlace, secret), {
          contentType: "application/json"
        })
      }),
      close: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* workspaces.close(workspace_id, yield* requestOrigin)
      }),
      callingPolicy: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        const policy = yield* workspaces.policy(workspace_id)
        return policy ?? (yield* new ApiKeyInvalid({ message: "The key's workspace does not exist." }))
      }),
      changeCallingPolicy: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* workspaces.changePolicy(workspace_id, payload, yield* requestOrigin)
      })
    })
  })
)
