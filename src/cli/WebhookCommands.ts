// `trunkline webhooks`, `trunkline trigger` and `trunkline replay`.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { createHmac, randomUUID } from "node:crypto"
import type { WebhookDiagnosis, WebhookReplayRequest as ReplayRequest, WebhookSubscription } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { isLoopback } from "./Connection.ts"
import { type Context, withKey } from "./Handler.ts"
import { byShortId, shortId, table } from "./Output.ts"
import { listenSecret } from "./ListenSecret.ts"
import { instantOf } from "./Times.ts"

const all = async ({ client }: Context): Promise<ReadonlyArray<WebhookSubscription>> =>
  await client.webhooks.list().toArray({ max: 1_000 })

const found = async (context: Context, id: string): Promise<WebhookSubscription> => {
  const webhook = byShortId(await all(context), id)
  if (webhook !== undefined) return webhook
  throw new CommandFailure({
    exit: "refused",
    message: `No webhook, or more than one, ends with ${id}.`,
    help: "trunkline webhooks"
  })
}

type Probe = WebhookDiagnosis["probes"][number]
type Diagnosis = Pick<WebhookDiagnosis, "url" | "clock_skew_ms" | "probes">

interface Check {
  readonly check: string
  /** Null: there was nothing to check. */
  readonly ok: boolean | null
  readonly text: string
}

const faults: Readonly<Record<string, string>> = {
  address_refused: "is an address that the engine may not call",
  dns_failed: "has no address",
  connect_failed: "refuses the connection",
  connect_timeout: "does not answer",
  connection_lost: "closes the connection",
  tls_failed: "has no valid certificate",
  timeout: "does not answer within 5 s"
}

const status = ({ error, http_status }: Probe): string => (http_status === null ? String(error) : String(http_status))

const texts: Readonly<Record<string, (probe: Probe, first: Probe) => string>> = {
  odd_bytes: (probe) => (probe.passed ? "blanks and é verified" : `blanks and é got ${status(probe)}`),
  repeated: (probe, first) => `${status(first)} and ${status(probe)}`,
  altered: (probe) =>
    probe.passed ? "an altered body is refused" : `an altered body got ${status(probe)}: the signature is not checked`,
  old: (probe) => (probe.passed ? "10 min old: refused" : `10 min old: ${status(probe)}, the time is not checked`)
}

const names: Readonly<Record<string, string>> = { odd_bytes: "raw bytes" }

/** What was found, in the order in which it is printed. */
const checksOf = ({ clock_skew_ms: skew_ms, probes, url }: Diagnosis): ReadonlyArray<Check> => {
  const { host, protocol } = new URL(url)
  const [first, ...others] = probes
  if (first === undefined) return []
  const isReached = first.http_status !== null || first.error === "timeout"
  const tls = first.error === "tls_failed"
  const reachable = {
    check: "reachable",
    ok: isReached || tls,
    text: isReached || tls ? host : `${host} ${faults[first.error ?? ""] ?? first.error}`
  }
  const secure: Check =
    protocol === "http:"
      ? { check: "TLS", ok: null, text: "http" }
      : {
          check: "TLS",
          ok: isReached ? true : tls ? false : null,
          text: tls ? `${host} ${faults["tls_failed"]}` : "valid"
        }
  if (!isReached) return [reachable, secure]
  const answers = {
    check: "answers",
    ok: first.passed,
    text:
      first.http_status === null
        ? `${host} ${faults["timeout"]}`
        : `${first.http_status} in ${first.duration_ms} ms; 15 s allowed`
  }
  const clock: Check =
    skew_ms === null
      ? { check: "clock", ok: null, text: "no header Date" }
      : { check: "clock", ok: Math.abs(skew_ms) <= 300_000, text: `${(skew_ms / 1000).toFixed(1)} s from ours` }
  return [
    reachable,
    secure,
    answers,
    clock,
    ...others.map((probe) => ({
      check: names[probe.probe] ?? probe.probe,
      ok: probe.passed,
      text: texts[probe.probe]?.(probe, first) ?? status(probe)
    }))
  ]
}

const signs = { true: "✓", false: "✗", null: "–" }

/** Prints the checks. Returns whether none failed. */
const report = ({ out }: Context, found: Diagnosis): boolean => {
  const checks = checksOf(found)
  const failed = checks.filter(({ ok }) => ok === false).length
  const counted = checks.filter(({ ok }) => ok !== null).length
  if (out.json) out.line(JSON.stringify({ ...found, healthy: failed === 0 }))
  else {
    for (const { check, ok, text } of checks) out.line(`${signs[`${ok}`]} ${check.padEnd(9)}  ${text}`)
    out.line(
      failed === 0
        ? `All ${counted} passed`
        : `${failed} of ${counted} failed; see docs/webhooks.md#verify-the-signature`
    )
  }
  return failed === 0
}

const kind = "webhook.test"

/** What the engine sends, to an application on this machine: signed with the secret of `trunkline listen`. */
const probeLocally = async (url: string, secret: string, signal: AbortSignal): Promise<Diagnosis> => {
  const event = { id: randomUUID(), event_kind: kind, occurred_at: new Date().toISOString(), sequence: 1 }
  const bodyOf = (more: object) => JSON.stringify({ ...event, payload: { kind, test: true, ...more } })
  const repeated = randomUUID()
  let skew_ms: number | null = null
  const send = async (probe: Probe["probe"], expects: Probe["expects"]): Promise<Probe> => {
    const signed = bodyOf(probe === "odd_bytes" ? { note: "  é ✓ \u2028 </script> 1.0 " } : {})
    const body = probe === "altered" ? signed.replace('"test":true', '"test":false') : signed
    const t = Math.floor(Date.now() / 1000) - (probe === "old" ? 600 : 0)
    const headers = {
      "content-type": "application/json",
      "user-agent": "trunkline-webhooks/1",
      "x-service-event": kind,
      "x-service-idempotency-key": probe === "signed" || probe === "repeated" ? repeated : randomUUID(),
      "x-service-signature": `t=${t},v1=${createHmac("sha256", secret).update(`${signed}.${t}`).digest("hex")}`
    }
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(5_000)])
      const response = await fetch(url, { method: "POST", body, headers, signal: limit, redirect: "manual" })
      const date = Date.parse(response.headers.get("date") ?? "")
      if (!Number.isNaN(date)) skew_ms ??= date - Math.floor(Date.now() / 1000) * 1000
      await response.body?.cancel()
      const passed = response.ok === (expects === "accepted")
      return { probe, expects, http_status: response.status, error: null, duration_ms: took(), passed }
    } catch (error) {
      if (signal.aborted) throw error
      const reason = (error as Error).name === "TimeoutError" ? "timeout" : "connect_failed"
      return { probe, expects, http_status: null, error: reason, duration_ms: took(), passed: false }
    }
  }
  const probes: Array<Probe> = []
  for (const [probe, expects] of [
    ["signed", "accepted"],
    ["repeated", "accepted"],
    ["odd_bytes", "accepted"],
    ["altered", "refused"],
    ["old", "refused"]
  ] as const) {
    const answered = await send(probe, expects)
    probes.push(answered)
    if (answered.http_status === null) break
  }
  return { url, clock_skew_ms: skew_ms, probes }
}

const doctor = Command.make(
  "doctor",
  { target: Argument.String("webhook").pipe(Argument.withDescription("Its id, or the URL of an application here")) },
  ({ target }) =>
    withKey(async (context) => {
      if (!/^https?:\/\//.test(target)) {
        const { id } = await found(context, target)
        return report(context, await context.client.webhooks.doctor(id))
      }
      if (!isLoopback(target))
        throw new CommandFailure({
          exit: "usage",
          message: `${target} is not on this machine. The engine examines a webhook by its id.`,
          help: "trunkline webhooks"
        })
      return report(context, await probeLocally(target, listenSecret(), context.signal))
    })
).pipe(
  Command.withDescription("Send good and bad events to a receiver, and say what it does"),
  Command.withExamples([
    { command: "trunkline webhooks doctor http://localhost:3000/hooks", description: "Your application" }
  ])
)

const deliveries = Command.make(
  "deliveries",
  {
    id: Argument.String("webhook").pipe(Argument.withDescription("The id of the webhook, or its last eight digits")),
    limit: Flag.Int("limit").pipe(Flag.withDescription("How many, newest first"), Flag.withDefault(20))
  },
  ({ id, limit }) =>
    withKey(async (context) => {
      const { client, out } = context
      const webhook = await found(context, id)
      const listed = await client.webhooks
        .deliveries(webhook.id, { limit: Math.min(limit, 200) })
        .toArray({ max: limit })
      if (out.json) return listed.forEach((delivery) => out.line(JSON.stringify(delivery)))
      const rows = listed.map((delivery) => [
        delivery.created_at.slice(0, 19).replace("T", " "),
        shortId(delivery.id),
        delivery.event_kind,
        delivery.status,
        String(delivery.attempts)
      ])
      for (const line of table([["TIME (UTC)", "ID", "EVENT", "STATUS", "ATTEMPTS"], ...rows], [4])) out.line(line)
    })
).pipe(Command.withDescription("List what was sent to a webhook"))

export const webhooks = Command.make("webhooks", {}, () =>
  withKey(async (context) => {
    const { out } = context
    const listed = await all(context)
    if (out.json) return listed.forEach((webhook) => out.line(JSON.stringify(webhook)))
    if (listed.length === 0) return out.note("No webhooks.")
    const rows = listed.map(({ disabled_reason, events, id, status, url }) => [
      shortId(id),
      disabled_reason === null ? status : `${status} (${disabled_reason})`,
      events.join(","),
      url
    ])
    for (const line of table([["ID", "STATUS", "EVENTS", "URL"], ...rows])) out.line(line)
  })
).pipe(Command.withDescription("List webhooks"), Command.withSubcommands([deliveries, doctor]))

const longest_ms = 31 * 86_400_000

const periodOf = (from: string, to: Option.Option<string>): { readonly from: string; readonly to: string } => {
  const now = Date.now()
  const period = {
    from: instantOf(from, now),
    to: Option.isSome(to) ? instantOf(to.value, now) : new Date(now).toISOString()
  }
  const span_ms = Date.parse(period.to) - Date.parse(period.from)
  if (span_ms > longest_ms)
    throw new CommandFailure({
      exit: "usage",
      message: `--from and --to are ${Math.floor(span_ms / 86_400_000)} days apart; 31 is the maximum.`
    })
  if (span_ms <= 0) throw new CommandFailure({ exit: "usage", message: "--to must be after --from." })
  return period
}

/** What a replay would send. */
const preview = async (context: Context, id: string, request: ReplayRequest): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  const { event_kinds = [], from, only, to } = request
  const listed = context.client.webhooks.deliveries(id, { from, to, limit: 200 }, { signal: context.signal })
  for await (const { event_kind, status } of listed) {
    const isTaken = status === "dead_letter" || (only === "all" && status === "succeeded")
    if (isTaken && (event_kinds.length === 0 || (event_kinds as ReadonlyArray<string>).includes(event_kind)))
      counts.set(event_kind, (counts.get(event_kind) ?? 0) + 1)
  }
  return counts
}

const clock = (instant: string): string => new Date(instant).toTimeString().slice(0, 5)

export const replay = Command.make(
  "replay",
  {
    webhook: Flag.String("webhook").pipe(Flag.withDescription("The id of the webhook, or its last eight digits")),
    from: Flag.String("from").pipe(Flag.withDescription("2h, or an instant")),
    to: Flag.String("to").pipe(Flag.withDescription("Default: now"), Flag.optional),
    only: Flag.Literals("only", ["dead-letter", "all"]).pipe(
      Flag.withDescription("What failed for good, or what succeeded too"),
      Flag.withDefault("dead-letter" as const)
    ),
    kinds: Flag.String("kinds").pipe(Flag.withDescription("Kinds of events, with commas"), Flag.optional),
    dryRun: Flag.Boolean("dry-run").pipe(Flag.withDescription("Say what would be sent"), Flag.withDefault(false))
  },
  ({ dryRun, from, kinds, only, to, webhook }) =>
    withKey(async (context) => {
      const { out } = context
      const { disabled_reason, id, status } = await found(context, webhook)
      const request: ReplayRequest = {
        ...periodOf(from, to),
        only: only === "all" ? "all" : "dead_letter",
        ...(Option.isSome(kinds) && {
          event_kinds: kinds.value.split(",").map((each) => each.trim()) as ReadonlyArray<string> as NonNullable<
            ReplayRequest["event_kinds"]
          >
        })
      }
      const period = `from ${clock(request.from)} to ${clock(request.to)}`
      if (dryRun) {
        const counts = [...(await preview(context, id, request))].sort(([, a], [, b]) => b - a)
        const sum = counts.reduce((total, [, count]) => total + count, 0)
        if (out.json) return out.line(JSON.stringify({ deliveries: sum, kinds: Object.fromEntries(counts) }))
        const each = counts.map(([name, count]) => `${name} ${count}`).join(", ")
        const what = only === "all" ? "ended" : "given up"
        return out.line(`${sum} ${what} ${period}${each === "" ? "" : `: ${each}`}`)
      }
      if (status === "disabled")
        throw new CommandFailure({
          exit: "refused",
          message: `Webhook ${shortId(id)} is disabled (${disabled_reason ?? "by hand"}).`,
          help: `trunkline webhooks doctor ${shortId(id)}`
        })
      const replayed = await context.client.webhooks.replay(id, request)
      if (out.json) return out.line(JSON.stringify(replayed))
      const more =
        replayed.next_from === null
          ? ""
          : `  More: trunkline replay --webhook ${shortId(id)} --from ${replayed.next_from}`
      out.line(`✓ ${replayed.queued} deliveries ${period} are sent again${more}`)
    })
).pipe(Command.withDescription("Send past events to a webhook again"))
