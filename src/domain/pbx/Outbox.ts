// The commands that a gateway has not acknowledged, and which of them wait to be sent. Persistent data structures,
// because each call adds and removes several commands: each costs about a microsecond, however many wait.
import { HashMap, Option } from "effect"
import { type DownCommand, isTenantCommand } from "./TenantCommand.ts"

interface Entry {
  readonly command: DownCommand
  /** Counts up over all commands, so that they are sent again in the order in which they were queued. */
  readonly order: number
  readonly queued_at: number
}

interface List {
  readonly entry: Entry
  readonly rest: List | null
}

export interface Outbox {
  readonly entries: HashMap.HashMap<string, Entry>
  readonly next_order: number
  /** The waiting tenant command by its `about`. */
  readonly about: HashMap.HashMap<string, string>
  /** A FIFO queue: taken from `front`, added to `back`, which is reversed when `front` is empty. */
  readonly front: List | null
  readonly back: List | null
}

export const emptyOutbox: Outbox = {
  entries: HashMap.empty(),
  next_order: 1,
  about: HashMap.empty(),
  front: null,
  back: null
}

export const sizeOf = (outbox: Outbox): number => HashMap.size(outbox.entries)

export const isQueued = (outbox: Outbox, command_id: string): boolean => HashMap.has(outbox.entries, command_id)

export const hasUnsent = ({ back, front }: Outbox): boolean => front !== null || back !== null

/**
 * The id of the waiting command about the same thing, which is out of date now. Even if it was sent, it is not
 * repeated.
 */
export const supersededBy = (outbox: Outbox, command: DownCommand): string | undefined =>
  isTenantCommand(command) ? Option.getOrUndefined(HashMap.get(outbox.about, command.about)) : undefined

const withoutSuperseded = (outbox: Outbox, command: DownCommand): Outbox => {
  if (!isTenantCommand(command)) return outbox
  const superseded = supersededBy(outbox, command)
  const remaining = superseded === undefined ? outbox : settle(outbox, [superseded])
  return { ...remaining, about: HashMap.set(remaining.about, command.about, command.id) }
}

/** Adds a command behind the unsent ones. `at` is in epoch milliseconds. */
export const queue = (before: Outbox, command: DownCommand, at: number): Outbox => {
  const outbox = withoutSuperseded(before, command)
  const entry: Entry = { command, order: outbox.next_order, queued_at: at }
  return {
    entries: HashMap.set(outbox.entries, command.id, entry),
    next_order: outbox.next_order + 1,
    about: outbox.about,
    front: outbox.front,
    back: { entry, rest: outbox.back }
  }
}

const aboutWithout = ({ about, entries }: Outbox, command_ids: ReadonlyArray<string>): Outbox["about"] =>
  HashMap.isEmpty(about)
    ? about
    : command_ids.reduce((remaining, id) => {
        const command = Option.getOrUndefined(HashMap.get(entries, id))?.command
        return command !== undefined && isTenantCommand(command) ? HashMap.remove(remaining, command.about) : remaining
      }, about)

/** Removes commands that were acknowledged, refused or superseded. */
export const settle = (outbox: Outbox, command_ids: ReadonlyArray<string>): Outbox => ({
  ...outbox,
  about: aboutWithout(outbox, command_ids),
  entries: HashMap.mutate(outbox.entries, (draft) => {
    for (const id of command_ids) HashMap.remove(draft, id)
  })
})

const reversed = (list: List | null): List | null => {
  let result: List | null = null
  for (let rest = list; rest !== null; rest = rest.rest) result = { entry: rest.entry, rest: result }
  return result
}

export interface UnsentBatch {
  readonly commands: ReadonlyArray<DownCommand>
  /** The outbox afterwards: the commands are in it, but not unsent any more. */
  readonly outbox: Outbox
}

/** The next commands to send, `max` at most. Commands that were acknowledged while they waited are skipped. */
export const takeUnsent = (outbox: Outbox, max: number): UnsentBatch => {
  const commands: Array<DownCommand> = []
  let { back, front } = outbox
  while (commands.length < max) {
    if (front === null) {
      if (back === null) break
      front = reversed(back)
      back = null
      continue
    }
    if (isQueued(outbox, front.entry.command.id)) commands.push(front.entry.command)
    front = front.rest
  }
  return { commands, outbox: { ...outbox, front, back } }
}

/** Makes the commands with a lower `order` unsent again: the oldest `max` of them, oldest first. */
export const resendBefore = (outbox: Outbox, order: number, max = Number.POSITIVE_INFINITY): Outbox => {
  const entries = HashMap.toValues(outbox.entries)
    .filter((entry) => entry.order < order)
    .sort((a, b) => a.order - b.order)
    .slice(0, max)
  return { ...outbox, front: entries.reduceRight<List | null>((rest, entry) => ({ entry, rest }), null), back: null }
}

/**
 * Drops `originate` commands whose ringing time is over or whose call was hung up meanwhile: a phone must not ring
 * late.
 */
export const withoutStale = (outbox: Outbox, now: number): Outbox => {
  const hungUp = new Set<string>()
  for (const { command } of HashMap.values(outbox.entries)) {
    if (!isTenantCommand(command) && command.action.kind === "hangup") hungUp.add(command.session_id)
  }
  const stale: Array<string> = []
  for (const { command, queued_at } of HashMap.values(outbox.entries)) {
    if (isTenantCommand(command) || command.action.kind !== "originate") continue
    const expired = now >= queued_at + command.action.timeout_seconds * 1000
    if (expired || hungUp.has(command.session_id)) stale.push(command.id)
  }
  return stale.length === 0 ? outbox : settle(outbox, stale)
}
