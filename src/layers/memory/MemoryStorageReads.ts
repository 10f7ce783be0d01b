// Storage reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import { StorageReads } from "../../domain/ports/StorageReads.ts"
import { recordingState } from "../../domain/recordings/StoredRecording.ts"
import { storageState } from "../../domain/storage/StoredStorage.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

/** `prices`: monthly price by size in MB, the same number in every currency. */
export const layer = (
  { tables }: MemoryJournal,
  prices: Readonly<Record<string, number>>
): Layer.Layer<StorageReads> => {
  const stored = (workspace_id: WorkspaceId) =>
    [...tables.snapshots.values()]
      .filter((row) => row.actor_type === "Recording" && row.workspace_id === workspace_id)
      .map(({ state }) => recordingState.view(state))
      .flatMap(({ audio, facts: { started_at }, id, status }) =>
        audio === null || status !== "available" ? [] : [{ id, size_bytes: audio.size_bytes, started_at }]
      )
      .sort((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1))
  return Layer.succeed(StorageReads)({
    storage: (workspace_id) =>
      Effect.sync(() => {
        const row = tables.snapshot("Storage", workspace_id)
        return row && storageState.view(row.state)
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
