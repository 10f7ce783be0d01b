import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { AccessLog } from "../../../src/http/server/AccessLog.ts"

const line = (at: number, status = 200, duration_ms = 1) => ({
  request_id: "r",
  method: "GET",
  url: "/v1/calls?from=%2B254700000001",
  status,
  duration_ms,
  at
})

it.effect("logs a sample of ordinary requests, a limited number of failed and slow ones, and no query", () => {
  const lines: Array<Record<string, unknown>> = []
  const capture = Logger.layer([
    Logger.make(({ fiber, message }) => {
      lines.push({ message, ...fiber.getRef(References.CurrentLogAnnotations) })
    })
  ])
  return Effect.gen(function* () {
    const log = yield* AccessLog
    for (let n = 0; n < 10; n++) yield* log.record(line(n))
    assert.lengthOf(lines, 1)
    yield* log.record(line(10, 500))
    yield* log.record(line(11, 200, 1000))
    assert.lengthOf(lines, 3)
    for (let n = 0; n < 1000; n++) yield* log.record(line(12, 503))
    assert.lengthOf(lines, 51)
    yield* log.record(line(1000))
    assert.lengthOf(lines, 52)
    assert.notInclude(JSON.stringify(lines), "254700000001")
  }).pipe(Effect.provide(Layer.merge(AccessLog.sampled(1000), capture)))
})
