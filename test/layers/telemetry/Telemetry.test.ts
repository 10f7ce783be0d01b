import { assert, it } from "@effect/vitest"
import { Cause, Context, Data, Effect, Exit, Fiber, Tracer } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { redacting } from "../../../src/layers/telemetry/RedactingTracer.ts"
import * as BoundedExportClient from "../../../src/layers/telemetry/BoundedExportClient.ts"
import * as Telemetry from "../../../src/layers/telemetry/Telemetry.ts"
import { receiver } from "../../support/Receiver.ts"

/** Keeps every span that it is asked for. */
const recorder = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

it.effect("keeps only the parts of a span without secrets, and the kind of its failure", () =>
  Effect.gen(function* () {
    const { spans, tracer } = recorder()
    const attributes = {
      "http.route": "/v1/calls/:id",
      "http.request.method": "GET",
      "url.full": "http://user:hush@127.0.0.1/cb?token=hush",
      "url.path": "/v1/ingest/mobilemoney/stk/hush",
      "url.query": "token=hush",
      "http.request.header.authorization": "Bearer hush",
      "db.query.text": "x".repeat(10_000)
    }
    const failing = Effect.fail(new Refused({ message: "http://user:hush@127.0.0.1" }))
    const dying = Effect.die(new TypeError("hush"))
    yield* Effect.exit(failing.pipe(Effect.withSpan("GET", { attributes }), Effect.withTracer(redacting(tracer))))
    yield* Effect.exit(dying.pipe(Effect.withSpan("sql"), Effect.withTracer(redacting(tracer))))
    const [request, statement] = spans
    assert(request !== undefined && statement !== undefined)
    assert.strictEqual(request.name, "GET /v1/calls/:id")
    assert.deepStrictEqual([...request.attributes.keys()].toSorted(), [
      "db.query.text",
      "http.request.method",
      "http.route"
    ])
    assert.strictEqual(String(request.attributes.get("db.query.text")).length, 500)
    for (const [span, kind] of [
      [request, "Refused"],
      [statement, "TypeError"]
    ] as const) {
      assert(span.status._tag === "Ended" && Exit.isFailure(span.status.exit))
      const [error] = Cause.prettyErrors(span.status.exit.cause, { includeCauseInStack: true })
      assert(error !== undefined)
      assert.strictEqual(error.name, kind)
      assert.notInclude(`${error.message} ${error.stack} ${Cause.pretty(span.status.exit.cause)}`, "hush")
    }
  })
)

it.effect("traces nothing and sends no trace headers without OTLP_URL", () =>
  Effect.gen(function* () {
    const { spans, tracer } = recorder()
    const traced = Effect.flatMap(Effect.currentSpan, ({ sampled }) => Effect.succeed(sampled)).pipe(
      Effect.withSpan("work"),
      Effect.withTracer(tracer)
    )
    assert.isTrue(yield* traced)
    assert.lengthOf(spans, 1)
    const off = yield* Effect.context<never>().pipe(Effect.provide(Telemetry.layer({ otlp_url: undefined })))
    yield* Effect.exit(traced).pipe(Effect.provideContext(off))
    assert.lengthOf(spans, 1)
    assert.isFalse(Context.get(off, HttpClient.TracerPropagationEnabled))
  })
)

it.effect("waits for a silent receiver with eight exports at most, and for five seconds", () =>
  Effect.gen(function* () {
    const silent = yield* receiver(() => {})
    const client = yield* HttpClient.HttpClient
    const ask = Effect.exit(client.post(silent.url))
    const waiting = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.forkChild(ask))
    yield* silent.received(8)
    const ninth = yield* ask
    assert(Exit.isFailure(ninth) && Cause.hasDies(ninth.cause))
    yield* TestClock.adjust("5 seconds")
    for (const fiber of waiting) {
      const exit = yield* Fiber.join(fiber)
      assert(Exit.isFailure(exit))
      assert.propertyVal(Cause.squash(exit.cause), "_tag", "HttpClientError")
    }
    const tenth = yield* Effect.forkChild(ask)
    yield* silent.received(9)
    yield* Fiber.interrupt(tenth)
  }).pipe(Effect.provide(BoundedExportClient.layer))
)
