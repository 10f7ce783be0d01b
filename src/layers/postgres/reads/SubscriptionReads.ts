import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { SubscriptionReads } from "../../../domain/ports/webhooks/SubscriptionReads.ts"
import { ChangeFeed } from "../cache/ChangeFeed.ts"
import { readThroughCache } from "../cache/ReadThroughCache.ts"
import { isLiveData, subscriptionState } from "../../../domain/webhooks/Subscription.ts"
import { readableRows, readRow } from "../../state/UnreadableRows.ts"
import { subscriptionView } from "../../../domain/webhooks/SubscriptionView.ts"
import type { SubscriptionId, WorkspaceId } from "../../../domain/BrandedIds.ts"
import { createHash } from "node:crypto"

interface Row {
  readonly id: SubscriptionId
  readonly state: object
}

const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))

const show = ({ id, state }: Row) => {
  const data = subscriptionState.view(state)
  return isLiveData(data) ? [subscriptionView(id, data)] : []
}

/** Reads of which subscription a call's `events_url` is: one for each call that names one, so they are cached. */
const makeCallUrls = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const changes = yield* ChangeFeed
  const cache = readThroughCache(changes.listening, (key) => {
    const [workspace_id = "", hash = ""] = key.split(" ")
    return Effect.map(
      sql<{ readonly id: SubscriptionId }>`
        SELECT id FROM webhook_subscriptions
        WHERE workspace_id = ${workspace_id} AND md5(call_url) = ${hash} AND call_url IS NOT NULL AND status <> 'deleted'
        ORDER BY created_at, id LIMIT 1`,
      ([row]) => row?.id
    )
  })
  yield* changes.subscribe({
    connected: Effect.sync(cache.forgetAll),
    changed: (what, ...of) => {
      if (what === "call_url") cache.forget(of.join(" "))
    }
  })
  return {
    ofCallUrl: (workspace_id: WorkspaceId, url: string) =>
      cache.get(`${workspace_id} ${createHash("md5").update(url).digest("hex")}`).pipe(failed),
    callUrls: (workspace_id: WorkspaceId) =>
      sql<{ readonly id: SubscriptionId; readonly call_url: string }>`
        SELECT id, call_url FROM webhook_subscriptions
        WHERE workspace_id = ${workspace_id} AND call_url IS NOT NULL AND status <> 'deleted'
        ORDER BY created_at DESC, id DESC`.pipe(
        Effect.map((rows) => new Map(rows.map(({ call_url, id }) => [call_url, id]))),
        failed
      ),
    caughtUp: changes.caughtUp
  }
})

export const layer = Layer.effect(
  SubscriptionReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return SubscriptionReads.of({
      ...(yield* makeCallUrls),
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
      countCreated: (workspace_id) =>
        sql<{ readonly created: number }>`
          SELECT count(*)::int4 AS created FROM webhook_subscriptions
          WHERE workspace_id = ${workspace_id} AND status <> 'deleted' AND source = 'api'`.pipe(
          Effect.map(([row]) => row?.created ?? 0),
          failed
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
