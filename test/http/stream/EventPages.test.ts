import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { positionBefore } from "../../../src/domain/webhooks/EventPosition.ts"
import type { LoggedEvent } from "../../../src/domain/webhooks/LoggedEvent.ts"
import { makeEventPages } from "../../../src/http/stream/EventPages.ts"
import { workspaceId } from "../../support/Ids.ts"

const [mine, other] = [workspaceId("mine"), workspaceId("other")]
const start = positionBefore(1n)

const event = (order: bigint): LoggedEvent => ({
  position: { order, sequence: 1, id: "0190f5fe-7c00-7a00-8000-000000000001" },
  kind: "call.busy",
  occurred_at: 0,
  recorded_at: 0,
  payload: "{}"
})

/** A log whose reads return when the test says, with what is logged then. */
const makeLog = () => {
  const reads: Array<Deferred.Deferred<ReadonlyArray<LoggedEvent>, ReadFailed>> = []
  const never = () => Effect.die("The streams do not ask for it.")
  const pages = makeEventPages({
    end: never(),
    placeOf: never,
    changed: never,
    after: () =>
      Effect.suspend(() => {
        const read = Deferred.makeUnsafe<ReadonlyArray<LoggedEvent>, ReadFailed>()
        reads.push(read)
        return Deferred.await(read)
      })
  })
  return { pages, reads }
}

const begin = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

it.effect("reads once for all streams at one place, and for each place, workspace and choice of kinds", () =>
  Effect.gen(function* () {
    const { pages, reads } = makeLog()
    const same = yield* Effect.forEach(Array.from({ length: 100 }), () =>
      begin(pages.after(mine, start, ["call.busy"]))
    )
    assert.lengthOf(reads, 1)
    yield* begin(pages.after(other, start, ["call.busy"]))
    yield* begin(pages.after(mine, positionBefore(2n), ["call.busy"]))
    yield* begin(pages.after(mine, start, ["call.busy", "call.failed"]))
    assert.lengthOf(reads, 4)
    yield* Deferred.succeed(reads[0]!, [event(1n)])
    const [page, ...others] = yield* Fiber.joinAll(same)
    assert.strictEqual(page?.place.order, 1n)
    assert.isTrue(others.every((read) => read === page))
    yield* begin(pages.after(mine, start, ["call.busy"]))
    assert.lengthOf(reads, 5, "a read that has returned is not shared")
  })
)

it.effect("lets nobody join a read that began before the latest news", () =>
  Effect.gen(function* () {
    const { pages, reads } = makeLog()
    const early = yield* begin(pages.after(mine, start, []))
    pages.changed()
    const late = yield* begin(pages.after(mine, start, []))
    const joined = yield* begin(pages.after(mine, start, []))
    assert.lengthOf(reads, 2)
    yield* Deferred.succeed(reads[1]!, [event(1n)])
    assert.isDefined(yield* Fiber.join(late))
    assert.isDefined(yield* Fiber.join(joined))
    yield* Deferred.succeed(reads[0]!, [])
    assert.isUndefined(yield* Fiber.join(early))
  })
)

it.effect("fails for all who wait for a read that fails, and reads again", () =>
  Effect.gen(function* () {
    const { pages, reads } = makeLog()
    const both = yield* Effect.forEach([1, 2], () => begin(pages.after(mine, start, [])))
    yield* Deferred.fail(reads[0]!, new ReadFailed({ cause: "down" }))
    for (const fiber of both) assert.instanceOf(yield* Effect.flip(Fiber.join(fiber)), ReadFailed)
    yield* begin(pages.after(mine, start, []))
    assert.lengthOf(reads, 2)
  })
)
