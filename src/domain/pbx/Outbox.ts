// The commands that a gateway has not acknowledged, and among them those that wait to be sent. Persistent structures,
// because several commands go in and out for each call: each costs about a microsecond, however many wait.
import { HashMap, Option } from "effect"
import { type DownCommand, isTenantCommand } from "./TenantCommand.ts"

interface Entry {
  readonly command: DownCommand
  /** Counts up over all commands, so that they are sent again in the order in which they were asked. */
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
  /** The command that waits about each thing of a tenant. */
  readonly about: HashMap.HashMap<string, string>
  /** First in, first out: taken from `front`, added to `back`, which is turned round when `front` is used up. */
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

/** The command that waits about the same thing. It is out of date now, even where it is on its way: it is not sent again. */
export const olderThan = (outbox: Outbox, command: DownCommand): string | undefined =>
  isTenantCommand(command) ? Option.getOrUndefined(HashMap.get(outbox.about, command.about)) : undefined

const withoutOlder = (outbox: Outbox, command: DownCommand): Outbox => {
  if (!isTenantCommand(command)) return outbox
  const older = olderThan(outbox, command)
  const left = older === undefined ? outbox : settle(outbox, [older])
  return { ...left, about: HashMap.set(left.about, command.about, command.id) }
}

export const queue = (before: Outbox, command: DownCommand, at: number): Outbox => {
  const outbox = withoutOlder(before, command)
  const entry: Entry = { command, order: outbox.next_order, queued_at: at }
  return {
    entries: HashMap.set(outbox.entries, command.id, entry),
    next_order: outbox.next_order + 1,
    about: outbox.about,
    front: outbox.front,
    back: { entry, rest: outbox.back }
  }
}

const settledAbout = ({ about, entries }: Outbox, command_ids: ReadonlyArray<string>): Outbox["about"] =>
  HashMap.isEmpty(about)
    ? about
    : command_ids.reduce((left, id) => {
        const command = Option.getOrUndefined(HashMap.get(entries, id))?.command
        return command !== undefined && isTenantCommand(command) ? HashMap.remove(left, command.about) : left
      }, about)

export const settle = (outbox: Outbox, command_ids: ReadonlyArray<string>): Outbox => ({
  ...outbox,
  about: settledAbout(outbox, command_ids),
  entries: HashMap.mutate(outbox.entries, (draft) => {
    for (const id of command_ids) HashMap.remove(draft, id)
  })
})

const reversed = (list: List | null): List | null => {
  let turned: List | null = null
  for (let rest = list; rest !== null; rest = rest.rest) turned = { entry: rest.entry, rest: turned }
  return turned
}

export interface Taken {
  readonly commands: ReadonlyArray<DownCommand>
  /** The outbox without them among the unsent. */
  readonly left: Outbox
}

/** The next commands to be sent, `max` at most; what was acknowledged while it waited is left out. */
export const takeUnsent = (outbox: Outbox, max: number): Taken => {
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
  return { commands, left: { ...outbox, front, back } }
}

/** The commands asked before `order` wait to be sent again, the oldest `max` of them, in the order in which they came. */
export const sendAgain = (outbox: Outbox, order: number, max = Number.POSITIVE_INFINITY): Outbox => {
  const entries = HashMap.toValues(outbox.entries)
    .filter((entry) => entry.order < order)
    .sort((a, b) => a.order - b.order)
    .slice(0, max)
  return { ...outbox, front: entries.reduceRight<List | null>((rest, entry) => ({ entry, rest }), null), back: null }
}

/** A phone must not ring late: when its time is over, or when the call was hung up meanwhile. */
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
