// An originate is one commit: the hold of its first minute and the call are stored together, or neither is.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { engine, MemoryJournal, TestEngine, workspace } from "../../src/testing.ts"
import { booksAreRight, charges, look, pass, place } from "../support/Scenario.ts"

const to = "+99900000001"

/** What is stored of calls and their money. */
const storedIn = ({ tables }: MemoryJournal) => ({
  calls: [...tables.snapshots.values()].filter(({ actor_type }) => actor_type === "Call").length,
  holds: [...tables.holds.values()].map(({ status }) => status)
})

const credited = Effect.flatMap(TestEngine, ({ credit }) => credit(100_000))
const request = { to, from: workspace.number, voice_callback_url: "https://app.test/voice" }

describe("an originate", () => {
  it.effect("waits for one commit, in which its hold and its call are", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      yield* Effect.gen(function* () {
        yield* credited
        yield* pass(1)
        const before = journal.commits
        journal.hold()
        const placed = yield* Effect.forkChild(place(to), { startImmediately: true })
        for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
        assert.strictEqual(journal.pending, 2)
        assert.isUndefined(placed.pollUnsafe())
        assert.deepStrictEqual(storedIn(journal), { calls: 0, holds: [] })
        journal.release()
        const { id } = yield* Fiber.join(placed)
        assert.deepStrictEqual(storedIn(journal), { calls: 1, holds: ["open"] })
        assert.isAtLeast(journal.commits, before + 1)
        yield* pass(60)
        assert.strictEqual((yield* look(id)).status, "completed")
        yield* booksAreRight
      }).pipe(Effect.provide(engine({ journal })))
    })
  )

  for (const [what, fails] of [
    ["is refused", (journal: MemoryJournal) => journal.failNext()],
    ["ends with the process", (journal: MemoryJournal) => journal.crash()]
  ] as const)
    it.effect(`leaves neither a hold nor a call if its commit ${what}`, () =>
      Effect.gen(function* () {
        const journal = yield* MemoryJournal.make
        yield* Effect.gen(function* () {
          yield* credited
          yield* pass(1)
          journal.hold()
          // It never ends if the process does.
          const placed = yield* Effect.forkDetach(Effect.result(place(to)), { startImmediately: true })
          for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
          fails(journal)
          journal.release()
          for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
          const exit = placed.pollUnsafe()
          assert.isTrue(exit === undefined || (exit._tag === "Success" && Result.isFailure(exit.value)))
          assert.deepStrictEqual(storedIn(journal), { calls: 0, holds: [] })
        }).pipe(Effect.provide(engine({ journal })))
        yield* Effect.gen(function* () {
          const { held_minor } = yield* TestEngine
          assert.strictEqual(yield* held_minor, 0)
          const { id } = yield* place(to)
          yield* pass(60)
          assert.strictEqual((yield* look(id)).status, "completed")
          assert.lengthOf(yield* charges, 1)
          yield* booksAreRight
        }).pipe(Effect.provide(engine({ journal })))
      })
    )

  it.effect("that is sent twice at once with one key makes one call and one hold", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      yield* Effect.gen(function* () {
        yield* credited
        const key = {
          workspace_id: workspace.id,
          method: "POST",
          route: "/v1/calls/originate",
          key: "k",
          fingerprint: "f"
        }
        const { originate } = yield* Calls
        const again = Effect.result(originate(workspace.id, request, key))
        const results = yield* Effect.all([again, again, place(to).pipe(Effect.result)], { concurrency: "unbounded" })
        const reasons = results.map((result) =>
          Result.isSuccess(result) ? "placed" : "reason" in result.failure && result.failure.reason
        )
        assert.deepStrictEqual(reasons, ["placed", "duplicate", "placed"])
        assert.deepStrictEqual(storedIn(journal), { calls: 2, holds: ["open", "open"] })
        yield* pass(60)
        yield* booksAreRight
      }).pipe(Effect.provide(engine({ journal })))
    })
  )

  it.effect("that is refused because its wallet was read too slowly leaves no hold", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      yield* Effect.provide(credited, engine({ journal }))
      journal.crash()
      const open = journal.open.bind(journal)
      journal.open = () => {
        const { load, ...rest } = open()
        return {
          ...rest,
          load: (type, id) => (type === "Wallet" ? Effect.delay(load(type, id), "11 seconds") : load(type, id))
        }
      }
      yield* Effect.gen(function* () {
        const placed = yield* Effect.forkChild(Effect.flip(place(to)), { startImmediately: true })
        yield* TestClock.adjust("12 seconds")
        assert.deepInclude(yield* Fiber.join(placed), { _tag: "NotCommitted", reason: "unavailable" })
        assert.deepStrictEqual(storedIn(journal), { calls: 0, holds: [] })
        const { held_minor } = yield* TestEngine
        assert.strictEqual(yield* held_minor, 0)
      }).pipe(Effect.provide(engine({ journal })))
    })
  )
})
