// What the engine refuses while more decisions wait to be stored than it can store, and to whom first.
import { isSandbox } from "../kit/Sandbox.ts"
import { type Level, rankOf } from "../overload/Pressure.ts"

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

/** What a workspace is refused: `reads` are lists and statistics, `calls` are new calls as well. */
export type Shed = "nothing" | "reads" | "calls"

/** What a request is, if it may be refused for lack of capacity. Everything else is always taken. */
export type Sheddable = Exclude<Shed, "nothing">

const mebi = 1024 * 1024

/** From these on. A transaction takes 1,024 entries or 4 Mi characters, and two are in flight. */
export const readsFrom: Backlog = { entries: 4_096, characters: 16 * mebi }
export const callsFrom: Backlog = { entries: 16_384, characters: 64 * mebi }

/** From these on, sandboxes are refused reads and calls. */
export const sandboxesFrom: Backlog = { entries: 2 * readsFrom.entries, characters: 2 * readsFrom.characters }
/** From these on, everything is refused that may be: see `isFull`. */
export const fullFrom: Backlog = { entries: 4 * callsFrom.entries, characters: 4 * callsFrom.characters }
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
export const shedAt = (backlog: Backlog): Level => {
  if (reaches(backlog, callsFrom)) return "calls"
  if (reaches(backlog, sandboxesFrom)) return "sandboxes"
  return reaches(backlog, readsFrom) ? "reads" : "nothing"
}

/** The level that counts for those who do not cause the backlog. */
const levelOfOthers = (backlog: Backlog): Level => shedAt(times(backlog, 1 / othersLater))

/** What a level means for a workspace. */
export const shedOf = (level: Level, sandbox: boolean): Shed => {
  if (level === "sandboxes") return sandbox ? "calls" : "reads"
  return level
}

/** What is refused to everybody, also to those whose workspace is not known yet. */
export const shedForEverybody = (backlog: Backlog): Shed => shedOf(levelOfOthers(backlog), false)

/** Whether the backlog is so long that only requests that end work are taken: PBX events, hang-ups and payments. */
export const isFull = (backlog: Backlog): boolean => reaches(backlog, fullFrom)

/** Whether at least an equal share of what waits is of this workspace: of its entries, or of their texts. */
const causes = ({ all, of }: Backlogs, workspace_id: string): boolean => {
  const own = of.get(workspace_id)
  return own !== undefined && reaches(times(own, of.size), { ...all, ...(all.characters === 0 && { characters: 1 }) })
}

/**
 * What is refused to a workspace: first to the workspaces that cause the backlog, and to the others when it is longer.
 * A sandbox is refused new calls before any live workspace, whoever causes it. Somebody who divides a load among many
 * workspaces causes the backlog with each of them.
 */
export const shedFor = (backlogs: Backlogs, workspace_id: string): Shed => {
  const { all } = backlogs
  const sandbox = isSandbox(workspace_id)
  const level = shedAt(all)
  const counts = causes(backlogs, workspace_id) || (sandbox && rankOf(level) >= rankOf("sandboxes"))
  return shedOf(counts ? level : levelOfOthers(all), sandbox)
}

/** Whether a request of this kind is refused now. */
export const isShed = (shed: Shed, kind: Sheddable | undefined): boolean =>
  kind !== undefined && (shed === "calls" || shed === kind)
