import { Effect } from "effect"
import { VerifiedCallerIds } from "../../actors/callerids/VerifiedCallerIds.ts"
import { Workspaces } from "../../actors/workspace/Workspaces.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { WorkspaceReads } from "../../domain/ports/access/WorkspaceReads.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { listPage } from "../request/ListPage.ts"
import { operatorOrigin } from "../request/RequestOrigin.ts"

export const AdminWorkspacesHandlers = group(
  Api,
  "admin_workspaces",
  Effect.fnUntraced(function* (handlers) {
    const reads = yield* WorkspaceReads
    const workspaces = yield* Workspaces
    const callerIds = yield* VerifiedCallerIds
    const directory = yield* Directory
    const requireWorkspace = Effect.fnUntraced(function* (id: WorkspaceId) {
      if ((yield* directory.workspace(id)) === undefined) return yield* new NotFound()
    })
    return handlers.handleAll({
      list: ({ query: { limit: _limit, cursor: _cursor, sandbox, ...filter }, query, request }) =>
        listPage({
          request,
          paging: query,
          query: { list: "admin_workspaces", sandbox: sandbox === "true", ...filter },
          read: (after, limit) => reads.list({ ...filter, sandbox: sandbox === "true" }, after, limit),
          sort: ({ created_at }) => Date.parse(created_at)
        }),
      suspend: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* workspaces.suspend(params.id, payload?.reason ?? null, yield* operatorOrigin)
      }),
      ceilings: Effect.fnUntraced(function* ({ params }) {
        return yield* workspaces.changeCeilings(params.id, {}, yield* operatorOrigin)
      }),
      changeCeilings: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* workspaces.changeCeilings(params.id, payload, yield* operatorOrigin)
      }),
      callerIds: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* requireWorkspace(id)
        return yield* callerIds.list(id)
      }),
      approveCallerId: Effect.fnUntraced(function* ({ params: { id, number } }) {
        yield* requireWorkspace(id)
        return yield* callerIds.approve(id, number, yield* operatorOrigin)
      }),
      revokeCallerId: Effect.fnUntraced(function* ({ params: { id, number } }) {
        yield* requireWorkspace(id)
        return yield* callerIds.revoke(id, number, yield* operatorOrigin)
      }),
      reinstate: Effect.fnUntraced(function* ({ params }) {
        return yield* workspaces.reinstate(params.id, yield* operatorOrigin)
      })
    })
  })
)
