// Journal entries of subscriptions, events and deliveries, for the contract of their reads.
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import type { DeliveryRow, Entry, EventRow, RedeliveryRow } from "../../src/domain/journal/Rows.ts"
import type { ListedDelivery } from "../../src/domain/webhooks/DeliveryRecord.ts"
import type { SubscriptionData } from "../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionId, WorkspaceId } from "../../src/domain/BrandedIds.ts"

const append = (entry: Entry) =>
  Effect.flatMap(Journal, ({ append }) =>
    Effect.callback<void>((resume) =>
      append(entry, (outcome) => resume(outcome.ok ? Effect.void : Effect.die(outcome.error)))
    )
  )

export const kept = (workspace_id: WorkspaceId, created_at: number, revision: number): SubscriptionData => ({
  workspace_id,
  url: "https://example.com/",
  description: "",
  events: ["call.*"],
  kinds: ["call.busy", "call.completed"],
  number_ids: [],
  signature_format: "timestamped",
  api_version: "2026-10-01",
  source: "api",
  secret: "sealed",
  status: "active",
  disabled_reason: null,
  created_at,
  updated_at: created_at,
  last_success_at: null,
  failing_since: null,
  revision,
  sequence: 0
})

export const ended = ({ created_at, id }: ListedDelivery, status: "succeeded" | "dead_letter"): DeliveryRow => ({
  id,
  created_at: Date.parse(created_at),
  status,
  attempts: 1,
  next_attempt_at: null,
  finished_at: t0,
  last_error: null,
  attempt_log: "[]"
})

export const subscription = (
  id: string,
  state: SubscriptionData,
  deliveries: ReadonlyArray<DeliveryRow> = [],
  events: ReadonlyArray<EventRow> = [],
  redeliveries: ReadonlyArray<RedeliveryRow> = []
) =>
  append({
    actor_type: "Subscription",
    actor_id: id,
    workspace_id: state.workspace_id,
    snapshot: {
      version: state.revision,
      state: JSON.stringify(state),
      columns: {
        status: state.status,
        kinds: state.kinds,
        number_ids: state.number_ids,
        call_url: state.source === "call" ? state.url : null,
        created_at: state.created_at
      }
    },
    deliveries,
    events,
    redeliveries
  })

/** An event of a new subject, with deliveries. */
export const event = (
  workspace_id: WorkspaceId,
  kind: string,
  payload: string,
  at: number,
  subscription_id?: SubscriptionId
) => {
  const subject_id = randomUUID()
  const id = randomUUID()
  return Effect.as(
    append({
      actor_type: "Toy",
      actor_id: subject_id,
      workspace_id,
      snapshot: { version: 1, state: "{}", columns: {} },
      events: [
        {
          id,
          workspace_id,
          subject_id,
          sequence: 7,
          kind,
          occurred_at: at,
          late: false,
          payload,
          number_id: null,
          fan_out: true,
          ...(subscription_id !== undefined && { subscription_id })
        }
      ]
    }),
    id
  )
}

/** Early, because waiting fibers of a pool wake for every second that passes. */
export const t0 = 7_000
export const instant = (at: number) => new Date(at).toISOString()
