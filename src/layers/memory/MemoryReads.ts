// Read ports over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import { callRecordFromState } from "../../domain/calls/views/CallView.ts"
import { callOfState } from "../../domain/calls/state/StoredCall.ts"
import type { CallEventRecord, LoggedWhat } from "../../domain/calls/views/CallEventRecord.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import { LiveCalls } from "../../domain/ports/calls/LiveCalls.ts"
import { Charges } from "../../domain/ports/calls/Charges.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { readableRows, readRow } from "../state/UnreadableRows.ts"
import { type CallId, toCallId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { newestPage } from "./MemoryRows.ts"
import { isChosen } from "../../domain/calls/views/CallFilter.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"

const terminal = new Set(["completed", "no_answer", "busy", "failed", "canceled"])

const logOf = (
  tables: MemoryJournal["tables"],
  workspace_id: WorkspaceId,
  call_id: CallId,
  what: LoggedWhat
): ReadonlyArray<CallEventRecord> =>
  tables.events
    .filter((row) => row.workspace_id === workspace_id && row.subject_id === call_id)
    .filter(({ kind }) => what === "all" || (kind === "transcript.turn") === (what === "turns"))
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ id, kind, late, occurred_at, payload, sequence }) => ({
      id,
      kind,
      sequence,
      occurred_at: isoInstant(occurred_at),
      late,
      payload: JSON.parse(payload)
    }))

export const callReads = ({ tables }: MemoryJournal): Layer.Layer<CallReads> => {
  const rowsOf = (workspace_id: WorkspaceId) =>
    [...tables.snapshots.values()].filter((row) => row.actor_type === "Call" && row.workspace_id === workspace_id)
  const calls = (workspace_id: WorkspaceId) =>
    readableRows(
      rowsOf(workspace_id),
      ({ actor_id: id }) => ({ type: "Call", id, workspace_id }),
      ({ state }) => callRecordFromState(state)
    )
  return Layer.succeed(CallReads)({
    find: (workspace_id, ref) =>
      Effect.suspend(() => {
        const row = rowsOf(workspace_id).find(
          ({ actor_id, columns }) => actor_id === ref || columns["session_id"] === ref
        )
        return row === undefined
          ? Effect.undefined
          : readRow({ type: "Call", id: row.actor_id, workspace_id }, () => callRecordFromState(row.state))
      }),
    list: (workspace_id, filter, after, limit) =>
      Effect.map(
        Effect.suspend(() => calls(workspace_id)),
        (found) =>
          newestPage(
            found.filter((call) => isChosen(call, filter)),
            ({ created_at, id }) => ({ at: Date.parse(created_at), id }),
            after,
            limit
          )
      ),
    events: (workspace_id, call_id, after_sequence, limit, what = "lifecycle") =>
      Effect.sync(() =>
        logOf(tables, workspace_id, call_id, what)
          .filter(({ sequence }) => sequence > after_sequence)
          .slice(0, limit)
      ),
    latestEvents: (workspace_id, call_id, limit, what, before_sequence = Number.POSITIVE_INFINITY) =>
      Effect.sync(() =>
        logOf(tables, workspace_id, call_id, what)
          .filter(({ sequence }) => sequence < before_sequence)
          .slice(-limit)
      )
  })
}

export const liveCalls = ({ tables }: MemoryJournal): Layer.Layer<LiveCalls> =>
  Layer.succeed(LiveCalls)({
    onGateway: (gateway_id) =>
      Effect.map(
        Effect.suspend(() =>
          readableRows(
            [...tables.snapshots.values()].flatMap(({ actor_id: id, actor_type, columns, state, workspace_id }) =>
              actor_type === "Call" && workspace_id !== null && !terminal.has(String(columns["status"]))
                ? [{ id: toCallId(id), state, workspace_id }]
                : []
            ),
            ({ id, workspace_id }) => ({ type: "Call", id, workspace_id }),
            ({ id, state }) => callOfState(id, state)
          )
        ),
        (calls) =>
          calls.flatMap(({ facts, id }) =>
            facts.gateway_id === gateway_id ? [{ id, session_id: facts.session_id }] : []
          )
      )
  })

export const charges = ({ tables }: MemoryJournal): Layer.Layer<Charges> =>
  Layer.succeed(Charges)({
    ofCall: (workspace_id, call_id) =>
      Effect.sync(() => {
        const entry = tables.ledger.find(
          (row) => row.workspace_id === workspace_id && row.kind === "call_charge" && row.reference_id === call_id
        )
        return entry && { entry_id: entry.id, amount_minor: -entry.amount_minor }
      }),
    orphanedHolds: (workspace_id, placed_before) =>
      Effect.sync(() =>
        [...tables.holds.values()]
          .filter(
            (hold) => hold.workspace_id === workspace_id && hold.status === "open" && hold.placed_at < placed_before
          )
          .map(({ call_id, id }) => ({ id, call: tables.snapshot("Call", call_id) }))
          .filter(({ call }) => call === undefined || terminal.has(String(call.columns["status"])))
          .map(({ call, id }) => ({ id, unused: call === undefined }))
      )
  })
