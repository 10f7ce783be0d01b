import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeyInvalid } from "../../domain/errors/ApiKeyErrors.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Api } from "../Api.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"

export const WorkspaceHandlers = HttpApiBuilder.group(Api, "workspace", Effect.fnUntraced(function*(handlers) {
  const directory = yield* Directory
  return handlers.handleAll({
    callingPolicy: Effect.fnUntraced(function*() {
      const { workspace_id } = yield* CurrentPrincipal
      const workspace = yield* directory.workspace(workspace_id)
      return workspace?.calling_policy ?? (yield* new ApiKeyInvalid({ message: "The key's workspace does not exist." }))
    })
  })
}))
