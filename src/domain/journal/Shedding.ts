// What the engine refuses while more decisions wait to be stored than it can store.

/** The entries that wait for the journal's next transaction. */
export interface Backlog {
  readonly entries: number
  /** Of the texts in them. */
  readonly characters: number
}

/** What is refused: `reads` are lists and statistics, `calls` are new calls as well. */
export type Shed = "nothing" | "reads" | "calls"

/** What a request is, if it may be refused for lack of capacity. Everything else is always taken. */
export type Sheddable = Exclude<Shed, "nothing">

const mebi = 1024 * 1024

/** From these on. A transaction takes 1,024 entries or 4 Mi characters, and two are in flight. */
const readsFrom: Backlog = { entries: 4_096, characters: 16 * mebi }
const callsFrom: Backlog = { entries: 16_384, characters: 64 * mebi }

const reaches = (backlog: Backlog, limit: Backlog): boolean =>
  backlog.entries >= limit.entries || backlog.characters >= limit.characters

/**
 * The cheapest first: who reads may ask again, and a call that is not begun costs nobody anything. Events of the PBX,
 * settlements, hang-ups and money are never refused: they end work.
 */
export const shedAt = (backlog: Backlog): Shed =>
  reaches(backlog, callsFrom) ? "calls" : reaches(backlog, readsFrom) ? "reads" : "nothing"

/** Whether a request of this kind is refused now. */
export const isShed = (shed: Shed, kind: Sheddable | undefined): boolean =>
  kind !== undefined && (shed === "calls" || shed === kind)
