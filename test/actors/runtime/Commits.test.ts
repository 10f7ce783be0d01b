import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { Add, engine, Flash, Read, Refuse, type ToyCommand } from "./Toy.ts"

/** Asks without waiting, and writes down who was answered what. */
const asking = Effect.fnUntraced(function*(memory: MemoryJournal) {
  const toys = yield* engine(memory.layer)
  const answers: Array<string> = []
  const ask = (name: string, command: ToyCommand) =>
    toys.ask(command).pipe(
      Effect.match({
        onFailure: (error) => error._tag === "NotCommitted" ? error.reason : error.message,
        onSuccess: ({ count }) => count
      }),
      Effect.tap((answer) => Effect.sync(() => answers.push(`${name} ${answer}`))),
      Effect.forkChild({ startImmediately: true })
    )
  return { ...toys, send: ask, answers }
})

it.effect("decides in the order of arrival and answers in that order after the commit", () =>
  Effect.gen(function*() {
    const memory = yield* MemoryJournal.make
    const { answers, send, system } = yield* asking(memory)
    memory.hold()
    yield* send("a", Add.make({ amount: 1 }))
    yield* send("read", Read.make({}))
    yield* send("b", Add.make({ amount: 10 }))
    yield* send("refused", Refuse.make({}))
    yield* send("flash", Flash.make({}))
    yield* Effect.yieldNow
    assert.deepStrictEqual([answers, memory.pending], [[], 2])
    memory.release()
    yield* system.drain
    assert.deepStrictEqual(answers, ["a 1", "read 1", "b 11", "refused Refused at 11.", "flash 11"])
    assert.strictEqual(memory.commits, 1)
  }))
