// The history of calls over the memory journal, with the same results as on PostgreSQL. It knows no rate table.
import { Effect, Layer } from "effect"
import { type CallTrail, trailOfCourses } from "../../domain/calls/views/CallTrail.ts"
import type { CallMoney } from "../../domain/calls/views/ChargeBreakdown.ts"
import { callState } from "../../domain/calls/state/StoredCall.ts"
import type { CallId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { toCallId } from "../../domain/BrandedIds.ts"
import { CallHistory } from "../../domain/ports/calls/CallHistory.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"

type Tables = MemoryJournal["tables"]

const moneyOf = (tables: Tables, workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>): CallMoney => ({
  holds: [...tables.holds.values()]
    .filter((hold) => hold.workspace_id === workspace_id && call_ids.includes(hold.call_id))
    .sort((a, b) => a.placed_at - b.placed_at),
  charges: tables.ledger
    .filter((row) => row.workspace_id === workspace_id && row.kind === "call_charge")
    .filter((row) => call_ids.includes(toCallId(row.reference_id)))
    .map(({ amount_minor, balance_after_minor, created_at, id, lines, reference_id }) => ({
      id,
      call_id: toCallId(reference_id),
      amount_minor,
      balance_after_minor,
      created_at,
      lines
    }))
})

const trailOf = (tables: Tables, workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>): CallTrail => {
  const isOfCalls = (row: { readonly workspace_id: WorkspaceId; readonly subject_id: string }) =>
    row.workspace_id === workspace_id && call_ids.includes(toCallId(row.subject_id))
  const courses = call_ids.flatMap((call_id) => {
    const row = tables.snapshot("Call", call_id)
    if (row?.workspace_id !== workspace_id) return []
    const call = callState.view(row.state)
    return [{ ...call, call_id, gateway_id: call.facts.gateway_id }]
  })
  return {
    ...moneyOf(tables, workspace_id, call_ids),
    events: tables.events
      .filter(isOfCalls)
      .sort((a, b) => a.occurred_at - b.occurred_at || a.sequence - b.sequence)
      .map(({ id, kind, late, occurred_at, payload, sequence, subject_id }) => ({
        id,
        call_id: toCallId(subject_id),
        kind,
        sequence,
        occurred_at: isoInstant(occurred_at),
        late,
        payload: JSON.parse(payload)
      })),
    lines: [...tables.trail.values()]
      .filter((row) => row.workspace_id === workspace_id && call_ids.includes(row.call_id))
      .sort((a, b) => a.at - b.at)
      .map(({ at, call_id, detail, key, kind }) => ({ call_id, key, kind, at, detail: JSON.parse(detail) })),
    deliveries: [...tables.deliveries.values()]
      .filter(isOfCalls)
      .sort((a, b) => a.created_at - b.created_at)
      .map(({ attempt_log, created_at, event_id, event_kind, id, status, subject_id, subscription_id }) => ({
        id,
        call_id: toCallId(subject_id),
        subscription_id,
        event_id,
        event_kind,
        status,
        created_at,
        attempt_log: JSON.parse(attempt_log)
      })),
    is_partial: false,
    ...trailOfCourses(courses)
  }
}

export const layer = ({ tables }: MemoryJournal) =>
  Layer.succeed(CallHistory)({
    money: (workspace_id, call_ids) => Effect.sync(() => moneyOf(tables, workspace_id, call_ids)),
    trail: (workspace_id, call_ids) => Effect.sync(() => trailOf(tables, workspace_id, call_ids)),
    rate: () => Effect.succeed(undefined),
    balance: (workspace_id, at) =>
      Effect.sync(
        () =>
          tables.ledger.filter((row) => row.workspace_id === workspace_id && row.created_at <= at).at(-1)
            ?.balance_after_minor
      )
  })
