// The engine dies during calls. Asterisk ends them by itself, when their money or their maximum duration is used up.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acts, talk } from "../../support/Customer.ts"
import { until } from "../../support/Until.ts"
import { allSettled, connectedBy, isAnswered, isOver, PbxWorld, talked_ms } from "../support/PbxWorld.ts"

const talks = "200"
/** One paid minute and one minute of tolerance. */
const limit_ms = 120_000

layer(connectedBy("asterisk", { money_minor: 600 }), { excludeTestServices: true, timeout: "120 seconds" })(
  "an engine that was killed",
  (it) => {
    it.effect(
      "leaves no call that exceeds its money, and charges the held money after the restart",
      () =>
        Effect.gen(function* () {
          const { asterisk, callUntil, customer, place, program } = yield* PbxWorld
          // One minute of each call is paid. The first may last no longer, and there is no money for more of the
          // second.
          const brief = yield* place(talks, customer.voice(acts(talk)), { max_duration_seconds: 60 })
          const poor = yield* place(talks, customer.voice(acts(talk)))
          const answers = yield* Effect.forEach([brief, poor], (id) => callUntil(id, isAnswered))
          // The limits apply while the calls hear a spoken text.
          for (const { answered_at, session_id } of answers) {
            const isLimited = (seconds: number) => seconds * 1_000 <= limit_ms
            const left_ms = (yield* until("limit", asterisk.clockOf(session_id), isLimited)) * 1_000
            assert.closeTo(Date.now() + left_ms, Date.parse(answered_at!) + limit_ms, 1_500)
          }
          yield* program.kill
          assert.lengthOf(yield* asterisk.channels, 2)
          const last_answer = Math.max(...answers.map(({ answered_at }) => Date.parse(answered_at!)))
          yield* Effect.sleep(last_answer + limit_ms - 5_000 - Date.now())
          assert.lengthOf(yield* asterisk.channels, 2)
          yield* until("Asterisk without channels", asterisk.channels, ({ length }) => length === 0)
          assert.closeTo(Date.now(), last_answer + limit_ms, 2_500)
          yield* program.start
          const ended = [yield* callUntil(brief, isOver), yield* callUntil(poor, isOver)] as const
          assert.deepInclude(ended[0], {
            status: "completed",
            hangup_cause: "max_duration",
            hangup_source: "platform",
            cost_minor: 300
          })
          assert.deepInclude(ended[1], {
            status: "completed",
            hangup_cause: "balance_exhausted",
            hangup_source: "platform",
            cost_minor: 300
          })
          assert.deepStrictEqual(ended.map(talked_ms), [60_000, 60_000])
          yield* allSettled
        }),
      180_000
    )
  }
)
