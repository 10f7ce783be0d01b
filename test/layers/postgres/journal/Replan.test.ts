// When the writer of the journal has its statements planned again. JournalWriter.timing.test.ts measures what it gains.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import type { JournalSession } from "../../../../src/layers/postgres/journal/JournalSession.ts"
import { JournalWriter } from "../../../../src/layers/postgres/journal/JournalWriter.ts"
import { counter } from "../../../contract/JournalProbe.ts"

it.effect("plans its statements again after a slow batch, at most every ten seconds", () =>
  Effect.gen(function* () {
    let replans = 0
    let batch_ms = 0
    const session: JournalSession = {
      write: () => Effect.as(TestClock.adjust(batch_ms), []),
      claim: () => Effect.succeed("written"),
      forget: () => Effect.void,
      replan: Effect.sync(() => void replans++)
    }
    const writer = new JournalWriter(session, yield* Effect.clockWith(Effect.succeed))
    yield* Effect.forkScoped(writer.run)
    const replansAfter = (took_ms: number) =>
      Effect.gen(function* () {
        batch_ms = took_ms
        yield* Effect.callback<void>((resume) => writer.append(counter(randomUUID(), 1), () => resume(Effect.void)))
        // The next batch is written when this one has ended.
        batch_ms = 0
        yield* Effect.callback<void>((resume) => writer.append(counter(randomUUID(), 1), () => resume(Effect.void)))
        return replans
      })
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* replansAfter(100), 0, "a batch that is not slow")
    assert.strictEqual(yield* replansAfter(101), 1, "a slow batch")
    assert.strictEqual(yield* replansAfter(9_000), 1, "another one within ten seconds")
    assert.strictEqual(yield* replansAfter(5_000), 2, "another one later")
  }).pipe(Effect.scoped)
)
