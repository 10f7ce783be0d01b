import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import type { Entry, EventRow } from "../../../src/domain/journal/Rows.ts"
import { NotCommitted } from "../../../src/domain/errors/NotCommitted.ts"
import { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import * as JournalMetrics from "../../../src/layers/journal/JournalMetrics.ts"
import { workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("w")
const event = (kind: string, payload: object, late = false): EventRow => ({
  id: "e",
  workspace_id,
  subject_id: "c",
  sequence: 1,
  kind,
  occurred_at: 0,
  late,
  payload: JSON.stringify(payload),
  number_id: null,
  fan_out: true
})
const entry = (...events: ReadonlyArray<EventRow>): Entry => ({
  actor_type: "Call",
  actor_id: "c",
  workspace_id,
  events
})

/** A journal that stores everything but the entries of the actor `bad`. */
const journal = Layer.mock(Journal)({
  onFanOut: () => () => {},
  appendTied: (unit) => unit.forEach(({ done }) => done({ ok: true })),
  append: ({ actor_id }, done) =>
    done(actor_id === "bad" ? { ok: false, error: new NotCommitted({ reason: "unavailable" }) } : { ok: true })
})

it.effect("counts events, the ends of calls, set-up times and failures, once they are stored", () =>
  Effect.gen(function* () {
    const { append } = yield* Journal
    const noted: Array<boolean> = []
    const done = ({ ok }: { readonly ok: boolean }) => void noted.push(ok)
    const times = { created_at: "2026-10-01T12:00:00.000Z", answered_at: "2026-10-01T12:00:04.000Z" }
    const end = { status: "completed", direction: "outbound", hangup_cause: "normal_clearing" }
    append(entry(event("call.answered", times)), done)
    append(entry(event("call.completed", end), event("number.claimed", {})), done)
    append(entry(event("call.completed", end, true)), done)
    append({ ...entry(event("call.busy", { ...end, status: "busy" })), actor_id: "bad" }, done)
    const text = yield* PrometheusMetrics.format()
    assert.deepStrictEqual(noted, [true, true, true, false])
    for (const line of [
      'trunkline_calls_ended_total{status="completed",direction="outbound",cause="normal_clearing"} 1',
      'trunkline_events_total{kind="call.completed"} 2',
      'trunkline_events_total{kind="number.claimed"} 1',
      'trunkline_call_setup_duration_seconds_bucket{le="5"} 1',
      'trunkline_call_setup_duration_seconds_bucket{le="3"} 0',
      'trunkline_journal_failures_total{reason="unavailable"} 1',
      "trunkline_journal_commit_duration_seconds_count 4"
    ])
      assert.include(text, line)
    // Counted from 0, and not raised by what was not stored.
    assert.match(text, /status="busy"[^}]*\} 0\n/)
    assert.notMatch(text, /status="busy"[^}]*\} [1-9]/)
  }).pipe(Effect.provide(JournalMetrics.layer.pipe(Layer.provide(journal))))
)
