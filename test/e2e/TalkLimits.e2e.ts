// The limits of calls in Asterisk's own clock. real-waits/TalkLimits.e2e.ts waits until they are reached.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { acts, talk } from "../support/Customer.ts"
import { until } from "../support/Until.ts"
import { allSettled, connectedBy, isAnswered, isOver, PbxWorld } from "./support/PbxWorld.ts"

const talks = "200"
/** One paid minute and one minute of tolerance. */
const limit_ms = 120_000
/** Asterisk counts whole seconds, and is asked over HTTP. */
const imprecision_ms = 1_500

/** Asserts that the call of this answer ends at its limit, by Asterisk's own clock. */
const assertLimited = ({ answered_at, session_id }: CallRecord) =>
  Effect.gen(function* () {
    const { asterisk } = yield* PbxWorld
    const look = Effect.gen(function* () {
      const before = Date.now()
      const left_ms = (yield* asterisk.clockOf(session_id)) * 1_000
      return { left_ms, earliest: before + left_ms, latest: Date.now() + left_ms }
    })
    const { earliest, latest } = yield* until("limit", look, ({ left_ms }) => left_ms <= limit_ms)
    const ends_at = Date.parse(answered_at!) + limit_ms
    assert.isAtMost(earliest, ends_at + imprecision_ms)
    assert.isAtLeast(latest, ends_at - imprecision_ms)
  })

layer(connectedBy("asterisk", { money_minor: 600 }), { excludeTestServices: true, timeout: "120 seconds" })(
  "a call of which one minute is paid",
  (it) => {
    it.effect("is limited by Asterisk's clock while it hears a text, without the engine, and after its restart", () =>
      Effect.gen(function* () {
        const { asterisk, callUntil, customer, place, program } = yield* PbxWorld
        // The first call may last no longer, and there is no money for more of the second.
        const brief = yield* place(talks, customer.voice(acts(talk)), { max_duration_seconds: 60 })
        const poor = yield* place(talks, customer.voice(acts(talk)))
        const answers = yield* Effect.forEach([brief, poor], (id) => callUntil(id, isAnswered))
        yield* Effect.forEach(answers, assertLimited)
        yield* program.kill
        yield* Effect.forEach(answers, assertLimited)
        yield* program.start
        yield* Effect.forEach(answers, assertLimited)
        assert.lengthOf(yield* asterisk.channels, 2)
        for (const id of [brief, poor]) {
          yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
          assert.deepInclude(yield* callUntil(id, isOver), { status: "completed", cost_minor: 300 })
        }
        yield* allSettled
      })
    )
  }
)
