// Places a call and follows it to its end, a line for each change.
import type { CallRecord, CallStreamEvent, OriginateRequest } from "../../client/Client.ts"
import { endedStatuses, lengthOf, priceOf } from "./CallBill.ts"
import { actionText, callbackFault, type Detail, timelineOf } from "./CallLines.ts"
import { secondsOf } from "./CallTimeline.ts"
import type { Context } from "../Handler.ts"
import { amount, money, shortId } from "../Output.ts"

/** What is set aside for the call, if the key may see it. */
const setAside = async ({ client }: Context, { id }: CallRecord): Promise<string> => {
  try {
    const held = (await client.calls.charge(id)).holds.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
    return held === 0 ? "" : `, ${amount(held)} set aside`
  } catch {
    return ""
  }
}

/** What is done first when somebody answers. */
const firstStep = ({ actions = [], voice_callback_url }: OriginateRequest): string => {
  if (voice_callback_url !== undefined && voice_callback_url !== null) return `asks ${voice_callback_url}`
  const [verb = "", action = {}] = Object.entries(actions[0] ?? {})[0] ?? []
  if (verb === "dial") return `dial ${String(Reflect.get(action, "number") ?? "")}`.trimEnd()
  return `${verb} ${actionText(verb, action as Detail, {}, [])}`.trim()
}

type Ended = Partial<Pick<CallRecord, "billed_seconds" | "duration_seconds" | "hangup_cause" | "status">>

const endOf = ({ billed_seconds, duration_seconds, hangup_cause, status }: Ended): string => {
  const cause = hangup_cause === undefined || hangup_cause === "normal_clearing" ? "" : hangup_cause
  const length = status === "completed" ? lengthOf(duration_seconds ?? 0, billed_seconds ?? 0) : ""
  return [length, cause ?? ""].filter((part) => part !== "").join(", ")
}

/** What a line says of an event: its name and details. Undefined: it changes nothing that is worth a line. */
const told = async (
  context: Context,
  call: CallRecord,
  body: OriginateRequest,
  event: CallStreamEvent
): Promise<readonly [string, string] | undefined> => {
  const kind = event.kind.replace(/^call\./, "")
  if (endedStatuses.has(kind)) return [kind, endOf(event as Ended)]
  if (kind === "ringing") return [kind, `from ${call.from}; ${priceOf(call)}${await setAside(context, call)}`]
  if (kind === "answered") return [kind, firstStep(body)]
  if (event.kind === "call.dtmf") return ["key", event.digit]
  // How a call rings, and a failed callback, which is told with its URL at the end.
  if (kind === "progress" || kind === "callback_failed") return undefined
  if (event.kind === "call.machine_detected") return ["machine", `answered by a ${event.answered_by ?? "phone"}`]
  return [kind.replaceAll("_", " "), ""]
}

const follow = async (context: Context, call: CallRecord, body: OriginateRequest): Promise<void> => {
  const { client, out, signal } = context
  for await (const event of client.calls.stream(call.id, { signal })) {
    if (!("status" in event) || !("occurred_at" in event) || out.json) continue
    const line = await told(context, call, body, event)
    if (line === undefined) continue
    out.line(`${secondsOf(call.created_at, String(event.occurred_at))}  ${line[0].padEnd(9)}  ${line[1]}`.trimEnd())
  }
}

/** How long the bill of a call that was hung up may take. */
const billing_ms = 5_000

/** Ends a call that Ctrl-C leaves, and says what it cost. */
const leave = async ({ client, out }: Context, { id }: CallRecord): Promise<void> => {
  const { status } = await client.calls.terminate(id)
  const until = Date.now() + billing_ms
  let last = await client.calls.get(id)
  for (; !endedStatuses.has(last.status) && Date.now() < until; last = await client.calls.get(id))
    await new Promise((resolve) => setTimeout(resolve, 100))
  const cost =
    last.cost_minor === undefined ? "its cost is not known yet" : `${money(last.currency, last.cost_minor)} charged`
  out.note(`\n! Hung up; the call was ${status}, ${cost}.  trunkline calls show ${shortId(id)}`)
}

/** Returns whether the call ended as `completed`, and no callback failed. */
export const placeCall = async (
  context: Context,
  body: OriginateRequest,
  detach: boolean,
  key: string | undefined
): Promise<boolean | void> => {
  const { client, out } = context
  const call = await client.calls.originate(body, key === undefined ? {} : { idempotencyKey: key })
  if (detach) return out.line(out.json ? JSON.stringify(call) : call.id)
  try {
    await follow(context, call, body)
  } catch (error) {
    if (context.signal.aborted) await leave(context, call)
    throw error
  }
  const last = await client.calls.get(call.id)
  const fault = callbackFault(last, last.hangup_cause === null ? [] : await timelineOf(client, call.id))
  const isFine = last.status === "completed" && fault === undefined
  if (out.json) out.line(JSON.stringify(last))
  else {
    const { available_minor, currency } = await client.wallet.balance()
    if (fault !== undefined) out.line(`✗ ${fault}`)
    const sums = `${money(currency, last.cost_minor ?? 0)} charged, ${money(currency, available_minor)} left`
    out.line(`${isFine ? "✓" : "✗"} ${sums}        trunkline calls show ${shortId(call.id)}`)
  }
  return isFine
}
