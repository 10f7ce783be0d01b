import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Add, Read, Start, type ToyCommand, type ToyState } from "../actors/runtime/Toy.ts"
import type { Line } from "../support/ClusterNode.ts"
import { freePort } from "../support/Ports.ts"
import { stoodInLine_ms } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

const ids = Array.from({ length: 24 }, (_, index) => `toy-${index}`)

interface Answer {
  readonly number: number
  readonly reply?: unknown
  readonly error?: string
}

/** A process of the cluster, and what it has said of its own accord. It is killed with its scope. */
const startNode = Effect.gen(function* () {
  const { url } = yield* TestDatabase.TestDatabase
  const port = yield* freePort
  const said: Array<{ readonly performs?: string; readonly notice?: string; readonly of: string }> = []
  const waiting = new Map<number, (answer: Answer) => void>()
  const process_ = yield* Effect.acquireRelease(
    Effect.sync((): ChildProcess => {
      const script = new URL("../support/ClusterNode.ts", import.meta.url).pathname
      const child = spawn(process.execPath, [script, Redacted.value(url), String(port)], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      createInterface({ input: child.stdout! }).on("line", (text) => {
        const line = JSON.parse(text)
        if ("number" in line) waiting.get(line.number)?.(line)
        else said.push(line)
      })
      return child
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  let last = 0
  const answerTo = (number: number) =>
    Effect.callback<Answer>((resume) => void waiting.set(number, (answer) => resume(Effect.succeed(answer))))
  const send = (
    line: { readonly ask: ToyCommand; readonly of: string } | { readonly follow: string } | { readonly resident: true }
  ) =>
    Effect.suspend(() => {
      const numbered: Line = { ...line, number: ++last }
      process_.stdin!.write(`${JSON.stringify(numbered)}\n`)
      return answerTo(numbered.number)
    })
  yield* answerTo(0)
  return {
    said,
    /** Milliseconds since the epoch, but those in which others had the processors. */
    now: () => Date.now() - stoodInLine_ms(process_.pid),
    signal: (name: NodeJS.Signals) => Effect.sync(() => process_.kill(name)),
    ask: (of: string, command: ToyCommand) =>
      Effect.flatMap(send({ ask: command, of }), ({ error, reply }) =>
        error === undefined ? Effect.succeed(reply as ToyState) : Effect.fail(error)
      ),
    follow: (of: string) => send({ follow: of }),
    resident: Effect.map(send({ resident: true }), ({ reply }) => Number(reply))
  }
})

const eventually = (what: string, look: Effect.Effect<boolean, unknown>) =>
  until(
    what,
    Effect.orElseSucceed(look, () => false),
    (it) => it,
    { every_ms: 50 }
  )

/** Both processes have their part of the shards. */
const balanced = (nodes: ReadonlyArray<Effect.Success<typeof startNode>>) =>
  eventually(
    "share of the actors for each process",
    Effect.gen(function* () {
      for (const id of ids) yield* nodes[0]!.ask(id, Read.make({}))
      const counts = yield* Effect.all(nodes.map(({ resident }) => resident))
      return counts.every((count) => count > 0) && counts.reduce((a, b) => a + b) === ids.length
    })
  )

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
      const workOf = ({ said }: typeof one) => new Set(said.flatMap(({ performs }) => performs ?? []))
      yield* eventually(
        "work of every actor",
        Effect.sync(() => workOf(one).size + workOf(two).size === ids.length)
      )
      const killed_at = two.now()
      yield* one.signal("SIGKILL")
      yield* eventually(
        "work of every actor in the other process",
        Effect.sync(() => workOf(two).size === ids.length)
      )
      assert.isBelow(two.now() - killed_at, 8_000)
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
      const [one, two] = yield* Effect.all([startNode, startNode], { concurrency: 2 })
      yield* balanced([one, two])
      for (const id of ids) yield* one.ask(id, Start.make({ key: id, at: null }))
      yield* eventually(
        "work of every actor",
        Effect.sync(() => one.said.length + two.said.length === ids.length)
      )
      const frozen = one.said.flatMap(({ performs }) => performs ?? [])
      yield* one.signal("SIGSTOP")
      const frozen_at = two.now()
      yield* eventually(
        "work of every actor in the other process",
        Effect.sync(() => two.said.length === ids.length)
      )
      assert.isBelow(two.now() - frozen_at, 10_000)
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
