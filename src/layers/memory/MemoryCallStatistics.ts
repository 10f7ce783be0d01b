// Sums over the calls of the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import { dayOf, dayText, type StatsQuery, type StatsRow } from "../../domain/calls/views/CallStats.ts"
import { callState } from "../../domain/calls/state/StoredCall.ts"
import { CallStatistics } from "../../domain/ports/calls/CallStatistics.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { SnapshotRow } from "../journal/MemoryTables.ts"
import { rowsOf } from "./MemoryRows.ts"

type Columns = SnapshotRow["columns"]

const keyOf = ({ columns, state }: SnapshotRow, group_by: StatsQuery["group_by"]): string | null => {
  if (group_by === "day") return dayText(dayOf(Number(columns["created_at"])))
  if (group_by === "kind") return callState.view(state).facts.kind
  const value = columns[group_by === "number" ? "number_id" : group_by] ?? null
  return value === null ? null : String(value)
}

const sum = (calls: ReadonlyArray<Columns>, name: string): number =>
  calls.reduce((total, columns) => total + Number(columns[name] ?? 0), 0)

const rows = (calls: ReadonlyArray<SnapshotRow>, group_by: StatsQuery["group_by"]): ReadonlyArray<StatsRow> => {
  const groups = Map.groupBy(calls, (row) => JSON.stringify([keyOf(row, group_by), row.columns["status"]]))
  return [...groups].map(([group, members]) => {
    const of = members.map(({ columns }) => columns)
    const [key, status] = JSON.parse(group) as [StatsRow["key"], StatsRow["status"]]
    return {
      key,
      status,
      calls: of.length,
      answered: of.filter((columns) => columns["answered_at"] !== null).length,
      duration_seconds: sum(of, "duration_seconds"),
      billed_seconds: sum(of, "billed_seconds"),
      cost_minor: sum(of, "cost_minor")
    }
  })
}

export const layer = (journal: MemoryJournal): Layer.Layer<CallStatistics> =>
  Layer.succeed(CallStatistics)({
    rows: ({ group_by, number_id, range: { from_day, to_day }, workspace_id }) =>
      Effect.sync(() => {
        const calls = rowsOf(journal, "Call")
          .filter((row) => row.workspace_id === workspace_id)
          .filter(({ columns }) => number_id === undefined || columns["number_id"] === number_id)
          .filter(({ columns }) => {
            const day = dayOf(Number(columns["created_at"]))
            return day >= from_day && day <= to_day
          })
        return rows(calls, group_by)
      })
  })
