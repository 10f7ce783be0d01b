// The writer never parts tied entries, whatever becomes of a batch. The connection is the test's own.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { Batch } from "../../../../src/layers/postgres/journal/JournalBatch.ts"
import { type JournalSession, SessionFailure } from "../../../../src/layers/postgres/journal/JournalSession.ts"
import { JournalWriter } from "../../../../src/layers/postgres/journal/JournalWriter.ts"
import { counter } from "../../../contract/JournalProbe.ts"

const writesOf = ({ inserted, updated }: Batch): ReadonlyArray<string> =>
  [inserted, updated].flatMap((tables) => [...tables.values()].flat().map(({ actor_id }) => actor_id))

const refused = (constraint?: string) =>
  new SessionFailure({ kind: "refused", cause: "refused by the test", ...(constraint && { constraint }) })
const lost = new SessionFailure({ kind: "lost", cause: "broken by the test" })

/** A writer on a connection that answers each batch as the test says. */
const writing = Effect.fnUntraced(function* (session: Pick<JournalSession, "write"> & Partial<JournalSession>) {
  const batches: Array<ReadonlyArray<string>> = []
  const answers: Array<string> = []
  const writer = new JournalWriter(
    {
      claim: () => Effect.die("nothing to claim"),
      forget: () => Effect.void,
      replan: Effect.void,
      ...session,
      write: (id, at, batch) =>
        Effect.suspend(() => {
          batches.push(writesOf(batch))
          return session.write(id, at, batch)
        })
    },
    yield* Effect.clockWith(Effect.succeed)
  )
  yield* Effect.forkScoped(writer.run)
  const waiting = (id: string, version = 1) => ({
    entry: counter(id, version),
    done: (outcome: Parameters<Parameters<typeof writer.append>[1]>[0]) =>
      void answers.push(`${id} ${outcome.ok ? "ok" : outcome.error.unknown ? "unknown" : outcome.error.reason}`)
  })
  return {
    answers,
    batches,
    writer,
    append: (id: string, version = 1) => {
      const { done, entry } = waiting(id, version)
      writer.append(entry, done)
    },
    tie: (...ids: ReadonlyArray<string>) => writer.appendTied(ids.map((id) => waiting(id))),
    turns: Effect.gen(function* () {
      for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
    })
  }
})

it.effect("halves a refused batch between tied entries, and never through them", () =>
  Effect.gen(function* () {
    const { answers, append, batches, tie, turns } = yield* writing({
      write: (_, __, batch) =>
        writesOf(batch).includes("bad") ? Effect.fail(refused("actors_pkey")) : Effect.succeed([])
    })
    append("a")
    tie("b", "c")
    tie("d", "bad")
    append("e")
    tie("f", "g", "h")
    yield* turns
    assert.deepStrictEqual(batches[0], ["a", "b", "c", "d", "bad", "e", "f", "g", "h"])
    for (const batch of batches)
      for (const unit of [
        ["b", "c"],
        ["d", "bad"],
        ["f", "g", "h"]
      ])
        assert.include([0, unit.length], unit.filter((id) => batch.includes(id)).length, batch.join())
    const ok = (...ids: ReadonlyArray<string>) => ids.map((id) => `${id} ok`)
    assert.deepStrictEqual(answers, [...ok("a", "b", "c"), "d stale", "bad stale", ...ok("e", "f", "g", "h")])
  }).pipe(Effect.scoped)
)

it.effect("gives tied entries one outcome if a connection breaks during their commit", () =>
  Effect.gen(function* () {
    const fates: Array<"written" | "void"> = ["written", "void"]
    let breaks = 2
    const { answers, batches, tie, turns } = yield* writing({
      write: () => (breaks-- > 0 ? Effect.fail(lost) : Effect.succeed([])),
      claim: () => Effect.sync(() => fates.shift()!)
    })
    tie("a", "b")
    yield* turns
    tie("c", "d")
    yield* turns
    assert.deepStrictEqual(answers, ["a ok", "b ok", "c ok", "d ok"])
    assert.deepStrictEqual(batches, [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"]
    ])
  }).pipe(Effect.scoped)
)

it.effect("refuses both if it is never known what became of them, and what waits in order", () =>
  Effect.gen(function* () {
    const broken = yield* Deferred.make<void>()
    const { answers, append, tie, turns } = yield* writing({
      write: () => Effect.andThen(Deferred.await(broken), Effect.fail(lost)),
      claim: () => Effect.fail(new SessionFailure({ kind: "away", cause: "away" }))
    })
    tie("a", "b")
    yield* turns
    append("x")
    append("y")
    // Tied to an actor of the batch, so it waits for that, and so does what follows it.
    tie("y", "b")
    append("y", 2)
    tie("z", "y")
    append("z", 2)
    append("w")
    yield* Deferred.succeed(broken, undefined)
    yield* turns
    assert.deepStrictEqual(answers, ["x unavailable", "y unavailable", "w unavailable"])
    yield* TestClock.adjust("10 seconds")
    yield* turns
    assert.deepStrictEqual(answers.slice(3, 5), ["a unknown", "b unknown"])
    assert.deepStrictEqual(
      answers.slice(5).map((answer) => answer.split(" ")[0]),
      ["y", "b", "y", "z", "y", "z"]
    )
    assert.isTrue(answers.every((answer) => !answer.endsWith("ok")))
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)

it.effect("says of an entry whose connection broke twice that it is not written, if that is known", () =>
  Effect.gen(function* () {
    const { answers, append, batches, turns } = yield* writing({
      write: () => Effect.fail(lost),
      claim: () => Effect.succeed("void")
    })
    append("a")
    yield* turns
    assert.deepStrictEqual([batches.length, answers], [2, ["a unavailable"]])
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)

it.effect("writes tied entries that wait when it closes, and refuses later ones together", () =>
  Effect.gen(function* () {
    const { answers, batches, tie, turns, writer } = yield* writing({ write: () => Effect.succeed([]) })
    tie("a", "b")
    writer.close()
    tie("c", "d")
    assert.deepStrictEqual(answers, ["c unavailable", "d unavailable"])
    yield* turns
    assert.deepStrictEqual(answers.slice(2), ["a ok", "b ok"])
    assert.deepStrictEqual(batches, [["a", "b"]])
  }).pipe(Effect.scoped)
)

it.effect("counts each of several tied entries that wait", () =>
  Effect.gen(function* () {
    const { tie, turns, writer } = yield* writing({ write: () => Effect.never })
    tie("a", "b")
    yield* turns
    tie("c", "d", "e")
    assert.strictEqual(writer.backlog().all.entries, 3)
  }).pipe(Effect.scoped)
)
