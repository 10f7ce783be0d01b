import { Clock, Effect } from "effect"
import { auditRow } from "../../domain/access/Origin.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { ProviderHasActiveSeries } from "../../domain/errors/NumberErrors.ts"
import { providerAfter, providerOf, type ProviderRecord } from "../../domain/numbers/Provider.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { ProviderStore } from "../../domain/ports/numbers/ProviderStore.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { operatorOrigin } from "../request/RequestOrigin.ts"
import { storedAnswer } from "../request/StoredAnswer.ts"

type Kind = "provider.created" | "provider.updated" | "provider.retired"

/** A line of the platform's audit log about a provider. A record has no secret. */
const line = Effect.fnUntraced(function* (action_kind: Kind, id: string, before?: ProviderRecord) {
  const origin = yield* operatorOrigin
  const at = yield* Clock.currentTimeMillis
  return (after?: ProviderRecord) =>
    auditRow(origin, { workspace_id: null, action_kind, target: { type: "number_provider", id }, before, after, at })
})

export const AdminProvidersHandlers = group(
  Api,
  "admin_providers",
  Effect.fnUntraced(function* (handlers) {
    const ids = yield* Ids
    const store = yield* ProviderStore

    const find = Effect.fnUntraced(function* (id: string) {
      return (yield* store.find(id)) ?? (yield* new NotFound({ message: "There is no such provider." }))
    })

    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const facts = yield* Effect.fromResult(providerOf(payload))
        const id = ids.uuid()
        const answer = yield* storedAnswer(201)
        return answer.response(yield* store.create(id, facts, yield* line("provider.created", id), answer.row))
      }),
      list: () => store.list,
      get: ({ params }) => find(params.id),
      patch: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const before = yield* find(id)
        const facts = yield* Effect.fromResult(providerAfter(before, payload))
        return yield* store.change(before, facts, yield* line("provider.updated", id, before))
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        const before = yield* find(id)
        const audit = yield* line("provider.retired", id, before)
        if (!(yield* store.retire(id, audit()))) yield* new ProviderHasActiveSeries()
      })
    })
  })
)
