import { Clock, Effect } from "effect"
import { TopUps } from "../../actors/topups/TopUps.ts"
import { Wallets } from "../../actors/wallet/Wallets.ts"
import { auditRow } from "../../domain/access/Origin.ts"
import { idempotencyKey } from "../../domain/idempotency/IdempotencyKey.ts"
import { namedId } from "../../domain/idempotency/NamedId.ts"
import { Idempotency } from "../../domain/ports/access/Idempotency.ts"
import { TopUpLimitTable } from "../../domain/ports/money/TopUpLimitTable.ts"
import { TopUpReads } from "../../domain/ports/money/TopUpReads.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { listPage } from "../request/ListPage.ts"
import { operatorOrigin } from "../request/RequestOrigin.ts"
import { toWorkspaceId } from "../../domain/BrandedIds.ts"

export const AdminWalletsHandlers = group(
  Api,
  "admin_wallets",
  Effect.fnUntraced(function* (handlers) {
    const limits = yield* TopUpLimitTable
    const reads = yield* TopUpReads
    const topups = yield* TopUps
    const wallets = yield* Wallets
    const { fingerprint } = yield* Idempotency
    const allLimits = Effect.map(limits.list, (all) => ({ limits: all }))
    return handlers.handleAll({
      setLimits: Effect.fnUntraced(function* ({ payload }) {
        yield* limits.set(
          payload.limits,
          auditRow(yield* operatorOrigin, {
            workspace_id: null,
            action_kind: "rate.changed",
            target: {
              type: "topup_limits",
              id: [...new Set(payload.limits.map(({ currency }) => currency))].join(",")
            },
            after: payload.limits,
            at: yield* Clock.currentTimeMillis
          })
        )
        return yield* allLimits
      }),
      listLimits: () => allLimits,
      adjust: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const workspace_id = params.workspace_id
        const header = headers["idempotency-key"]
        const key = header === undefined ? undefined : yield* Effect.fromResult(idempotencyKey(header))
        const entry_id = key === undefined ? undefined : namedId(fingerprint(`adjustment\n${workspace_id}\n${key}`))
        return yield* wallets.adjust(workspace_id, payload, yield* operatorOrigin, entry_id)
      }),
      reverse: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* topups.reverse(params.id, payload.note, yield* operatorOrigin)
      }),
      payIns: Effect.fnUntraced(function* ({ query, request }) {
        return yield* listPage({
          request,
          paging: query,
          query: { list: "payins" },
          read: (after, limit) => reads.suspended(after, limit),
          sort: (payment) => Date.parse(payment.paid_at)
        })
      }),
      release: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* topups.release(params.receipt.toUpperCase(), toWorkspaceId(payload.workspace_id.toLowerCase()))
      })
    })
  })
)
