import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Start } from "../actors/runtime/Toy.ts"
import { balanced, eventually, ids, startNode } from "../support/ClusterNodes.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

it.live.each([
  ["SIGKILL", "that was killed", 8],
  ["SIGSTOP", "that was frozen", 10]
] as const)("%s: takes over the work of a process %s within %i seconds", ([signal, , within_seconds]) =>
  Effect.gen(function* () {
    const [one, two] = yield* Effect.all([startNode, startNode], { concurrency: 2 })
    yield* balanced([one, two])
    for (const id of ids) yield* one.ask(id, Start.make({ key: id, at: null }))
    const workOf = ({ said }: typeof one) => new Set(said.flatMap(({ performs }) => performs ?? []))
    yield* eventually(
      "work of every actor",
      Effect.sync(() => workOf(one).size + workOf(two).size === ids.length)
    )
    yield* one.signal(signal)
    const began_at = two.now()
    yield* eventually(
      "work of every actor in the other process",
      Effect.sync(() => workOf(two).size === ids.length)
    )
    assert.isBelow(two.now() - began_at, within_seconds * 1_000)
  }).pipe(Effect.provide(TestDatabase.layer))
)
