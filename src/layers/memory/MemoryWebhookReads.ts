// Webhook reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import type { After } from "../../domain/paging/After.ts"
import { DeliveryReads } from "../../domain/ports/webhooks/DeliveryReads.ts"
import { SubscriptionReads } from "../../domain/ports/webhooks/SubscriptionReads.ts"
import type { Replayable } from "../../domain/webhooks/ReplayRecord.ts"
import type {
  DeliveredEvent,
  DeliveryFilter,
  DeliveryRecord,
  DueDelivery,
  ListedDelivery
} from "../../domain/webhooks/DeliveryRecord.ts"
import { isLiveData, subscriptionState } from "../../domain/webhooks/Subscription.ts"
import { subscriptionView } from "../../domain/webhooks/SubscriptionView.ts"
import { readableRows, readRow } from "../state/UnreadableRows.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { StoredDelivery } from "../journal/MemoryTables.ts"
import { type SubscriptionId, toSubscriptionId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { instantOrNull, isoInstant } from "../../domain/kit/Instants.ts"
import { expectPresent } from "../../domain/ExpectPresent.ts"

const open = new Set(["pending", "in_flight", "retrying"])

/** When an open delivery is due; never, if nothing is planned. Epoch milliseconds. */
const dueAt = ({ next_attempt_at }: StoredDelivery): number => next_attempt_at ?? Number.POSITIVE_INFINITY

const shown = ({
  attempt_log,
  created_at,
  finished_at,
  last_error,
  next_attempt_at,
  ...row
}: StoredDelivery): DeliveryRecord => ({
  id: row.id,
  subscription_id: row.subscription_id,
  event_id: row.event_id,
  event_kind: row.event_kind,
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: instantOrNull(next_attempt_at),
  created_at: isoInstant(created_at),
  finished_at: instantOrNull(finished_at),
  last_error: last_error === null ? null : JSON.parse(last_error),
  attempt_log: JSON.parse(attempt_log)
})

const listed = (row: StoredDelivery): ListedDelivery => {
  const { attempt_log, ...delivery } = shown(row)
  return { ...delivery, attempt_log: attempt_log.map(({ response_excerpt: _, ...attempt }) => attempt) }
}

const statusIn = ({ id, status }: StoredDelivery, { in_flight = [] }: DeliveryFilter) =>
  (status === "pending" || status === "retrying") && in_flight.includes(id) ? "in_flight" : status

const passes = (row: StoredDelivery, filter: DeliveryFilter, after: After | undefined): boolean =>
  (filter.status === undefined || statusIn(row, filter) === filter.status) &&
  (filter.event_kind === undefined || row.event_kind === filter.event_kind) &&
  (filter.from === undefined || row.created_at >= filter.from) &&
  (filter.to === undefined || row.created_at < filter.to) &&
  (after === undefined || row.created_at < after.at || (row.created_at === after.at && row.id < after.id))

const dueDelivery = ({ events }: MemoryJournal["tables"], row: StoredDelivery): DueDelivery => {
  const event = expectPresent(
    events.find(({ id }) => id === row.event_id),
    "The event of a delivery"
  )
  return {
    id: row.id,
    created_at: row.created_at,
    attempts: row.attempts,
    attempt_log: JSON.parse(row.attempt_log),
    event_id: row.event_id,
    event_kind: row.event_kind,
    sequence: row.sequence,
    occurred_at: event.occurred_at,
    payload: event.payload
  }
}

/** The event of a delivery, without the state of the delivery. */
const sent = (tables: MemoryJournal["tables"], row: StoredDelivery): DeliveredEvent => {
  const { event_id, event_kind, occurred_at, payload, sequence } = dueDelivery(tables, row)
  return { event_id, event_kind, occurred_at, payload, sequence }
}

const replayable = ({ created_at, event_id, event_kind, sequence, subject_id }: StoredDelivery): Replayable => ({
  created_at,
  event_id,
  event_kind,
  sequence,
  subject_id
})

export const deliveryReads = ({ tables }: MemoryJournal): Layer.Layer<DeliveryReads> => {
  const of = (workspace_id: WorkspaceId, subscription_id: SubscriptionId) =>
    [...tables.deliveries.values()].filter(
      (row) => row.subscription_id === subscription_id && row.workspace_id === workspace_id
    )

  const revisionOf = (subscription_id: SubscriptionId): number => {
    const row = tables.snapshot("Subscription", subscription_id)
    return row === undefined ? 0 : subscriptionState.view(row.state).revision
  }

  return Layer.succeed(DeliveryReads)({
    due: ({ except, limit, now, subscription_id, workspace_id }) =>
      Effect.sync(() => {
        const waiting = of(workspace_id, subscription_id)
          .filter(({ status }) => open.has(status))
          .sort((a, b) => dueAt(a) - dueAt(b))
        const ready = waiting.filter((row) => dueAt(row) <= now && !except.includes(row.id))
        return {
          revision: revisionOf(subscription_id),
          deliveries: ready.slice(0, limit).map((row) => dueDelivery(tables, row)),
          more: ready.length > limit,
          next_due_at: waiting.find((row) => dueAt(row) > now)?.next_attempt_at ?? null
        }
      }),
    find: (workspace_id, subscription_id, what, limit) =>
      Effect.sync(() => {
        const deliveries = of(workspace_id, subscription_id)
          .filter(({ id, status }) => ("id" in what ? id === what.id : status === "blocked"))
          .sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map(shown)
        return {
          revision: deliveries.length === 0 ? 0 : revisionOf(subscription_id),
          deliveries
        }
      }),
    event: (workspace_id, subscription_id, id) =>
      Effect.sync(
        () => of(workspace_id, subscription_id).flatMap((row) => (row.id === id ? [sent(tables, row)] : []))[0]
      ),
    replayable: (workspace_id, subscription_id, { event_kinds, from, only, to }, limit) =>
      Effect.sync(() =>
        of(workspace_id, subscription_id)
          .filter(
            ({ created_at, event_kind, status }) =>
              (status === "dead_letter" || (only === "all" && status === "succeeded")) &&
              created_at >= from &&
              created_at < to &&
              (event_kinds.length === 0 || event_kinds.includes(event_kind))
          )
          .sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map(replayable)
      ),
    list: (workspace_id, subscription_id, filter, after, limit) =>
      Effect.sync(() =>
        of(workspace_id, subscription_id)
          .filter((row) => passes(row, filter, after))
          .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map((row) => listed({ ...row, status: statusIn(row, filter) }))
      )
  })
}

export const subscriptionReads = ({ tables }: MemoryJournal): Layer.Layer<SubscriptionReads> => {
  const rows = () => [...tables.snapshots.values()].filter(({ actor_type }) => actor_type === "Subscription")
  const shown = ({ actor_id, state }: { readonly actor_id: string; readonly state: string }) => {
    const data = subscriptionState.view(state)
    return isLiveData(data)
      ? [{ created_at: data.created_at, record: subscriptionView(toSubscriptionId(actor_id), data) }]
      : []
  }
  const callUrls = (workspace_id: WorkspaceId): ReadonlyMap<string, SubscriptionId> =>
    new Map(
      rows().flatMap(({ actor_id, columns: { call_url, status }, ...row }) =>
        row.workspace_id === workspace_id && typeof call_url === "string" && status !== "deleted"
          ? [[call_url, toSubscriptionId(actor_id)]]
          : []
      )
    )
  return Layer.succeed(SubscriptionReads)({
    ofCallUrl: (workspace_id, url) => Effect.sync(() => callUrls(workspace_id).get(url)),
    callUrls: (workspace_id) => Effect.sync(() => callUrls(workspace_id)),
    caughtUp: Effect.void,
    countCreated: (workspace_id) =>
      Effect.sync(
        () =>
          rows()
            .filter((row) => row.workspace_id === workspace_id)
            .map(({ state }) => subscriptionState.view(state))
            .filter((data) => isLiveData(data) && data.source === "api").length
      ),
    find: (workspace_id, id) =>
      Effect.suspend(() => {
        const row = tables.snapshot("Subscription", id)
        return row === undefined || row.workspace_id !== workspace_id
          ? Effect.undefined
          : readRow(
              { type: "Subscription", id, workspace_id },
              () => shown({ actor_id: id, state: row.state })[0]?.record
            )
      }),
    list: (workspace_id) =>
      Effect.map(
        Effect.suspend(() =>
          readableRows(
            rows().filter((row) => row.workspace_id === workspace_id),
            ({ actor_id: id }) => ({ type: "Subscription", id, workspace_id }),
            shown
          )
        ),
        (found) =>
          found
            .flat()
            .toSorted((a, b) => b.created_at - a.created_at || (a.record.id < b.record.id ? 1 : -1))
            .map(({ record }) => record)
      ),
    overdue: (before) =>
      Effect.sync(() => {
        const waiting = new Set(
          [...tables.deliveries.values()]
            .filter((row) => open.has(row.status) && dueAt(row) < before)
            .map(({ subscription_id }) => subscription_id)
        )
        return rows()
          .filter(({ actor_id, columns }) => columns["status"] === "active" && waiting.has(toSubscriptionId(actor_id)))
          .map(({ actor_id }) => toSubscriptionId(actor_id))
      })
  })
}
