// Conference reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { conferenceRecord } from "../../domain/conferences/ConferenceRecord.ts"
import { conferenceState } from "../../domain/conferences/StoredConference.ts"
import { ConferenceReads } from "../../domain/ports/calls/ConferenceReads.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { SnapshotRow } from "../journal/MemoryTables.ts"
import { readableRows, readRow } from "../state/UnreadableRows.ts"
import { newestPage, rowsOf } from "./MemoryRows.ts"

const show = ({ state }: SnapshotRow) => conferenceRecord(conferenceState.view(state))

const nameOf = ({ actor_id: id, workspace_id }: SnapshotRow) => ({ type: "Conference", id, workspace_id })

const placeOf = ({ actor_id: id, columns }: SnapshotRow) => ({ at: Number(columns["created_at"]), id })

export const layer = (journal: MemoryJournal): Layer.Layer<ConferenceReads> => {
  const own = (workspace_id: WorkspaceId) =>
    rowsOf(journal, "Conference").filter((row) => row.workspace_id === workspace_id)
  return Layer.succeed(ConferenceReads)({
    find: (workspace_id, id) =>
      Effect.suspend(() => {
        const row = own(workspace_id).find(({ actor_id }) => actor_id === id)
        return row === undefined ? Effect.undefined : readRow(nameOf(row), () => show(row))
      }),
    list: (workspace_id, { name, status }, after, limit) =>
      Effect.suspend(() => {
        const chosen = own(workspace_id).filter(
          ({ columns }) =>
            (status === undefined || columns["status"] === status) && (name === undefined || columns["name"] === name)
        )
        return readableRows(newestPage(chosen, placeOf, after, limit), nameOf, show)
      })
  })
}
