// What the program sends by OTLP, and how it behaves when the receiver does not answer.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { makeProgram, type Program } from "../support/Program.ts"
import { answering, type Received, receiver } from "../support/Receiver.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until, untilHolds } from "../support/Until.ts"

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}
interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly attributes: ReadonlyArray<Attribute>
}
interface Scoped<Key extends string, Item> {
  readonly resource: { readonly attributes: ReadonlyArray<Attribute> }
  readonly scopeSpans: ReadonlyArray<Record<Key, ReadonlyArray<Item>>>
  readonly scopeMetrics: ReadonlyArray<Record<Key, ReadonlyArray<Item>>>
  readonly scopeLogs: ReadonlyArray<Record<Key, ReadonlyArray<Item>>>
}

const resources = <Key extends string, Item>(
  requests: ReadonlyArray<Received>,
  kind: string,
  member: string
): ReadonlyArray<Scoped<Key, Item>> =>
  requests
    .filter(({ path }) => path === `/otlp/v1/${kind}`)
    .flatMap(({ body }) => (JSON.parse(body) as Record<string, ReadonlyArray<Scoped<Key, Item>>>)[member]!)

const env = (OTLP_URL: string) => ({ OTLP_URL, LOG_LEVEL: "info" })

const originate = (program: Program, voice_callback_url: string) =>
  program.ask("/v1/calls/originate", {
    body: { to: "+254711000000", from: program.demo().number.number, voice_callback_url }
  })

/** Everything that the program keeps secret, and what was secret in the requests. */
const secretsOf = (program: Program) =>
  Effect.promise(async () => {
    const folder = join(program.data_dir, "keys")
    const files = (await readdir(folder, { withFileTypes: true })).filter((file) => file.isFile())
    const keys = await Promise.all(files.map(async ({ name }) => (await readFile(join(folder, name), "utf8")).trim()))
    const { api_key, operator_session, other_workspace, owner_session, read_only_api_key } = program.demo()
    return [...keys, api_key, read_only_api_key, other_workspace.api_key, owner_session, operator_session].flatMap(
      (secret) => secret.split("\n").filter((line) => line.length >= 16 && !line.startsWith("-----"))
    )
  })

it.live(
  "sends traces, metrics and logs to OTLP_URL, and no secret",
  () =>
    Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering(200, "{}", { "content-type": "application/json" }))
      const program = yield* makeProgram({ env: env(`http://engine:tell-me@127.0.0.1:${port}/otlp/`) })
      yield* program.start
      const customer = yield* receiver(answering(500, "body-hush"))
      assert.strictEqual((yield* originate(program, `${customer.url}/path-hush?token=query-hush`)).status, 201)
      yield* customer.received(1)
      yield* program.ask("/v1/ingest/mobilemoney/stk/provider-hush?token=query-hush", { body: {} })
      const page = (yield* program.ask("/metrics")).text
      const secrets = yield* secretsOf(program)
      assert.isAbove(secrets.length, 6)
      yield* program.signal("SIGTERM")
      assert.strictEqual(yield* program.exited, 0)

      const traces = resources<"spans", Span>(requests, "traces", "resourceSpans")
      const metrics = resources<"metrics", { readonly name: string }>(requests, "metrics", "resourceMetrics")
      const logs = resources<"logRecords", object>(requests, "logs", "resourceLogs")
      for (const kind of [traces, metrics, logs]) {
        const attributes = new Map(kind[0]!.resource.attributes.map(({ key, value }) => [key, value.stringValue]))
        assert.strictEqual(attributes.get("service.name"), "trunkline")
        assert.match(attributes.get("service.version")!, /^\d+\.\d+\.\d+/)
      }

      const spans = traces.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      const request = spans.find(({ name }) => name === "POST /v1/calls/originate")!
      assert.deepInclude(request.attributes, { key: "http.response.status_code", value: { intValue: 201 } })
      assert.isTrue(
        spans.some(({ parentSpanId, traceId }) => traceId === request.traceId && parentSpanId !== undefined),
        "what the request asked of the database"
      )
      const names = new Set(
        metrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics.map(({ name }) => name)))
      )
      const shown = [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
      assert.isAbove(shown.length, 3)
      assert.deepStrictEqual(
        shown.filter((name) => !names.has(name)),
        []
      )
      assert.include(JSON.stringify(logs), '"request"')

      const sent = requests.map(({ body }) => body).join("\n")
      for (const secret of [...secrets, "path-hush", "query-hush", "body-hush", "provider-hush", "tell-me", "Bearer"])
        assert.notInclude(sent, secret)
      assert.strictEqual(
        requests[0]!.headers.authorization,
        `Basic ${Buffer.from("engine:tell-me").toString("base64")}`
      )
    }).pipe(Effect.provide(TestDatabase.layer)),
  60_000
)

it.live(
  "serves and stops in time when the receiver does not answer",
  () =>
    Effect.gen(function* () {
      const program = yield* makeProgram({ env: env("http://127.0.0.1:9") })
      yield* program.start
      const notice = "OTLP_URL does not accept telemetry"
      yield* until(`"${notice}" in the output`, Effect.sync(program.output), (output) => output.includes(notice))
      assert.strictEqual((yield* originate(program, "http://127.0.0.1:9/voice")).status, 201)
      assert.strictEqual((yield* program.ask("/readyz")).status, 200)
      yield* program.signal("SIGTERM")
      assert.strictEqual(yield* program.exited, 0)
      assert.strictEqual(program.output().split(notice).length, 2, "once, not for each export")
    }).pipe(Effect.provide(TestDatabase.layer)),
  60_000
)

/** The spans of a trace as indented lines, children below their parents in the order in which they began. */
const treeOf = (spans: ReadonlyArray<Span>): ReadonlyArray<string> => {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const below = (parent: string | undefined, depth: number): ReadonlyArray<string> =>
    spans
      .filter(({ parentSpanId = "" }) => (ids.has(parentSpanId) ? parentSpanId === parent : parent === undefined))
      .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
      .flatMap((span) => [`${"  ".repeat(depth)}${span.name}`, ...below(span.spanId, depth + 1)])
  return below(undefined, 0)
}

it.live(
  "traces one call from its request to its webhooks",
  () =>
    Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering(200, "{}", { "content-type": "application/json" }))
      const program = yield* makeProgram({ env: env(`http://127.0.0.1:${port}`) })
      yield* program.start
      const actions = JSON.stringify({ actions: [{ hangup: {} }] })
      const customer = yield* receiver(answering(200, actions, { "content-type": "application/json" }))
      const placed = yield* program.ask("/v1/calls/originate", {
        body: {
          to: "+254711000000",
          from: program.demo().number.number,
          voice_callback_url: `${customer.url}/voice`,
          events_url: `${customer.url}/events`
        }
      })
      assert.strictEqual(placed.status, 201)
      yield* untilHolds("webhook about the end of the call", () =>
        customer.requests.some(({ body }) => body.includes('"call.completed"'))
      )
      yield* program.signal("SIGTERM")
      assert.strictEqual(yield* program.exited, 0)

      const spans = requests
        .filter(({ path }) => path === "/v1/traces")
        .flatMap(
          ({ body }) => (JSON.parse(body) as { resourceSpans: ReadonlyArray<Scoped<"spans", Span>> }).resourceSpans
        )
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      const request = spans.find(({ name }) => name === "POST /v1/calls/originate")!
      const trace = spans.filter(({ traceId }) => traceId === request.traceId)
      const tree = treeOf(trace)
      if (process.env["SHOW_TRACE"] !== undefined) console.log(tree.join("\n"))
      for (const name of [
        "Call.Originate",
        "Journal.write",
        "Call.SendToPbx",
        "Call.PbxReported",
        "Call.AskCallback",
        "Call.CallbackSucceeded",
        "Wallet.CaptureHold",
        "Subscription.Attempt"
      ])
        assert.include(
          tree.map((line) => line.trim()),
          name
        )
      assert.strictEqual(tree[0], "POST /v1/calls/originate")
    }).pipe(Effect.provide(TestDatabase.layer)),
  60_000
)
