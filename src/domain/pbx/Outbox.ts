// The commands that a gateway has not acknowledged. Persistent maps, because several go in and out for each call: a
// command costs a microsecond however many wait.
import { HashMap } from "effect"
import type { PbxCommand } from "./PbxCommand.ts"

interface Entry {
  readonly command: PbxCommand
  /** Counts up over all commands, so that they can be sent in the order in which they were asked. */
  readonly order: number
  readonly queued_at: number
}

/** A list that grows at its head: what is to be sent next, latest first. */
interface Unsent {
  readonly entry: Entry
  readonly rest: Unsent | null
}

export interface Outbox {
  readonly entries: HashMap.HashMap<string, Entry>
  readonly next_order: number
  readonly unsent: Unsent | null
  /** The order and instant of the first unsent command. */
  readonly unsent_from: number
  readonly unsent_since: number
}

export const emptyOutbox: Outbox = {
  entries: HashMap.empty(),
  next_order: 1,
  unsent: null,
  unsent_from: 1,
  unsent_since: 0
}

export const sizeOf = (outbox: Outbox): number => HashMap.size(outbox.entries)

export const isQueued = (outbox: Outbox, command_id: string): boolean => HashMap.has(outbox.entries, command_id)

export const queue = (outbox: Outbox, command: PbxCommand, at: number): Outbox => {
  const entry: Entry = { command, order: outbox.next_order, queued_at: at }
  const first = outbox.unsent === null
  return {
    entries: HashMap.set(outbox.entries, command.id, entry),
    next_order: outbox.next_order + 1,
    unsent: { entry, rest: outbox.unsent },
    unsent_from: first ? entry.order : outbox.unsent_from,
    unsent_since: first ? at : outbox.unsent_since
  }
}

export const settle = (outbox: Outbox, command_ids: ReadonlyArray<string>): Outbox => ({
  ...outbox,
  entries: HashMap.mutate(outbox.entries, (draft) => {
    for (const id of command_ids) HashMap.remove(draft, id)
  })
})

export const allSent = (outbox: Outbox): Outbox => ({ ...outbox, unsent: null })

/** The commands that were never sent, in the order in which they were asked. */
export const unsentOf = (outbox: Outbox): ReadonlyArray<PbxCommand> => {
  const commands: Array<PbxCommand> = []
  for (let list = outbox.unsent; list !== null; list = list.rest) {
    if (isQueued(outbox, list.entry.command.id)) commands.push(list.entry.command)
  }
  return commands.reverse()
}

/** The oldest unacknowledged commands that were asked before `order`, oldest first. */
export const askedBefore = (
  outbox: Outbox,
  order: number,
  limit = Number.POSITIVE_INFINITY
): ReadonlyArray<PbxCommand> =>
  HashMap.toValues(outbox.entries)
    .filter((entry) => entry.order < order)
    .sort((a, b) => a.order - b.order)
    .slice(0, limit)
    .map((entry) => entry.command)

/** A phone that never rang must not ring late: when its time is over, or when the call was hung up meanwhile. */
export const withoutStale = (outbox: Outbox, now: number): Outbox => {
  const hungUp = new Set<string>()
  for (const { command } of HashMap.values(outbox.entries)) {
    if (command.action.kind === "hangup") hungUp.add(command.session_id)
  }
  const stale: Array<string> = []
  for (let list = outbox.unsent; list !== null; list = list.rest) {
    const { command, queued_at } = list.entry
    if (command.action.kind !== "originate") continue
    const expired = now >= queued_at + command.action.timeout_seconds * 1000
    if (expired || hungUp.has(command.session_id)) stale.push(command.id)
  }
  return stale.length === 0 ? outbox : settle(outbox, stale)
}
