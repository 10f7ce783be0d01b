// `trunkline trigger`: makes an event happen, so that an application can be tried with it.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { CallRecord, OriginateRequest, WebhookSubscription, WebhookTestRequest } from "../client/Client.ts"
import { nearest } from "../domain/text/Nearest.ts"
import { defaultNumber } from "./CallCommands.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { type Context, withKey } from "./Handler.ts"
import { shortId } from "./Output.ts"

/** A call to the test network that brings the event. `ends`: the command hangs up once it came. */
interface Recipe extends Omit<OriginateRequest, "from" | "actions"> {
  readonly actions: NonNullable<OriginateRequest["actions"]>
  readonly ends?: true
}

const goodbye = [{ say: { text: "Goodbye." } }, { hangup: {} }]
const toPerson = { to: "+99900000001", actions: goodbye }

const recipes: Readonly<Record<string, Recipe>> = {
  "call.ringing": { ...toPerson, ends: true },
  "call.answered": toPerson,
  "call.completed": toPerson,
  "call.busy": { to: "+99900000002", actions: goodbye },
  "call.no_answer": { to: "+99900000003", actions: goodbye, timeout_seconds: 5 },
  "call.failed": { to: "+99900000004", actions: goodbye },
  "call.canceled": { to: "+99900000003", actions: goodbye },
  "call.dtmf": { to: "+99900000010", actions: [{ gather: { num_digits: 1 } }, { hangup: {} }] },
  "call.bridged": { to: "+99900000011", actions: [{ dial: { number: "+99900000001" } }, { hangup: {} }], ends: true }
}

const longest_ms = 60_000

/** The kinds of events that the engine has, from its own description. */
const kindsOf = async ({ baseUrl, signal }: Context): Promise<ReadonlyArray<string>> => {
  const response = await fetch(new URL("/openapi.json", baseUrl), { signal }).catch(() => {
    throw new CommandFailure({
      exit: "unavailable",
      message: `No engine answers at ${baseUrl}.`,
      help: "trunkline start"
    })
  })
  const { webhooks = {} } = (await response.json()) as { readonly webhooks?: Readonly<Record<string, unknown>> }
  return Object.keys(webhooks).sort()
}

const selects = (selector: string, kind: string): boolean =>
  selector === "*" || selector === kind || (selector.endsWith(".*") && kind.startsWith(selector.slice(0, -1)))

const receivers = async ({ client }: Context, kind: string): Promise<ReadonlyArray<WebhookSubscription>> =>
  (await client.webhooks.list().toArray({ max: 1_000 })).filter(
    ({ events, status }) => status === "active" && events.some((selector) => selects(selector, kind))
  )

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const subjects = ["call_id", "id"] as const

const isOf = (payload: object, call: CallRecord): boolean =>
  subjects.some((name) => Reflect.get(payload, name) === call.id)

/** The event of this call. Undefined: it did not come in time. */
const eventOf = async ({ client, signal }: Context, kind: string, call: CallRecord) => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longest_ms)])
  try {
    const query = { kinds: kind, since: call.created_at }
    for await (const event of client.events.stream(query, { signal: limit })) {
      if (event.event_kind === "stream.reset" || event.event_kind !== kind) continue
      if (isOf(event.payload, call)) return event
    }
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error
  }
  return undefined
}

const happen = async (context: Context, kind: string, { ends, ...recipe }: Recipe): Promise<boolean> => {
  const { client, out } = context
  const call = await client.calls.originate({ ...recipe, from: await defaultNumber(client) })
  if (kind === "call.canceled") await client.calls.terminate(call.id)
  const event = await eventOf(context, kind, call)
  if (ends === true || event === undefined) await client.calls.terminate(call.id)
  if (event === undefined) {
    out.note(`✗ ${kind} did not come within ${longest_ms / 1000} s.  trunkline calls show ${shortId(call.id)}`)
    return false
  }
  if (out.json) out.line(JSON.stringify(event))
  else {
    const after = ((Date.parse(event.occurred_at) - Date.parse(call.created_at)) / 1000).toFixed(1)
    const sent = counted((await receivers(context, kind)).length, "webhook")
    out.line(`✓ ${kind} ${shortId(event.id)} of call ${shortId(call.id)} after ${after} s; sent to ${sent}`)
  }
  return true
}

/** Sends the event with `"test": true` to every webhook that wants it. */
const sample = async (context: Context, kind: string): Promise<boolean> => {
  const { client, out } = context
  const sent: Array<boolean> = []
  for (const { id, url } of await receivers(context, kind)) {
    const event_kind = kind as NonNullable<WebhookTestRequest["event_kind"]>
    const result = await client.webhooks.test(id, { event_kind })
    const { delivery_id, duration_ms, error, http_status } = result
    sent.push(http_status !== null && http_status >= 200 && http_status < 300)
    if (out.json) out.line(JSON.stringify({ webhook_id: id, ...result }))
    else
      out.line(
        `${kind}  ${shortId(delivery_id)}  → ${http_status ?? error}  ${String(duration_ms).padStart(3)} ms  ${url}`
      )
  }
  if (sent.length === 0) out.note(`! No active webhook selects ${kind}.  trunkline webhooks`)
  return sent.every((isTaken) => isTaken)
}

export const trigger = Command.make(
  "trigger",
  {
    kind: Argument.String("kind").pipe(
      Argument.withDescription("A kind of event, such as call.busy"),
      Argument.optional
    ),
    sample: Flag.Boolean("sample").pipe(
      Flag.withDescription("Send an event that is marked as a test, and let nothing happen"),
      Flag.withDefault(false)
    ),
    list: Flag.Boolean("list").pipe(Flag.withDescription("List the kinds"), Flag.withDefault(false))
  },
  ({ kind, list, sample: isSample }) =>
    withKey(async (context) => {
      const kinds = await kindsOf(context)
      if (list) return kinds.forEach((each) => context.out.line(each in recipes ? each : `${each}  (--sample)`))
      if (Option.isNone(kind))
        throw new CommandFailure({ exit: "usage", message: "Say which event.", help: "trunkline trigger --list" })
      const { value } = kind
      if (!kinds.includes(value)) {
        const meant = nearest(value, kinds)
        throw new CommandFailure({
          exit: "usage",
          message: `Event ${value} does not exist.${meant === undefined ? "" : ` Did you mean ${meant}?`}`
        })
      }
      const recipe = recipes[value]
      if (isSample) return await sample(context, value)
      if (recipe !== undefined) return await happen(context, value, recipe)
      throw new CommandFailure({
        exit: "usage",
        message: `No call brings ${value} by itself.`,
        help: `trunkline trigger ${value} --sample`
      })
    })
).pipe(
  Command.withDescription("Make an event happen on the test network"),
  Command.withExamples([{ command: "trunkline trigger call.busy", description: "A call to a busy phone" }])
)
