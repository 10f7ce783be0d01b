import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { SubscriptionReads } from "../../../domain/ports/webhooks/SubscriptionReads.ts"
import { isLiveData, subscriptionState } from "../../../domain/webhooks/Subscription.ts"
import { readableRows, readRow } from "../../state/UnreadableRows.ts"
import { subscriptionView } from "../../../domain/webhooks/SubscriptionView.ts"
import type { SubscriptionId } from "../../../domain/BrandedIds.ts"

interface Row {
  readonly id: SubscriptionId
  readonly state: object
}

const show = ({ id, state }: Row) => {
  const data = subscriptionState.view(state)
  return isLiveData(data) ? [subscriptionView(id, data)] : []
}

export const layer = Layer.effect(
  SubscriptionReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return SubscriptionReads.of({
      find: (workspace_id, id) =>
        sql<Row>`
          SELECT id, state FROM webhook_subscriptions
          WHERE id = ${id} AND workspace_id = ${workspace_id} AND status <> 'deleted'`.pipe(
          failed,
          Effect.flatMap(([row]) =>
            row === undefined
              ? Effect.undefined
              : readRow({ type: "Subscription", id: row.id, workspace_id }, () => show(row)[0])
          )
        ),
      list: (workspace_id) =>
        sql<Row>`
          SELECT id, state FROM webhook_subscriptions
          WHERE workspace_id = ${workspace_id} AND status <> 'deleted' ORDER BY created_at DESC, id DESC`.pipe(
          failed,
          Effect.flatMap((rows) => readableRows(rows, ({ id }) => ({ type: "Subscription", id, workspace_id }), show)),
          Effect.map((shown) => shown.flat())
        ),
      overdue: (before) =>
        sql<{ readonly id: SubscriptionId }>`
          SELECT s.id FROM webhook_subscriptions s
          WHERE s.status = 'active' AND EXISTS (
            SELECT FROM deliveries d
            WHERE d.subscription_id = s.id AND d.status IN ('pending', 'in_flight', 'retrying')
              AND d.next_attempt_at < ${new Date(before)}
          )`.pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          failed
        )
    })
  })
)
