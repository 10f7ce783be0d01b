// Recording reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { RecordingReads } from "../../domain/ports/calls/RecordingReads.ts"
import { recordingRecord } from "../../domain/recordings/Recording.ts"
import type { RecordingFilter } from "../../domain/recordings/RecordingRecord.ts"
import { recordingState } from "../../domain/recordings/StoredRecording.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { SnapshotRow } from "../journal/MemoryTables.ts"
import { readableRows, readRow } from "../state/UnreadableRows.ts"
import { newestPage, rowsOf } from "./MemoryRows.ts"

const show = ({ state }: SnapshotRow) => recordingRecord(recordingState.view(state))

const nameOf = ({ actor_id: id, workspace_id }: SnapshotRow) => ({ type: "Recording", id, workspace_id })

const placeOf = ({ actor_id: id, columns }: SnapshotRow) => ({ at: Number(columns["created_at"]), id })

const isChosen = (
  { columns }: SnapshotRow,
  { call_id, created_after = -Infinity, created_before = Infinity, status }: RecordingFilter
): boolean => {
  const at = Number(columns["created_at"])
  return (
    (status === undefined || columns["status"] === status) &&
    (call_id === undefined || columns["call_id"] === call_id) &&
    at >= created_after &&
    at < created_before
  )
}

export const layer = (journal: MemoryJournal): Layer.Layer<RecordingReads> => {
  const own = (workspace_id: WorkspaceId) =>
    rowsOf(journal, "Recording").filter((row) => row.workspace_id === workspace_id)
  const showFirst = (row: SnapshotRow | undefined) =>
    row === undefined ? Effect.undefined : readRow(nameOf(row), () => show(row))
  return Layer.succeed(RecordingReads)({
    find: (workspace_id, id) =>
      Effect.suspend(() => showFirst(own(workspace_id).find(({ actor_id }) => actor_id === id))),
    ofCall: (workspace_id, call_id) =>
      Effect.suspend(() => {
        const all = newestPage(
          own(workspace_id).filter((row) => isChosen(row, { call_id })),
          placeOf,
          undefined,
          Infinity
        )
        return showFirst(all.find(({ columns }) => columns["status"] === "available") ?? all[0])
      }),
    list: (workspace_id, filter, after, limit) =>
      Effect.suspend(() => {
        const chosen = own(workspace_id).filter((row) => isChosen(row, filter))
        return readableRows(newestPage(chosen, placeOf, after, limit), nameOf, show)
      })
  })
}
