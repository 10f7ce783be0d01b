// A far end that answers without SDP: Asterisk reports the answer, and ends the channel shortly after.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { AriResponse } from "../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import { destroyed, makeWorld, state } from "../../../support/AsteriskWorld.ts"

const action = { kind: "originate", to: "+15550000200", from: "+1", caller_id: "+1", timeout_seconds: 35 } as const

/** A leg that is picked up after 10 s, while Asterisk says this of where its audio goes. */
const pickedUp = (answer: AriResponse) =>
  Effect.gen(function* () {
    const world = yield* makeWorld((_, path) => (path.endsWith("/variable") ? answer : undefined))
    yield* world.ask(action, "o1")
    yield* TestClock.adjust("10 seconds")
    yield* world.hear(state(10_000, "Up"))
    yield* TestClock.adjust(1)
    return world
  })

const none: AriResponse = { status: 200, body: { value: "(null):0" } }
/** The session has ended, and the channel not yet. */
const unreadable: AriResponse = { status: 500, body: { message: "Unable to read provided function" } }
const known: AriResponse = { status: 200, body: { value: "192.0.2.7:4000" } }

describe("a call that is picked up", () => {
  it.effect.each<[string, AriResponse, number]>([
    ["has no address for its audio, and ends after a second", none, 1_000],
    ["cannot be read, and ends at once", unreadable, 10],
    ["cannot be read, and ends after a second", unreadable, 1_000]
  ])("is not answered if its channel %s", ([, answer, ends_after]) =>
    Effect.gen(function* () {
      const { hear, said } = yield* pickedUp(answer)
      yield* TestClock.adjust(ends_after)
      yield* hear(destroyed(10_000 + ends_after, 127, 406))
      assert.deepStrictEqual(said(), ["1 session.created", "2 leg.hangup 406 carrier"])
    })
  )

  it.effect("is answered at once if its audio has an address", () =>
    Effect.gen(function* () {
      const { said } = yield* pickedUp(known)
      assert.deepStrictEqual(said(), ["1 session.created", "2 leg.answered 200"])
    })
  )

  it.effect.each<[string, AriResponse]>([
    ["has no address for its audio", none],
    ["cannot be read", unreadable]
  ])("is answered after all if its channel %s, but lives on", ([, answer]) =>
    Effect.gen(function* () {
      const { said, told } = yield* pickedUp(answer)
      assert.deepStrictEqual(said(), ["1 session.created"])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(said(), ["1 session.created", "2 leg.answered 200"])
      assert.strictEqual(told.at(-1)?.occurred_at, "2026-11-20T12:00:10.000Z")
    })
  )
})
