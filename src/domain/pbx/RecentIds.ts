// The most recent ids and when each was seen: between one and two times `capacity` of them. A full generation becomes
// the old one and the previous old one is dropped, so an id costs one insertion and is never evicted by itself.
import { HashMap, Option } from "effect"

/** Epoch milliseconds by id. */
type Generation = HashMap.HashMap<string, number>

export interface RecentIds {
  readonly young: Generation
  readonly old: Generation
}

const empty: Generation = HashMap.empty()

export const noRecentIds: RecentIds = { young: empty, old: empty }

export const seenAt = (recent: RecentIds, id: string): number | undefined =>
  Option.getOrUndefined(Option.orElse(HashMap.get(recent.young, id), () => HashMap.get(recent.old, id)))

export const seen = (recent: RecentIds, id: string): boolean =>
  HashMap.has(recent.young, id) || HashMap.has(recent.old, id)

export const remember = (recent: RecentIds, ids: ReadonlyArray<string>, at: number, capacity: number): RecentIds => {
  const young = HashMap.mutate(recent.young, (draft) => {
    for (const id of ids) HashMap.set(draft, id, at)
  })
  return HashMap.size(young) < capacity ? { young, old: recent.old } : { young: empty, old: young }
}
