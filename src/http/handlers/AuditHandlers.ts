import { Effect, Schema } from "effect"
import { AuditKind } from "../../domain/journal/AuditKind.ts"
import { AuditActionKindInvalid } from "../../domain/errors/ApiKeyErrors.ts"
import { AuditReads } from "../../domain/ports/access/AuditReads.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"

const isKind = Schema.is(AuditKind)

export const AuditHandlers = group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const reads = yield* AuditReads
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({
        query: { action_kind, limit: _limit, cursor: _cursor, ...rest },
        query,
        request
      }) {
        const { workspace_id } = yield* CurrentPrincipal
        if (action_kind !== undefined && !isKind(action_kind)) return yield* new AuditActionKindInvalid()
        const filter = { ...rest, ...(action_kind !== undefined && { action_kind }) }
        return yield* listPage({
          request,
          paging: query,
          query: { list: "audit", workspace_id, ...filter },
          read: (after, limit) => reads.list(workspace_id, filter, after, limit),
          sort: ({ created_at }) => Date.parse(created_at)
        })
      }),
      verify: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* reads.verify(workspace_id)
      })
    })
  })
)
