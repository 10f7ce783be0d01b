import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { AriEvent } from "../../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { NoSound } from "../../../../../src/layers/pbx/asterisk/sounds/NoSound.ts"
import type { Speech } from "../../../../../src/layers/pbx/asterisk/sounds/Speech.ts"
import { at, destroyed, makeWorld, stasis } from "../../../../support/AsteriskWorld.ts"

/** An answered call whose sounds are counted while they are held. */
const answeredCall = Effect.gen(function* () {
  const held = { now: 0 }
  const sound = Effect.sync(() => {
    held.now++
    return { path: "/sounds/a", release: () => void held.now-- }
  })
  const fetch: Speech["fetch"] = (_, url) =>
    url.endsWith("long.wav") ? new NoSound({ error: "sound_too_long", reason: "it lasts an hour" }) : sound
  const world = yield* makeWorld(() => undefined, { say: () => sound, fetch })
  yield* world.originate
  yield* world.hear(stasis(100))
  return { ...world, held }
})

const finished = (command_id: string): AriEvent => ({
  type: "PlaybackFinished",
  ...at(5_000),
  playback: { id: createHash("md5").update(command_id).digest("hex"), state: "done" }
})

describe("a sound", () => {
  it.effect("is kept until it has been played", () =>
    Effect.gen(function* () {
      const { ask, hear, held, told } = yield* answeredCall
      yield* ask({ kind: "say", text: "Hello.", loop: 2 }, "c1")
      yield* ask({ kind: "play", url: "https://example.com/a.wav", loop: 1 }, "c2")
      yield* Effect.yieldNow
      assert.strictEqual(held.now, 2)
      yield* hear(finished("c1"))
      assert.strictEqual(held.now, 1)
      yield* hear(finished("c2"))
      assert.strictEqual(held.now, 0)
      assert.strictEqual(told.filter(({ type }) => type === "playback.finished").length, 2)
    })
  )

  it.effect("is kept until the call ends", () =>
    Effect.gen(function* () {
      const { ask, hear, held } = yield* answeredCall
      yield* ask({ kind: "say", text: "Hello.", loop: 2 }, "c1")
      yield* Effect.yieldNow
      assert.strictEqual(held.now, 1)
      yield* hear(destroyed(6_000, 16))
      assert.strictEqual(held.now, 0)
    })
  )

  it.effect("that cannot be played is reported with the reason", () =>
    Effect.gen(function* () {
      const { ask, held, told } = yield* answeredCall
      yield* ask({ kind: "play", url: "https://example.com/long.wav", loop: 1 }, "c1")
      yield* Effect.yieldNow
      assert.deepInclude(told.at(-1), {
        type: "playback.finished",
        data: { command_id: "c1", result: "failed", error: "sound_too_long" }
      })
      assert.strictEqual(held.now, 0)
    })
  )
})
