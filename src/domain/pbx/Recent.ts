// Which of the latest ids were seen, and when: between one and two times `capacity` of them. A generation that is full becomes
// the old one and the old one is forgotten, so an id costs one insertion and is never evicted by itself.
import { HashMap, Option } from "effect"

/** Epoch milliseconds, by id. */
type Ids = HashMap.HashMap<string, number>

export interface Recent {
  readonly young: Ids
  readonly old: Ids
}

const none: Ids = HashMap.empty()

export const nothingSeen: Recent = { young: none, old: none }

export const seenAt = (recent: Recent, id: string): number | undefined =>
  Option.getOrUndefined(Option.orElse(HashMap.get(recent.young, id), () => HashMap.get(recent.old, id)))

export const seen = (recent: Recent, id: string): boolean =>
  HashMap.has(recent.young, id) || HashMap.has(recent.old, id)

export const remember = (recent: Recent, ids: ReadonlyArray<string>, at: number, capacity: number): Recent => {
  const young = HashMap.mutate(recent.young, (draft) => {
    for (const id of ids) HashMap.set(draft, id, at)
  })
  return HashMap.size(young) < capacity ? { young, old: recent.old } : { young: none, old: young }
}
