// What the engine refuses while more decisions wait to be stored than it can store, and to whom first.
import { isSandbox } from "../kit/Sandbox.ts"

/** The entries that wait for the journal's next transaction. */
export interface Backlog {
  readonly entries: number
  /** The characters of the texts in the entries. */
  readonly characters: number
}

/** What waits altogether, and of each workspace. Entries that are of no workspace are in `all` alone. */
export interface Backlogs {
  readonly all: Backlog
  readonly of: ReadonlyMap<string, Backlog>
}

/** What is refused: `reads` are lists and statistics, `calls` are new calls as well. */
export type Shed = "nothing" | "reads" | "calls"

/** What a request is, if it may be refused for lack of capacity. Everything else is always taken. */
export type Sheddable = Exclude<Shed, "nothing">

const mebi = 1024 * 1024

/** From these on. A transaction takes 1,024 entries or 4 Mi characters, and two are in flight. */
export const readsFrom: Backlog = { entries: 4_096, characters: 16 * mebi }
export const callsFrom: Backlog = { entries: 16_384, characters: 64 * mebi }

/** From these on, sandboxes are refused reads and calls. */
export const sandboxesFrom: Backlog = { entries: readsFrom.entries / 2, characters: readsFrom.characters / 2 }
/** Workspaces that do not cause the backlog are served until it is so many times as long. */
const othersLater = 2

const reaches = (backlog: Backlog, limit: Backlog): boolean =>
  backlog.entries >= limit.entries || backlog.characters >= limit.characters

const times = ({ characters, entries }: Backlog, factor: number): Backlog => ({
  entries: entries * factor,
  characters: characters * factor
})

/**
 * What is refused to those who cause the backlog. The cheapest first: who reads may ask again, and a call that is not
 * begun costs nobody anything. Events of the PBX, settlements, hang-ups and money are never refused: they end work.
 */
export const shedAt = (backlog: Backlog): Shed =>
  reaches(backlog, callsFrom) ? "calls" : reaches(backlog, readsFrom) ? "reads" : "nothing"

/** What is refused to everybody, also to those whose workspace is not known yet. */
export const shedForEverybody = (backlog: Backlog): Shed => shedAt(times(backlog, 1 / othersLater))

/** Whether at least an equal share of what waits is of this workspace: of its entries, or of their texts. */
const causes = ({ all, of }: Backlogs, workspace_id: string): boolean => {
  const own = of.get(workspace_id)
  return own !== undefined && reaches(times(own, of.size), { ...all, ...(all.characters === 0 && { characters: 1 }) })
}

/**
 * What is refused to a workspace: to a sandbox first, then to the workspaces that cause the backlog, and to the others
 * when it is still longer. Somebody who divides a load among many workspaces causes the backlog with each of them.
 */
export const shedFor = (backlogs: Backlogs, workspace_id: string): Shed => {
  const { all } = backlogs
  if (isSandbox(workspace_id) && reaches(all, sandboxesFrom)) return "calls"
  return causes(backlogs, workspace_id) ? shedAt(all) : shedForEverybody(all)
}

/** Whether a request of this kind is refused now. */
export const isShed = (shed: Shed, kind: Sheddable | undefined): boolean =>
  kind !== undefined && (shed === "calls" || shed === kind)
