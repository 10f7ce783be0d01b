// What the log tells of events, callbacks and webhooks, in development and in production.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { toCallId } from "../../../src/domain/BrandedIds.ts"
import type { CallbackRequest } from "../../../src/domain/calls/state/CallbackAttempt.ts"
import type { EventRow } from "../../../src/domain/journal/Rows.ts"
import { VoiceCallback } from "../../../src/domain/ports/calls/VoiceCallback.ts"
import { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import { WebhookSender } from "../../../src/domain/ports/webhooks/WebhookSender.ts"
import type { Outcome, WebhookRequest } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as ActivityLog from "../../../src/layers/telemetry/ActivityLog.ts"
import { workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("0199a000-0000-7000-8000-000000000001")
const secret_url = "https://user:pass@app.test/voice/T0k3n?token=hunter2"

type Line = readonly [level: string, text: unknown, annotations: Readonly<Record<string, unknown>>]

/** Runs what `use` does with the log of that environment, and returns its lines. */
const linesOf = <E, R>(use: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const lines: Array<Line> = []
    const capture = Logger.make(({ fiber, logLevel, message }) => {
      const [text] = message as ReadonlyArray<unknown>
      lines.push([logLevel, text, fiber.getRef(References.CurrentLogAnnotations)])
    })
    yield* Effect.provide(use, Logger.layer([capture]))
    // Lines are written by fibers of their own.
    yield* Effect.yieldNow
    return lines
  })

const event = (kind: string, payload: object, subject_id = "01981d5e-0000-7000-8000-00001234abcd"): EventRow => ({
  id: kind,
  workspace_id,
  subject_id,
  sequence: 1,
  kind,
  occurred_at: 0,
  late: false,
  payload: JSON.stringify(payload),
  number_id: null,
  fan_out: true
})

/** Commits the events one after the other; the first commit fails. */
const stored = (environment: ActivityLog.Environment, ...events: ReadonlyArray<EventRow>) =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    memory.failNext("stale")
    const log = ActivityLog.journal(environment).pipe(Layer.provide(Layer.succeed(Journal)(memory.open())))
    const commit = Effect.gen(function* () {
      const journal = yield* Journal
      let version = 0
      for (const each of events) {
        const snapshot = { version: Math.max(1, version), state: "", columns: {} }
        const entry = { actor_type: "Call", actor_id: "one", workspace_id, snapshot, events: [each] } as const
        yield* Effect.callback<boolean>((resume) => journal.append(entry, ({ ok }) => resume(Effect.succeed(ok))))
        version++
      }
    })
    return yield* linesOf(Effect.provide(commit, log))
  })

const callback = { url: secret_url, workspace_id, call_id: toCallId("01981d5e-0000-7000-8000-00001234abcd") }
const question = { ...callback, body: JSON.stringify({ reason: "answered" }) } as CallbackRequest
const attempt = { url: secret_url, at: 0, duration_ms: 12, http_status: 500, error: null, request: "", response: "" }

const webhook = { workspace_id, receiver: "sub-1", event_kind: "call.completed", url: secret_url, proven: true }
const outcome: Outcome = {
  at: 0,
  duration_ms: 7,
  http_status: 503,
  error: null,
  response_excerpt: null,
  retry_after_ms: null
}

/** Asks a callback, which answers 500, and sends a webhook, which is refused. Does both `times` times. */
const sent = (environment: ActivityLog.Environment, request: object = {}, times = 1) => {
  const fakes = Layer.merge(
    Layer.succeed(VoiceCallback)({
      ask: ({ attempted }) =>
        Effect.as(
          Effect.sync(() => attempted?.(attempt)),
          []
        )
    }),
    Layer.succeed(WebhookSender)({ send: () => Effect.succeed(outcome) })
  )
  const use = Effect.gen(function* () {
    const { ask } = yield* VoiceCallback
    const { send } = yield* WebhookSender
    for (let n = 0; n < times; n++) {
      yield* ask({ ...question, ...request })
      yield* send({ ...webhook, ...request } as WebhookRequest)
    }
  })
  return linesOf(Effect.provide(use, ActivityLog.outgoing(environment).pipe(Layer.provide(fakes))))
}

describe("the log in development", () => {
  it.effect("tells stored events in one line each, and none that was not stored", () =>
    Effect.gen(function* () {
      const failure = {
        cause: "callback_failed",
        http_status: 500,
        pointer: null,
        detail: "The callback answered 500."
      }
      const lines = yield* stored(
        "development",
        event("call.ringing", {}),
        event("call.answered", {}),
        event("call.callback_failed", failure)
      )
      assert.deepStrictEqual(lines, [
        ["Info", "call 1234abcd  answered", {}],
        ["Warn", "call 1234abcd  callback_failed  callback_failed, HTTP 500, The callback answered 500.", {}]
      ])
    })
  )

  it.effect("tells each callback and each webhook, by its host: the path may be a secret", () =>
    Effect.gen(function* () {
      const lines = yield* sent("development")
      assert.sameDeepMembers(lines, [
        ["Warn", "call 1234abcd  callback  answered → 500, 12 ms  app.test", {}],
        ["Warn", "webhook  call.completed → 503, 7 ms  app.test", {}]
      ])
    })
  )

  it.effect("goes on telling each request to the timeline of the call", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      yield* sent("development", { attempted: (each: unknown) => told.push(each) })
      assert.deepStrictEqual(told, [attempt])
    })
  )

  it.effect("says nothing of calls that are only tried, and goes on telling their timeline", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      const lines = yield* sent("development", { simulated: true, attempted: (each: unknown) => told.push(each) })
      assert.lengthOf(lines, 1)
      assert.deepStrictEqual(told, [attempt])
    })
  )
})

describe("the log in production", () => {
  it.effect("warns of failed callbacks and disabled webhooks with ids, and says nothing of what succeeds", () =>
    Effect.gen(function* () {
      const failure = { from: "+254700000001", cause: "callback_failed", http_status: 500, pointer: null }
      const lines = yield* stored(
        "production",
        event("call.ringing", {}),
        event("call.ringing", {}),
        event("call.callback_failed", failure, "c1"),
        event("webhook.disabled", { reason: "failing", url: secret_url }, "s1")
      )
      const reasons = { cause: "callback_failed", http_status: 500, pointer: null }
      assert.deepStrictEqual(lines, [
        ["Warn", "A voice callback failed", { workspace_id, call_id: "c1", ...reasons }],
        ["Warn", "A webhook is disabled", { workspace_id, webhook_id: "s1", reason: "failing" }]
      ])
    })
  )

  it.effect("warns of a receiver that goes down, by its host, and not of one that is known to be", () =>
    Effect.gen(function* () {
      const lines = yield* sent("production")
      const facts = { workspace_id, webhook_id: "sub-1", host: "app.test", http_status: 503, error: null }
      assert.deepStrictEqual(lines, [
        ["Warn", "A receiver of webhooks no longer accepts events; its deliveries are repeated", facts]
      ])
      assert.deepStrictEqual(yield* sent("production", { proven: false }), [])
    })
  )

  it.effect("gives one workspace five lines a minute", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1)
      assert.lengthOf(yield* sent("production", {}, 50), 5)
    })
  )
})
