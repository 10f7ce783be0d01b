import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import { redacting } from "../../../src/layers/telemetry/RedactingLogger.ts"

/** What a driver's error carries beside its message. */
const failure = () =>
  Object.assign(new Error("duplicate key"), { detail: "Key (email)=(me@example.com) exists.", params: ["s3cret"] })

const linesOf = (line: Effect.Effect<void>) => {
  const lines: Array<string> = []
  const kept = Logger.map(Logger.formatJson, (text) => void lines.push(text))
  return Effect.as(Effect.provide(line, Logger.layer([redacting(kept)])), lines)
}

describe("the log of a failure", () => {
  it.effect.each([
    ["the error itself", () => Effect.logWarning("It was refused", failure())],
    ["the error alone", () => Effect.logWarning(failure())],
    ["its cause", () => Effect.logError("It was refused", Cause.fail(failure()))],
    ["an annotation", () => Effect.annotateLogs(Effect.logWarning("It was refused"), { cause: failure() })],
    ["what an annotation holds", () => Effect.annotateLogs(Effect.logWarning("x"), { a: { b: [failure()] } })],
    ["a member", () => Effect.logWarning("It was refused", { cause: failure() })],
    ["what it was caused by", () => Effect.logError("It was refused", new Error("Not stored", { cause: failure() }))]
  ] as const)("is its text without its values: %s", ([, log]) =>
    Effect.gen(function* () {
      const [line] = yield* linesOf(log())
      assert.include(line, "duplicate key")
      assert.notInclude(line, "me@example.com")
      assert.notInclude(line, "s3cret")
    })
  )

  it.effect("leaves everything else unchanged", () =>
    Effect.gen(function* () {
      const [line] = yield* linesOf(Effect.logInfo("Ready", { port: 8080 }))
      assert.deepInclude(JSON.parse(line!), { message: ["Ready", { port: 8080 }], level: "INFO" })
    })
  )
})
