// `trunkline events` and `trunkline listen`: what happens in the workspace, live.
import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { createHash, createHmac } from "node:crypto"
import type { WorkspaceStreamEvent } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { type Context, withKey } from "./Handler.ts"
import { listenSecret } from "./ListenSecret.ts"
import { money, shortId, timeOf } from "./Output.ts"
import { instantOf } from "./Times.ts"

type Event = Exclude<WorkspaceStreamEvent, { readonly event_kind: "stream.reset" }>

const selection = {
  kinds: Flag.String("kinds").pipe(
    Flag.withDescription("Kinds, wildcards (call.*) and families, with commas"),
    Flag.optional
  ),
  since: Flag.String("since").pipe(Flag.withDescription("Begin 10m or 2h ago, or at an instant"), Flag.optional),
  after: Flag.String("after").pipe(Flag.withDescription("Begin after the event with this id"), Flag.optional)
}

interface Selection {
  readonly kinds: Option.Option<string>
  readonly since: Option.Option<string>
  readonly after: Option.Option<string>
}

/** Hands each event to `tell`. A gap is noted beside the answer. */
const each = async (
  { client, out, signal }: Context,
  { after, kinds, since }: Selection,
  tell: (event: Event) => void | Promise<void>
): Promise<void> => {
  const query = {
    ...(Option.isSome(kinds) && { kinds: kinds.value }),
    ...(Option.isSome(since) && { since: instantOf(since.value, Date.now()) })
  }
  const stream = client.events.stream(query, {
    signal,
    ...(Option.isSome(after) && { after: after.value }),
    onReconnect: ({ attempt }) => {
      if (attempt === 1) out.note("! The connection is lost; it is opened again.")
    }
  })
  for await (const event of stream) {
    if (event.event_kind === "stream.reset")
      out.note(`! Some events are not known any more (${event.reason}).  trunkline calls`)
    else await tell(event)
  }
}

const text = (value: unknown): string => (value === null || value === undefined ? "" : String(value))

/** What a line says of an event beside its kind. */
export const detailOf = ({ event_kind: kind, payload }: Pick<Event, "event_kind" | "payload">): string => {
  const member = (name: string) => text(Reflect.get(payload, name))
  const cost: unknown = Reflect.get(payload, "cost_minor")
  if (kind === "call.dtmf") return `digit ${member("digit")}`
  if (kind === "call.completed")
    return [
      `${member("duration_seconds")} s`,
      typeof cost === "number" ? money(member("currency"), cost) : "",
      member("hangup_cause")
    ]
      .filter((part) => part !== "")
      .join(", ")
  return member("reason") || member("hangup_cause") || member("status")
}

/** The subject of an event: its call, number, top-up … */
const subjectOf = ({ payload }: Event): string =>
  ["call_id", "id", "number_id", "topup_id", "subscription_id", "workspace_id"]
    .map((name) => text(Reflect.get(payload, name)))
    .find((id) => id !== "") ?? ""

export const events = Command.make("events", selection, (selected) =>
  withKey(async (context) => {
    const { out } = context
    await each(context, selected, (event) => {
      if (out.json) return out.line(JSON.stringify(event))
      const milliseconds = event.occurred_at.slice(19, 23)
      out.line(
        `${timeOf(event.occurred_at)}${milliseconds}  ${event.event_kind.padEnd(17)}  ${shortId(subjectOf(event))}  ${detailOf(event)}`.trimEnd()
      )
    })
  })
).pipe(
  Command.withDescription("Follow all that happens, one line each"),
  Command.withExamples([
    { command: 'trunkline events --kinds "call.*,wallet.*" --since 10m', description: "Calls and money" }
  ])
)

/** The same request as the delivery of a webhook. The id of the delivery is the same for the same event. */
export const deliveryOf = (event: Pick<Event, "id" | "event_kind">, secret: string, now: number) => {
  const body = JSON.stringify(event)
  const t = Math.floor(now / 1000)
  const digest = createHash("md5").update(`listen ${event.id}`).digest("hex")
  const delivery = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5")
  return {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "trunkline-webhooks/1",
      "x-service-event": event.event_kind,
      "x-service-idempotency-key": delivery,
      "x-service-signature": `t=${t},v1=${createHmac("sha256", secret).update(`${body}.${t}`).digest("hex")}`
    }
  }
}

const targetOf = (given: string): string => {
  const url = /^https?:\/\//.test(given) ? given : `http://${given}`
  if (URL.canParse(url)) return url
  throw new CommandFailure({
    exit: "usage",
    message: `${given} is no URL.`,
    help: "trunkline listen --forward-to localhost:3000/hooks"
  })
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** Posts an event until the application answers. A refused connection is not an answer: the events wait for it. */
const forward = async ({ out, signal }: Context, event: Event, target: string, secret: string, failFast: boolean) => {
  for (let told = false; ; told = true) {
    const began = performance.now()
    try {
      const { body, headers } = deliveryOf(event, secret, Date.now())
      const response = await fetch(target, {
        method: "POST",
        body,
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)])
      })
      const excerpt = response.ok ? "" : `  ${JSON.stringify((await response.text()).slice(0, 80))}`
      const ms = Math.round(performance.now() - began)
      return { status: response.status, ms, excerpt }
    } catch (error) {
      if (signal.aborted) throw error
      const { host } = new URL(target)
      if (failFast) throw new CommandFailure({ exit: "unavailable", message: `Nothing listens on ${host}.` })
      if (!told) out.note(`✗ Nothing listens on ${host}. Start your application; events wait.`)
      await pause(1_000, signal)
    }
  }
}

export const listen = Command.make(
  "listen",
  {
    ...selection,
    forwardTo: Flag.String("forward-to").pipe(Flag.withDescription("The URL of your application"), Flag.optional),
    printSecret: Flag.Boolean("print-secret").pipe(
      Flag.withDescription("Print the secret that signs, and end"),
      Flag.withDefault(false)
    ),
    failFast: Flag.Boolean("fail-fast").pipe(Flag.withDescription("End if nothing listens"), Flag.withDefault(false))
  },
  ({ failFast, forwardTo, printSecret, ...selected }) =>
    withKey(async (context) => {
      const { client, out } = context
      const secret = listenSecret()
      if (printSecret) return out.line(secret)
      if (Option.isNone(forwardTo))
        throw new CommandFailure({
          exit: "usage",
          message: "Say where to: --forward-to URL.",
          help: "trunkline listen --forward-to localhost:3000/hooks"
        })
      const target = targetOf(forwardTo.value)
      const { workspace_name } = await client.keys.current()
      out.note(`Ready: all events of ${workspace_name} → ${target}`)
      await each(context, selected, async (event) => {
        const { excerpt, ms, status } = await forward(context, event, target, secret, failFast)
        if (out.json) return out.line(JSON.stringify({ id: event.id, event_kind: event.event_kind, status, ms }))
        out.line(
          `${timeOf(event.occurred_at)}  ${event.event_kind.padEnd(15)}  ${shortId(event.id)}  → ${status}  ${String(ms).padStart(3)} ms${excerpt}`
        )
        if (excerpt.includes("signature_mismatch")) out.note("          Same secret? trunkline listen --print-secret")
      })
    })
).pipe(
  Command.withDescription("Send webhooks to an application on this machine"),
  Command.withExamples([
    { command: "trunkline listen --forward-to localhost:3000/hooks", description: "Signed like real ones" }
  ])
)
