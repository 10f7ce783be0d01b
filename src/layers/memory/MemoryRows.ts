// What reads over the memory journal have in common.
import type { After } from "../../domain/paging/After.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { SnapshotRow } from "../journal/MemoryTables.ts"

/** The stored actors of a kind. */
export const rowsOf = ({ tables }: MemoryJournal, type: string): ReadonlyArray<SnapshotRow> =>
  [...tables.snapshots.values()].filter(({ actor_type }) => actor_type === type)

/** A page of what is sorted by time and id, newest first. */
export const newestPage = <A>(
  all: ReadonlyArray<A>,
  placeOf: (item: A) => After,
  after: After | undefined,
  limit: number
): ReadonlyArray<A> =>
  all
    .map((item) => ({ item, place: placeOf(item) }))
    .filter(({ place: { at, id } }) => after === undefined || at < after.at || (at === after.at && id < after.id))
    .toSorted(({ place: a }, { place: b }) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
    .map(({ item }) => item)
