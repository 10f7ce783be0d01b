// `trunkline calls`: lists, shows and ends calls.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { CallRecord } from "../../client/Client.ts"
import { billLines, endedStatuses } from "./CallBill.ts"
import { callbackFault, timelineOf } from "./CallLines.ts"
import { timelineLines } from "./CallTimeline.ts"
import { CommandFailure } from "../CommandFailure.ts"
import { type Context, withKey } from "../Handler.ts"
import { amount, byShortId, shortId, table, timeOf } from "../Output.ts"
import { instantOf } from "../Times.ts"

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
    const entries = await timelineOf(client, record.id)
    const charge = await client.calls.charge(record.id)
    if (out.json) return out.line(JSON.stringify({ ...record, timeline: entries, charge }))
    for (const line of table(
      [["STARTED", "ID", "DIR", "FROM", "TO", "STATUS", "SEC", record.currency ?? ""], row(record)],
      [6, 7]
    ))
      out.line(line)
    for (const line of timelineLines(record, entries)) out.line(line)
    for (const line of billLines(record, charge)) out.line(line)
    const fault = callbackFault(record, entries)
    if (fault !== undefined) out.line(`✗ ${fault}`)
  })
).pipe(Command.withDescription("Show what happened on a call, and its bill"))

const hangup = Command.make("hangup", { id }, ({ id }) =>
  withKey(async (context) => {
    const { client, out } = context
    const ended = await client.calls.terminate(await found(context, id))
    out.line(out.json ? JSON.stringify(ended) : `✓ ${shortId(ended.id)} ${ended.termination}`)
  })
).pipe(Command.withDescription("End a call"))

const statuses = ["ringing", "answered", "completed", "no_answer", "busy", "failed", "canceled"] as const

const followed = [...endedStatuses].map((status) => `call.${status}`).join(",")

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
