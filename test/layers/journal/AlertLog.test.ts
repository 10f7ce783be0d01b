import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric, References } from "effect"
import type { Entry, EventRow } from "../../../src/domain/journal/Rows.ts"
import { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import { layer as alertLog } from "../../../src/layers/journal/AlertLog.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("0199a000-0000-7000-8000-000000000001")
const event = (kind: string, payload = "{}"): EventRow => ({
  id: kind,
  workspace_id,
  subject_id: "subject",
  sequence: 1,
  kind,
  occurred_at: 0,
  late: false,
  payload,
  number_id: null,
  fan_out: true
})
const entry = (version: number, ...events: ReadonlyArray<EventRow>): Entry => ({
  actor_type: "Wallet",
  actor_id: "one",
  workspace_id,
  snapshot: { version, state: "", columns: {} },
  events
})

/** What is logged while these entries are committed in order; the first of them fails. */
const logged = (...entries: readonly [Entry, ...ReadonlyArray<Entry>]) =>
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
      for (const [nth, written] of entries.entries()) assert.strictEqual(yield* commit(written), nth > 0)
    }).pipe(
      Effect.provide(alertLog.pipe(Layer.provide(Layer.succeed(Journal)(memory.open())))),
      Effect.provide(Logger.layer([capture]))
    )
    return lines
  })

/** The counters of this name that are above 0: where they begin. */
const counted = (name: string) =>
  Effect.map(Metric.snapshot, (all) =>
    all
      .filter((each) => each.id === name && each.type === "Counter" && each.state.count > 0)
      .map(({ attributes, state }) => [attributes ?? {}, state])
  )

it.effect("logs and counts the alerts that are on disk, and nothing else", () =>
  Effect.gen(function* () {
    const kind = "security.calls_failing"
    assert.deepStrictEqual(
      yield* logged(
        entry(1, event("security.call_burst")),
        entry(1, event("wallet.low_balance")),
        entry(2, event(kind), event("call.failed"))
      ),
      [["Warn", ["Security alert"], { kind, workspace_id, subject_id: "subject" }]]
    )
    assert.deepStrictEqual(yield* counted("trunkline_security_alerts_total"), [
      [{ kind }, { count: 1, incremental: true }]
    ])
  })
)

it.effect(
  "logs and counts the calls that a gateway began when they were over, and no other that it had to hang up",
  () =>
    Effect.gen(function* () {
      const begun = event("call.answer_ignored", JSON.stringify({ id: "subject", step: "started_late" }))
      const answered = event("call.answer_ignored", JSON.stringify({ id: "subject" }))
      const progress = event("call.progress", JSON.stringify({ id: "subject", step: "started_late" }))
      const message = "A PBX gateway called somebody for a call that was over; it is hung up and costs nothing"
      assert.deepStrictEqual(yield* logged(entry(1, begun), entry(1, answered, progress), entry(2, begun)), [
        ["Warn", [message], { call_id: "subject", workspace_id }]
      ])
      assert.deepStrictEqual(yield* counted("trunkline_calls_started_late_total"), [
        [{}, { count: 1, incremental: true }]
      ])
    })
)
