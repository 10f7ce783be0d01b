import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { erase } from "../../../src/actors/runtime/Erased.ts"
import { Timers } from "../../../src/actors/runtime/Timers.ts"
import { WorkSet } from "../../../src/actors/runtime/WorkSet.ts"
import { deadline } from "../../../src/domain/Decision.ts"
import { Toy } from "./Toy.ts"

it.effect("sends the latest planned command when the deadline did not change", () =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    const told: Array<unknown> = []
    const work = new WorkSet(
      { tracing: undefined, timers: new Timers(clock, fork), fork, route: (_, __, command) => told.push(command) },
      { id: "one", definition: erase(Toy), perform: () => Effect.never, state: undefined }
    )
    work.reconcileWith([deadline("a", 1_000, "first")])
    work.reconcileWith([deadline("a", 1_000, "last")])
    yield* TestClock.adjust(1_000)
    assert.deepStrictEqual(told, ["last"])
  })
)
