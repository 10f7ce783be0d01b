// `trunkline call` and `trunkline calls`.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readFileSync } from "node:fs"
import type { CallRecord, OriginateRequest, Trunkline, VoiceActions } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { type Context, withKey } from "./Handler.ts"
import { amount, byShortId, money, shortId, table, timeOf } from "./Output.ts"
import { instantOf } from "./Times.ts"

const greeting = "Hello. This is a call of your telephone engine. Goodbye."

export const defaultNumber = async (client: Trunkline): Promise<string> => {
  const [number] = await client.numbers.list({ status: "active", limit: 1 }).toArray({ max: 1 })
  if (number !== undefined) return number.number
  throw new CommandFailure({
    exit: "refused",
    message: "The workspace has no number.",
    help: "trunkline numbers available"
  })
}

export const textOf = (file: string): string => readFileSync(file === "-" ? 0 : file, "utf8")

const documentOf = (file: string): VoiceActions => {
  try {
    const { actions } = JSON.parse(textOf(file)) as VoiceActions
    return { actions }
  } catch (error) {
    throw new CommandFailure({ exit: "usage", message: `${file} cannot be read: ${(error as Error).message}` })
  }
}

const seconds = (from: string, to: string): string =>
  `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1).padStart(6)} s`

const ended = new Set(["completed", "no_answer", "busy", "failed", "canceled"])

/** Prints a line for each change of the call, until it has ended. */
const follow = async ({ client, out, signal }: Context, call: CallRecord): Promise<void> => {
  for await (const event of client.calls.stream(call.id, { signal })) {
    if (!("status" in event) || !("occurred_at" in event) || out.json) continue
    const status = String(event.status)
    const price =
      call.rate_per_min_minor === null ? "" : `; ${money(call.currency ?? "", call.rate_per_min_minor)} a minute`
    const detail =
      status === "ringing" ? `from ${call.from}${price}` : ended.has(status) ? String(event.hangup_cause ?? "") : ""
    const at = seconds(call.created_at, String(event.occurred_at))
    out.line(`${at}  ${(event.kind === `call.${status}` ? status : event.kind).padEnd(9)}  ${detail}`.trimEnd())
  }
}

const originate = async (context: Context, body: OriginateRequest, detach: boolean, key: string | undefined) => {
  const { client, out } = context
  const call = await client.calls.originate(body, key === undefined ? {} : { idempotencyKey: key })
  if (detach) return void out.line(out.json ? JSON.stringify(call) : call.id)
  try {
    await follow(context, call)
  } catch (error) {
    if (!context.signal.aborted) throw error
    const { status } = await client.calls.terminate(call.id)
    out.note(`\n! Hung up; the call was ${status}.  trunkline calls show ${shortId(call.id)}`)
    throw error
  }
  const last = await client.calls.get(call.id)
  const isCompleted = last.status === "completed"
  if (out.json) out.line(JSON.stringify(last))
  else {
    const { available_minor, currency } = await client.wallet.balance()
    const sums = `${money(currency, last.cost_minor ?? 0)} charged, ${money(currency, available_minor)} left`
    out.line(`${isCompleted ? "✓" : "✗"} ${sums}        trunkline calls show ${shortId(call.id)}`)
  }
  return isCompleted
}

export const call = Command.make(
  "call",
  {
    to: Argument.String("to").pipe(Argument.withDescription("The number to call, in E.164 form")),
    say: Flag.String("say").pipe(Flag.withDescription("What to say"), Flag.optional),
    actions: Flag.String("actions").pipe(Flag.withDescription("A file with voice actions; - is stdin"), Flag.optional),
    callback: Flag.String("callback").pipe(Flag.withDescription("The URL that is asked what to do"), Flag.optional),
    from: Flag.String("from").pipe(Flag.withDescription("Your number; default: the first active one"), Flag.optional),
    timeout: Flag.Int("timeout").pipe(Flag.withDescription("Seconds to ring"), Flag.optional),
    detach: Flag.Boolean("detach").pipe(Flag.withDescription("Print the id and do not wait"), Flag.withDefault(false)),
    key: Flag.String("idempotency-key").pipe(Flag.withDescription("Place the call once for this key"), Flag.optional)
  },
  ({ actions, callback, detach, from, key, say, timeout, to }) =>
    withKey(async (context) => {
      if ([say, actions, callback].filter(Option.isSome).length > 1)
        throw new CommandFailure({
          exit: "usage",
          message: "Give one of --say, --actions and --callback.",
          help: "trunkline call --help"
        })
      const what = Option.isSome(callback)
        ? { voice_callback_url: callback.value }
        : Option.isSome(actions)
          ? documentOf(actions.value)
          : { actions: [{ say: { text: Option.getOrElse(say, () => greeting) } }, { hangup: {} }] }
      const body: OriginateRequest = {
        to,
        from: Option.isSome(from) ? from.value : await defaultNumber(context.client),
        ...what,
        ...(Option.isSome(timeout) && { timeout_seconds: timeout.value })
      }
      return await originate(context, body, detach, Option.getOrUndefined(key))
    })
).pipe(
  Command.withDescription("Place a call and follow it to its end"),
  Command.withExamples([{ command: 'trunkline call +99900000001 --say "Hello"', description: "A call that speaks" }])
)

const row = (record: CallRecord): ReadonlyArray<string> => [
  timeOf(record.created_at),
  shortId(record.id),
  record.direction === "outbound" ? "out" : "in",
  record.from,
  record.to,
  record.status,
  String(record.duration_seconds ?? ""),
  typeof record.cost_minor === "number" ? amount(record.cost_minor) : ""
]

/** A call by its whole id, or by the end of the id among the newest 200. */
const found = async ({ client }: Context, id: string): Promise<string> => {
  if (id.length >= 36 || id.startsWith("HD_")) return id
  const newest = await client.calls.list({ limit: 200 }).toArray({ max: 200 })
  const record = byShortId(newest, id)
  if (record !== undefined) return record.id
  throw new CommandFailure({
    exit: "refused",
    message: `No call, or more than one, ends with ${id}.`,
    help: "trunkline calls"
  })
}

const id = Argument.String("id").pipe(Argument.withDescription("The id of the call, or its last eight digits"))

const show = Command.make("show", { id }, ({ id }) =>
  withKey(async (context) => {
    const { client, out } = context
    const record = await client.calls.get(await found(context, id))
    if (out.json) return out.line(JSON.stringify(record))
    for (const line of table(
      [["STARTED", "ID", "DIR", "FROM", "TO", "STATUS", "SEC", record.currency ?? ""], row(record)],
      [6, 7]
    ))
      out.line(line)
    for (const { kind, occurred_at } of record.events) out.line(`${seconds(record.created_at, occurred_at)}  ${kind}`)
  })
).pipe(Command.withDescription("Show what happened on a call"))

const hangup = Command.make("hangup", { id }, ({ id }) =>
  withKey(async (context) => {
    const { client, out } = context
    const ended = await client.calls.terminate(await found(context, id))
    out.line(out.json ? JSON.stringify(ended) : `✓ ${shortId(ended.id)} ${ended.termination}`)
  })
).pipe(Command.withDescription("End a call"))

const statuses = ["ringing", "answered", "completed", "no_answer", "busy", "failed", "canceled"] as const

const followed = [...ended].map((status) => `call.${status}`).join(",")

type Wanted = Partial<Pick<CallRecord, "status" | "direction" | "from" | "to">>

/** Prints each call that ends after `since`. */
const followEnds = async ({ client, out, signal }: Context, since: string, wanted: Wanted): Promise<void> => {
  const { direction, from, status, to } = wanted
  for await (const { event_kind, payload } of client.events.stream({ kinds: followed, since }, { signal })) {
    if (event_kind === "stream.reset") continue
    const record = await client.calls.get(String(Reflect.get(payload, "id")))
    const isWanted = Object.entries({ direction, from, status, to }).every(
      ([name, value]) => value === undefined || Reflect.get(record, name) === value
    )
    if (!isWanted) continue
    out.line(out.json ? JSON.stringify(record) : row(record).join("  "))
  }
}

export const calls = Command.make(
  "calls",
  {
    status: Flag.Literals("status", statuses).pipe(Flag.optional),
    direction: Flag.Literals("direction", ["outbound", "inbound"]).pipe(Flag.optional),
    from: Flag.String("from").pipe(Flag.optional),
    to: Flag.String("to").pipe(Flag.optional),
    since: Flag.String("since").pipe(Flag.withDescription("10m, 2h, or an instant"), Flag.optional),
    limit: Flag.Int("limit").pipe(Flag.withDescription("How many, newest first"), Flag.withDefault(20)),
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Then print each call as it ends, until Ctrl-C"),
      Flag.withDefault(false)
    )
  },
  ({ direction, follow, from, limit, since, status, to }) =>
    withKey(async (context) => {
      const { client, out, signal } = context
      const began = new Date().toISOString()
      const query = {
        ...(Option.isSome(status) && { status: status.value }),
        ...(Option.isSome(direction) && { direction: direction.value }),
        ...(Option.isSome(from) && { from: from.value }),
        ...(Option.isSome(to) && { to: to.value }),
        ...(Option.isSome(since) && { created_after: instantOf(since.value, Date.now()) })
      }
      const records = await client.calls
        .list({ ...query, limit: Math.min(limit, 200) }, { signal })
        .toArray({ max: limit })
      if (out.json) for (const record of records) out.line(JSON.stringify(record))
      else if (records.length > 0 || follow) {
        const head = ["STARTED", "ID", "DIR", "FROM", "TO", "STATUS", "SEC", records[0]?.currency ?? ""]
        for (const line of table([head, ...records.map(row)], [6, 7])) out.line(line)
      } else out.note("No calls.  trunkline call +99900000001")
      if (follow) await followEnds(context, began, query)
    })
).pipe(Command.withDescription("List calls"), Command.withSubcommands([show, hangup]))
