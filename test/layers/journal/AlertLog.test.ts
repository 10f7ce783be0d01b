import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric, References } from "effect"
import type { Entry, EventRow } from "../../../src/domain/journal/Rows.ts"
import { Journal } from "../../../src/domain/ports/Journal.ts"
import { layer as alertLog } from "../../../src/layers/journal/AlertLog.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("0199a000-0000-7000-8000-000000000001")
const event = (kind: string): EventRow => ({
  id: kind,
  workspace_id,
  subject_id: "subject",
  sequence: 1,
  kind,
  occurred_at: 0,
  late: false,
  payload: "{}",
  number_id: null,
  fan_out: true
})
const entry = (version: number, ...kinds: ReadonlyArray<string>): Entry => ({
  actor_type: "Wallet",
  actor_id: "one",
  workspace_id,
  snapshot: { version, state: "", columns: {} },
  events: kinds.map(event)
})

it.effect("logs and counts the alerts that are on disk, and nothing else", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const lines: Array<unknown> = []
    const capture = Logger.make(({ fiber, logLevel, message }) => {
      lines.push([logLevel, message, fiber.getRef(References.CurrentLogAnnotations)])
    })
    const commit = (written: Entry) =>
      Effect.flatMap(Journal, (journal) =>
        Effect.callback<boolean>((resume) => journal.append(written, ({ ok }) => resume(Effect.succeed(ok))))
      )
    yield* Effect.gen(function* () {
      memory.failNext("stale")
      assert.isFalse(yield* commit(entry(1, "security.call_burst")))
      assert.isTrue(yield* commit(entry(1, "wallet.low_balance")))
      assert.isTrue(yield* commit(entry(2, "security.calls_failing", "call.failed")))
    }).pipe(
      Effect.provide(alertLog.pipe(Layer.provide(Layer.succeed(Journal)(memory.open())))),
      Effect.provide(Logger.layer([capture]))
    )
    const kind = "security.calls_failing"
    assert.deepStrictEqual(lines, [["Warn", ["Security alert"], { kind, workspace_id, subject_id: "subject" }]])
    const counted = (yield* Metric.snapshot).filter(({ id }) => id === "trunkline_security_alerts_total")
    assert.deepStrictEqual(
      counted.map(({ attributes, state }) => [attributes, state]),
      [[{ kind }, { count: 1, incremental: true }]]
    )
  })
)
