// Storage reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import { StorageReads } from "../../domain/ports/calls/StorageReads.ts"
import { storageState } from "../../domain/storage/Storage.ts"
import { readRow } from "../state/UnreadableRows.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { toRecordingId, type WorkspaceId } from "../../domain/BrandedIds.ts"

/** `prices`: monthly price by size in MB, the same number in every currency. */
export const layer = (
  { tables }: MemoryJournal,
  prices: Readonly<Record<string, number>>
): Layer.Layer<StorageReads> => {
  const stored = (workspace_id: WorkspaceId) =>
    [...tables.snapshots.values()]
      .filter((row) => row.actor_type === "Recording" && row.workspace_id === workspace_id)
      .filter(({ columns }) => columns["status"] === "available")
      .map(({ actor_id: id, columns }) => ({
        id: toRecordingId(id),
        size_bytes: Number(columns["size_bytes"]),
        created_at: Number(columns["created_at"])
      }))
      .sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
  return Layer.succeed(StorageReads)({
    storage: (workspace_id) =>
      Effect.suspend(() => {
        const row = tables.snapshot("Storage", workspace_id)
        return row === undefined
          ? Effect.undefined
          : readRow({ type: "Storage", id: workspace_id, workspace_id }, () => storageState.view(row.state))
      }),
    usage: (workspace_id) =>
      Effect.sync(() => {
        const recordings = stored(workspace_id)
        return {
          used_bytes: recordings.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
          recordings: recordings.length
        }
      }),
    oldest: (workspace_id, limit) => Effect.sync(() => stored(workspace_id).slice(0, limit)),
    prices: () => Effect.succeed(prices)
  })
}
