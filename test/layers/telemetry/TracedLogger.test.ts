import { assert, it } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { redacting } from "../../../src/layers/telemetry/RedactingLogger.ts"
import { traced } from "../../../src/layers/telemetry/TracedLogger.ts"

/** The annotations of a line of JSON, as a production start writes it. */
const annotationsOf = (log: Effect.Effect<void>) => {
  const lines: Array<string> = []
  const kept = Logger.map(Logger.formatJson, (text) => void lines.push(text))
  return Effect.map(
    Effect.provide(log, Logger.layer([redacting(traced(kept))])),
    () => JSON.parse(lines[0]!).annotations
  )
}

it.effect("names the trace and the span beside the annotations of a line", () =>
  Effect.gen(function* () {
    const line = Effect.annotateLogs(Effect.logInfo("x"), { call_id: "c1" })
    const ids = Effect.map(Effect.currentSpan, ({ spanId, traceId }) => ({ trace_id: traceId, span_id: spanId }))
    const [annotations, own] = yield* Effect.withSpan(Effect.all([annotationsOf(line), ids]), "work")
    assert.deepStrictEqual(annotations, { call_id: "c1", ...own })
    assert.match(own.trace_id, /^[0-9a-f]{32}$/)
  })
)

it.effect("adds nothing where no trace is recorded", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* annotationsOf(Effect.logInfo("x")), {})
    const disabled = Effect.withSpan(annotationsOf(Effect.logInfo("x")), "work")
    assert.deepStrictEqual(yield* Effect.provideService(disabled, References.TracerEnabled, false), {})
  })
)
