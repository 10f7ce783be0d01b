// The system clock is set while no engine runs, and people talk.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { ownFolder } from "../support/ClusterNodes.ts"
import { makeOutsidePhones, outside } from "../support/OutsidePhones.ts"
import { makeProgram, untilServed } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

const preload = join(import.meta.dirname, "../support/SetClockChild.ts")
const hour_ms = 3_600_000

describe("a system clock that is set while the engine is down", () => {
  // The clock of the PBX is right. It calls nobody for an engine whose clock is behind its own.
  for (const [direction, before_ms, after_ms] of [
    ["forward", 0, hour_ms],
    ["back", hour_ms, 0]
  ] as const)
    it.live(
      `ends no call if it was set ${direction}, and each costs what it lasted`,
      () =>
        Effect.gen(function* () {
          const folder = yield* ownFolder
          const clock = join(folder, "clock")
          const program = yield* makeProgram({
            env: { ...outside, NODE_OPTIONS: `--import ${preload}`, TEST_CLOCK_FILE: clock }
          })
          const { ask, demo, kill, output, start } = program
          const phones = yield* makeOutsidePhones(program)
          yield* Effect.promise(() => writeFile(clock, String(before_ms)))
          yield* start
          yield* phones.connect
          const body = { to: "+99900000020", from: demo().number.number, actions: [{ pause: { seconds: 20 } }] }
          const placed = yield* ask("/v1/calls/originate", { body })
          assert.strictEqual(placed.status, 201, placed.text)
          const { id } = placed.json<CallRecord>()
          const call = Effect.map(untilServed(ask(`/v1/calls/${id}`)), ({ json }) => json<CallRecord>())
          yield* until("answered call", call, ({ status }) => status === "answered")

          yield* kill
          yield* Effect.promise(() => writeFile(clock, String(after_ms)))
          yield* start
          yield* phones.connect
          assert.include(output(), `The clock was set ${direction} by 3600 s while no engine ran.`)
          // Timers have run since: those of a call that ends after a second.
          const short = yield* ask("/v1/calls/originate", { body: { ...body, actions: [{ pause: { seconds: 1 } }] } })
          assert.strictEqual(short.status, 201, short.text)
          const shortCall = ask(`/v1/calls/${short.json<CallRecord>().id}`)
          yield* until("end of a short call", shortCall, ({ json }) => json<CallRecord>().status === "completed")

          // It ends by itself when its pause is over, as if the clock had not been set.
          const ended = yield* until("completed call", call, ({ status }) => status === "completed", {
            within_ms: 90_000
          })
          assert.deepInclude(ended, { hangup_cause: "actions_ended", cost_minor: 300 })
          assert.isAtLeast(ended.duration_seconds ?? 0, 20)
          assert.isAtMost(ended.duration_seconds ?? 99, 60)

          // The next start finds a clock that was not set since.
          yield* kill
          yield* start
          assert.notInclude(output(), "while no engine ran")
        }).pipe(Effect.provide(TestDatabase.layer)),
      240_000
    )
})
