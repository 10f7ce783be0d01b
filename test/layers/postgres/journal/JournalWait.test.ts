// How long entries wait until they are sent, and when that says nothing about the load.
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Logger, Queue } from "effect"
import { TestClock } from "effect/testing"
import { type JournalSession, SessionFailure } from "../../../../src/layers/postgres/journal/JournalSession.ts"
import { JournalWriter } from "../../../../src/layers/postgres/journal/JournalWriter.ts"
import { counter } from "../../../contract/JournalProbe.ts"

type Answer = Effect.Effect<ReadonlyArray<never>, SessionFailure>
const written: Answer = Effect.succeed([])
const away: Answer = Effect.fail(new SessionFailure({ kind: "away", cause: "the test's database is away" }))

/** A writer whose batches wait for the answers of the test. */
const writing = Effect.gen(function* () {
  const answers = yield* Queue.unbounded<Answer>()
  const session: JournalSession = {
    write: () => Effect.flatten(Queue.take(answers)),
    claim: () => Effect.succeed("void"),
    forget: () => Effect.void,
    replan: Effect.void
  }
  const writer = new JournalWriter(session, yield* Effect.clockWith(Effect.succeed))
  const running = yield* Effect.forkChild(writer.run, { startImmediately: true })
  let appended = 0
  const append = (count: number) =>
    Effect.andThen(
      Effect.sync(() => {
        for (let nth = 0; nth < count; nth++) writer.append(counter(`entry-${appended++}`, 1), () => {})
      }),
      TestClock.adjust(0)
    )
  const answer = (of: Answer) => Effect.andThen(Queue.offer(answers, of), TestClock.adjust(0))
  return { append, answer, writer, stop: Fiber.interrupt(running) }
}).pipe(Effect.provide(Logger.layer([])))

it.effect("shows how long the entries of the latest batch waited, while others wait", () =>
  Effect.gen(function* () {
    const { answer, append, stop, writer } = yield* writing
    yield* append(1)
    yield* append(32)
    yield* append(1)
    assert.strictEqual(writer.wait(), 0)
    yield* TestClock.adjust("2 seconds")
    // A database that stands still is no overload: entries that were never sent count nothing.
    assert.strictEqual(writer.wait(), 0)
    yield* answer(written)
    yield* answer(written)
    yield* append(1)
    assert.strictEqual(writer.wait(), 2_000)
    yield* answer(written)
    yield* answer(written)
    assert.strictEqual(writer.wait(), 0)
    yield* stop
  })
)

it.effect("shows nothing while the database is away, and again when it is back", () =>
  Effect.gen(function* () {
    const { answer, append, stop, writer } = yield* writing
    const late = Effect.gen(function* () {
      yield* append(1)
      yield* append(32)
      yield* append(1)
      yield* TestClock.adjust("2 seconds")
    })
    yield* late
    yield* answer(away)
    yield* answer(away)
    yield* append(1)
    assert.strictEqual(writer.wait(), 0)
    yield* answer(written)
    yield* answer(written)
    yield* late
    yield* answer(written)
    yield* answer(written)
    yield* append(1)
    assert.strictEqual(writer.wait(), 2_000)
    yield* stop
  })
)
