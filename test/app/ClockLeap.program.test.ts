// The system clock is set while the program runs.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { measured } from "../support/Figures.ts"
import { makeProgram } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

const preload = join(import.meta.dirname, "../support/SetClockChild.ts")

layer(TestDatabase.layer, { excludeTestServices: true })("a system clock that is set by a day", (it) => {
  it.effect(
    "ends no call, forward or back, and each costs what it lasted",
    (context) =>
      Effect.gen(function* () {
        const program = yield* makeProgram({
          env: { NODE_OPTIONS: `--import ${preload}`, BASE_URL: "http://127.0.0.1" }
        })
        const { ask, demo, output, start } = program
        yield* start
        const call = (id: string) => Effect.map(ask(`/v1/calls/${id}`), ({ json }) => json<CallRecord>())
        const place = (...actions: ReadonlyArray<object>) =>
          Effect.gen(function* () {
            const body = { to: "+99900000020", from: demo().number.number, actions }
            const placed = yield* ask("/v1/calls/originate", { body })
            assert.strictEqual(placed.status, 201, placed.text)
            return placed.json<CallRecord>()
          })
        const answered = Effect.gen(function* () {
          const { id } = yield* place({ pause: { seconds: 50 } })
          yield* until("answered call", call(id), ({ status }) => status === "answered")
          return id
        })
        const isSet = (signal: NodeJS.Signals, direction: string) =>
          Effect.gen(function* () {
            const since = performance.now()
            yield* program.signal(signal)
            const notice = `The clock was set ${direction} by 86400 s.`
            yield* until(`"${notice}" in the output`, Effect.sync(output), (text) => text.includes(notice))
            // Timers have run since: those of a call that ends after a second.
            const { id } = yield* place({ pause: { seconds: 1 } })
            yield* until("end of a short call", call(id), ({ status }) => status === "completed")
            const value = (performance.now() - since) / 1_000
            const name = `a call of a second has ended after a clock set ${direction} by a day`
            measured(context, { name, value, unit: "s", goal: { most: 3 } })
          })
        const first = yield* answered
        yield* isSet("SIGUSR2", "forward")
        const second = yield* answered
        yield* isSet("SIGWINCH", "back")
        const third = yield* answered
        for (const id of [first, second, third]) {
          assert.strictEqual((yield* call(id)).status, "answered")
          assert.strictEqual((yield* ask(`/v1/calls/${id}/terminate`, { method: "POST" })).status, 200)
          const ended = yield* until("completed call", call(id), ({ status }) => status === "completed")
          assert.deepInclude(ended, { hangup_cause: "normal_clearing", cost_minor: 300 })
          assert.isBelow(ended.duration_seconds ?? 99, 30)
        }
        const { clock } = (yield* ask("/readyz")).json<{
          readonly clock: { readonly leaps: number; readonly last_leap: object }
        }>()
        assert.strictEqual(clock.leaps, 2)
        assert.deepInclude(clock.last_leap, { kind: "set", by_seconds: -86_400 })
        const metrics = yield* ask("/metrics")
        assert.match(metrics.text, /trunkline_clock_leaps_total\{[^}]*kind="set"[^}]*\} 2\n/)
      }),
    60_000
  )
})
