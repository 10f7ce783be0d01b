import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as MailboxActor from "../../../src/actors/mail/MailboxActor.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { Mailer, MailFailed } from "../../../src/domain/ports/access/Mailer.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { AesVault } from "../../../src/layers/keyring/AesVault.ts"

const to = "ann@example.com"
const letter = { subject: "Hello", text: "a secret link", html: "<p>a secret link</p>" }

/** A mailbox on the journal, with a mailer that fails `failures` times before it accepts a message. */
const world = (memory: MemoryJournal, failures: number) => {
  const sent: Array<string> = []
  let remaining = failures
  const mailer = Layer.succeed(Mailer)({
    send: (_, { id, text }) =>
      Effect.suspend(() => {
        if (remaining-- > 0) return Effect.fail(new MailFailed({ cause: "busy" }))
        sent.push(`${id} ${text}`)
        return Effect.void
      })
  })
  const actors = MailboxActor.layer.pipe(
    Layer.provideMerge(LocalSystem.layer),
    Layer.provideMerge(Layer.mergeAll(AesVault(new Uint8Array(32).fill(1)), SystemIds.layer, memory.layer)),
    Layer.provide([mailer, Logger.layer([])])
  )
  return { sent, actors }
}

describe("a message to a mailbox", () => {
  it.effect("is stored sealed before it is sent, and sent once", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const { actors, sent } = world(memory, 0)
      yield* Effect.gen(function* () {
        const post = yield* MailboxActor.makePost
        const { drain } = yield* ActorSystem
        yield* post({ id: "1", to, letter, expires_at: 60_000 })
        assert.notInclude(JSON.stringify([...memory.tables.snapshots.values()]), "secret")
        yield* drain
        yield* post({ id: "1", to, letter, expires_at: 60_000 })
        yield* drain
      }).pipe(Effect.provide(actors))
      assert.deepStrictEqual(sent, ["1 a secret link"])
    })
  )

  it.effect("is sent after a crash by the next engine, and retried until the mailer accepts it", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const first = world(memory, Infinity)
      yield* Effect.gen(function* () {
        yield* (yield* MailboxActor.makePost)({ id: "1", to, letter, expires_at: 600_000 })
        memory.crash()
      }).pipe(Effect.provide(first.actors))
      const second = world(memory, 2)
      yield* Effect.gen(function* () {
        const system = yield* ActorSystem
        yield* system.start
        yield* system.drain
        assert.deepStrictEqual(second.sent, [])
        yield* Effect.andThen(TestClock.adjust("1 second"), system.drain)
        assert.deepStrictEqual(second.sent, [])
        yield* Effect.andThen(TestClock.adjust("5 seconds"), system.drain)
      }).pipe(Effect.scoped, Effect.provide(second.actors))
      assert.deepStrictEqual([first.sent, second.sent], [[], ["1 a secret link"]])
    })
  )

  it.effect("is not sent after it has expired", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const { actors, sent } = world(memory, 0)
      yield* Effect.gen(function* () {
        const { drain } = yield* ActorSystem
        yield* TestClock.setTime(60_000)
        yield* (yield* MailboxActor.makePost)({ id: "1", to, letter, expires_at: 60_000 })
        yield* drain
      }).pipe(Effect.provide(actors))
      assert.deepStrictEqual(sent, [])
      assert.deepInclude(JSON.parse(memory.tables.snapshot("Mailbox", to)?.state ?? ""), { pending: [] })
    })
  )
})
