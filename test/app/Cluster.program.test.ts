import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Add, Read, Start } from "../actors/runtime/Toy.ts"
import { balanced, eventually, ids, ownFolder, startNode, startNodeIn } from "../support/ClusterNodes.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

type ClusterNode = Effect.Success<typeof startNode>

/** The actors that were at work in this process, some of them perhaps more than once. */
const performedBy = ({ said }: ClusterNode): ReadonlyArray<string> => said.flatMap(({ performs }) => performs ?? [])

it.live(
  "has one owner for each actor, reached from both sides, and outlives one of them",
  () =>
    Effect.gen(function* () {
      const [one, two] = yield* Effect.all([startNode, startNode], { concurrency: 2 })
      yield* balanced([one, two])
      const follows = yield* Effect.forEach(ids, two.follow)
      assert.isTrue(follows.every(({ reply }) => reply === "follows"))
      for (const id of ids) {
        yield* one.ask(id, Add.make({ amount: 1 }))
        yield* two.ask(id, Add.make({ amount: 10 }))
        assert.strictEqual((yield* one.ask(id, Read.make({}))).count, 11)
      }
      const noticesOf = (id: string) => two.said.filter(({ notice, of }) => of === id && notice !== undefined)
      yield* eventually(
        "second notice of every actor",
        Effect.sync(() => ids.every((id) => noticesOf(id).length === 2))
      )
      for (const id of ids)
        assert.deepStrictEqual(
          noticesOf(id).map(({ notice }) => notice),
          ["stored 1/0", "stored 11/0"]
        )

      for (const id of ids) yield* one.ask(id, Start.make({ key: `work of ${id}`, at: null }))
      const workOf = (node: ClusterNode) => new Set(performedBy(node))
      yield* eventually(
        "work of every actor",
        Effect.sync(() => workOf(one).size + workOf(two).size === ids.length)
      )
      yield* one.signal("SIGKILL")
      yield* eventually(
        "work of every actor in the other process",
        Effect.sync(() => workOf(two).size === ids.length)
      )
      for (const id of ids) assert.strictEqual((yield* two.ask(id, Add.make({ amount: 100 }))).count, 111)
      // Whoever followed an actor of the dead process is told that there is a gap.
      yield* eventually(
        "notice of the gap",
        Effect.sync(() => two.said.some(({ notice }) => notice === "end"))
      )
    }).pipe(Effect.provide(TestDatabase.layer)),
  60_000
)

it.live(
  "lets a process that was frozen write nothing when it wakes",
  () =>
    Effect.gen(function* () {
      // On one machine: they reach each other by Unix sockets. Those above do so by TLS.
      const folder = yield* ownFolder
      const [one, two] = yield* Effect.all([startNodeIn(folder), startNodeIn(folder)], { concurrency: 2 })
      yield* balanced([one, two])
      for (const id of ids) yield* one.ask(id, Start.make({ key: id, at: null }))
      yield* eventually(
        "work of every actor",
        // An actor that moves meanwhile is at work in both, one after the other.
        Effect.sync(() => new Set([...performedBy(one), ...performedBy(two)]).size === ids.length)
      )
      const frozen = [...new Set(performedBy(one))]
      yield* one.signal("SIGSTOP")
      yield* eventually(
        "work of every actor in the other process",
        Effect.sync(() => new Set(performedBy(two)).size === ids.length)
      )
      for (const id of ids) assert.strictEqual((yield* two.ask(id, Add.make({ amount: 10 }))).count, 10)
      yield* one.signal("SIGCONT")
      const answers = yield* Effect.forEach(frozen, (id) => Effect.result(one.ask(id, Add.make({ amount: 5 }))), {
        concurrency: "unbounded"
      })
      // It may refuse, or have learned where the actor is: what counts is that nothing was built on its old memory.
      // An actor that moves back may be read for a moment where it was; on a busy machine the moment is long.
      const countOf = (id: string) => Effect.map(two.ask(id, Read.make({})), ({ count }) => count)
      for (const [index, id] of frozen.entries()) {
        const expected = Result.isSuccess(answers[index]!) ? 15 : 10
        yield* eventually(
          `count of ${expected}`,
          Effect.map(countOf(id), (count) => count === expected)
        )
        assert.strictEqual(yield* countOf(id), expected)
      }
    }).pipe(Effect.provide(TestDatabase.layer)),
  60_000
)
