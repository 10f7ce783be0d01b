// The history of calls over the memory journal, with the same results as on PostgreSQL. It knows no rate table.
import { Effect, Layer } from "effect"
import {
  type CallTrail,
  isCauseEvent,
  type LoggedEvent,
  type TrailLine,
  trailOfCourses,
  type TrailWindow,
  type WebhookTrail,
  type Place
} from "../../domain/calls/views/CallTrail.ts"
import { comparePlaces, earliest, eventPlace, linePlace, webhookPlace } from "../../domain/calls/views/TimelinePlace.ts"
import type { ListedAttempt } from "../../domain/webhooks/DeliveryRecord.ts"
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

const isOfCalls =
  (workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>) =>
  (row: { readonly workspace_id: WorkspaceId; readonly subject_id: string }) =>
    row.workspace_id === workspace_id && call_ids.includes(toCallId(row.subject_id))

const eventsOf = (tables: Tables, workspace_id: WorkspaceId, ids: ReadonlyArray<CallId>): ReadonlyArray<LoggedEvent> =>
  tables.events
    .filter(isOfCalls(workspace_id, ids))
    .map(({ id, kind, late, occurred_at, payload, sequence, subject_id }) => ({
      id,
      call_id: toCallId(subject_id),
      kind,
      sequence,
      occurred_at: isoInstant(occurred_at),
      late,
      payload: JSON.parse(payload)
    }))

const linesOf = (tables: Tables, workspace_id: WorkspaceId, ids: ReadonlyArray<CallId>): ReadonlyArray<TrailLine> =>
  [...tables.trail.values()]
    .filter((row) => row.workspace_id === workspace_id && ids.includes(row.call_id))
    .map(({ at, call_id, detail, key, kind }) => ({ call_id, key, kind, at, detail: JSON.parse(detail) }))

const webhooksOf = (tables: Tables, workspace_id: WorkspaceId, ids: ReadonlyArray<CallId>) => {
  const occurred = new Map(tables.events.map(({ id, occurred_at }) => [id, occurred_at]))
  return [...tables.deliveries.values()].filter(isOfCalls(workspace_id, ids)).flatMap((row): Array<WebhookTrail> => {
    const { attempt_log, created_at, event_id, event_kind, id, status, subject_id, subscription_id } = row
    const event_at = occurred.get(event_id) ?? created_at
    const delivery = { id, subscription_id, event_id, event_kind, event_at, status, created_at }
    const attempts: ReadonlyArray<ListedAttempt> = JSON.parse(attempt_log)
    return [null, ...attempts].map((attempt) => ({ ...delivery, call_id: toCallId(subject_id), attempt }))
  })
}

/** The part of the rows that is in the window, in order, and the place of its last row if there are more. */
const windowOf = <Row>(
  rows: ReadonlyArray<Row>,
  placeOf: (row: Row) => Place,
  { after, limit, until = Infinity }: TrailWindow
) => {
  const placed = rows
    .map((row) => ({ row, place: placeOf(row) }))
    .filter(({ place }) => place.at <= until && (after === undefined || comparePlaces(place, after) > 0))
    .sort((a, b) => comparePlaces(a.place, b.place))
  const read = placed.slice(0, limit + 1)
  return { rows: read.map(({ row }) => row), horizon: placed.length > read.length ? read.at(-1)?.place : undefined }
}

const trailOf = (
  tables: Tables,
  workspace_id: WorkspaceId,
  call_ids: ReadonlyArray<CallId>,
  window: TrailWindow
): CallTrail => {
  const courses = call_ids.flatMap((call_id) => {
    const row = tables.snapshot("Call", call_id)
    if (row?.workspace_id !== workspace_id) return []
    const call = callState.view(row.state)
    return [{ ...call, call_id, gateway_id: call.facts.gateway_id }]
  })
  const events = eventsOf(tables, workspace_id, call_ids)
  const lines = linesOf(tables, workspace_id, call_ids)
  const read = {
    events: windowOf(events, eventPlace, window),
    lines: windowOf(lines, linePlace, window),
    webhooks: windowOf(webhooksOf(tables, workspace_id, call_ids), webhookPlace, window)
  }
  const { after } = window
  const isEarlier = (place: Place) => after !== undefined && comparePlaces(place, after) <= 0
  return {
    ...moneyOf(tables, workspace_id, call_ids),
    events: read.events.rows,
    lines: read.lines.rows,
    webhooks: read.webhooks.rows,
    horizon: earliest(Object.values(read).map(({ horizon }) => horizon)),
    earlier: {
      events: events.filter((event) => isCauseEvent(event) && isEarlier(eventPlace(event))),
      lines: lines
        .filter((line) => isEarlier(linePlace(line)))
        .map(({ detail: { verb }, ...line }) => ({ ...line, verb: typeof verb === "string" ? verb : null }))
    },
    ...trailOfCourses(courses)
  }
}

const latestOf = (tables: Tables, workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>, at: number) => {
  const events = eventsOf(tables, workspace_id, call_ids)
    .filter(({ kind, occurred_at }) => kind !== "transcript.turn" && Date.parse(occurred_at) <= at)
    .sort((a, b) => comparePlaces(eventPlace(a), eventPlace(b)))
  return call_ids.flatMap((id) => events.findLast(({ call_id }) => call_id === id) ?? [])
}

export const layer = ({ tables }: MemoryJournal) =>
  Layer.succeed(CallHistory)({
    money: (workspace_id, call_ids) => Effect.sync(() => moneyOf(tables, workspace_id, call_ids)),
    trail: (workspace_id, call_ids, window) => Effect.sync(() => trailOf(tables, workspace_id, call_ids, window)),
    latest: (workspace_id, call_ids, at) => Effect.sync(() => latestOf(tables, workspace_id, call_ids, at)),
    rate: () => Effect.succeed(undefined),
    balance: (workspace_id, at) =>
      Effect.sync(
        () =>
          tables.ledger.filter((row) => row.workspace_id === workspace_id && row.created_at <= at).at(-1)
            ?.balance_after_minor
      )
  })
