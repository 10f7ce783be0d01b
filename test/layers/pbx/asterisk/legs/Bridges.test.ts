// No bridge outlives the talks in it: Asterisk deletes none by itself.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { AriEvent } from "../../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { toSessionId } from "../../../../../src/domain/BrandedIds.ts"
import { at, makeWorld } from "../../../../support/AsteriskWorld.ts"

const ids = ["HD_a", "HD_b", "HD_c"].map(toSessionId)
const [a, b, c] = ids as [(typeof ids)[number], (typeof ids)[number], (typeof ids)[number]]
const action = { kind: "originate", to: "+15550000200", from: "+1", caller_id: "+1", timeout_seconds: 35 } as const
const up = (id: string): AriEvent => ({ type: "ChannelStateChange", ...at(0), channel: { id, state: "Up" } })
const gone = (id: string): AriEvent => ({ type: "ChannelDestroyed", ...at(1), channel: { id, state: "Up" }, cause: 16 })

/** Legs that talk, and the requests about bridges. */
const talking = (answer?: Parameters<typeof makeWorld>[0]) =>
  Effect.gen(function* () {
    const world = yield* makeWorld(answer)
    for (const id of ids) {
      yield* world.ask(action, `${id}:originate`, id)
      yield* world.hear(up(id))
    }
    const connect = (one: typeof a, other: typeof a) =>
      world.ask({ kind: "bridge", peer_session_id: other }, `${one}:${other}`, one)
    const about = () => world.asked.filter((request) => request.includes(" /bridges/"))
    return { ...world, connect, about }
  })

describe("a bridge", () => {
  it.effect("is deleted when one of its two legs ends", () =>
    Effect.gen(function* () {
      const { about, connect, hear } = yield* talking()
      yield* connect(a, b)
      yield* hear(gone(b))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(about(), [
        `POST /bridges/bridge-${a}`,
        `POST /bridges/bridge-${a}/addChannel`,
        `DELETE /bridges/bridge-${a}`
      ])
    })
  )

  it.effect("stays while two legs are connected in it", () =>
    Effect.gen(function* () {
      const { about, connect, hear } = yield* talking()
      yield* connect(a, b)
      yield* connect(a, c)
      yield* hear(gone(b))
      yield* TestClock.adjust(1)
      assert.notInclude(about(), `DELETE /bridges/bridge-${a}`)
      yield* hear(gone(a))
      yield* TestClock.adjust(1)
      assert.strictEqual(about().at(-1), `DELETE /bridges/bridge-${a}`)
    })
  )

  it.effect("of a leg's next talk is another one, which the deletion of the first does not meet", () =>
    Effect.gen(function* () {
      const { about, connect, hear } = yield* talking()
      yield* connect(a, b)
      yield* hear(gone(b))
      yield* connect(a, c)
      yield* TestClock.adjust(1)
      assert.include(about(), `POST /bridges/bridge-${a}-2`)
      assert.notInclude(about(), `DELETE /bridges/bridge-${a}-2`)
    })
  )

  it.effect("is deleted if the legs could not be added to it", () =>
    Effect.gen(function* () {
      const { about, connect, said } = yield* talking((_, path) =>
        path.endsWith("/addChannel") ? { status: 422, body: {} } : undefined
      )
      yield* connect(a, b)
      yield* TestClock.adjust(1)
      assert.strictEqual(about().at(-1), `DELETE /bridges/bridge-${a}`)
      assert.include(said().at(-1), "leg.unbridged")
    })
  )

  it.effect("is deleted once Asterisk can be reached again", () =>
    Effect.gen(function* () {
      let away = true
      const { about, connect, hear } = yield* talking((method) => {
        if (method === "DELETE" && away) throw new Error("away")
        return undefined
      })
      yield* connect(a, b)
      yield* hear(gone(b))
      yield* TestClock.adjust("5 seconds")
      away = false
      const tries = about().length
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(about(), tries + 1)
    })
  )
})

describe("a bridge of an engine before this one", () => {
  const channelOf = (id: string) => ({
    id,
    state: "Up",
    creationtime: "2026-11-20T11:59:00.000+0000",
    channelvars: { TRUNKLINE_TENANT: "t1" }
  })
  const bridges = [
    { id: `bridge-${a}`, name: "trunkline", channels: [a, b] },
    { id: "bridge-HD_x", name: "trunkline", channels: [] },
    { id: "early-HD_y", name: "trunkline", channels: [] },
    { id: "bridge-HD_z", name: "another", channels: [] }
  ]
  const after = Effect.gen(function* () {
    const world = yield* makeWorld((method, path) => {
      if (method !== "GET") return undefined
      if (path === "/channels") return { status: 200, body: [channelOf(a), channelOf(b)] }
      return path === "/bridges" ? { status: 200, body: bridges } : undefined
    })
    yield* Effect.orDie(world.pbx.reconcile(Effect.void))
    yield* TestClock.adjust(1)
    return world
  })

  it.effect("is deleted if it is empty and the engine's own", () =>
    Effect.gen(function* () {
      const { asked } = yield* after
      assert.deepStrictEqual(
        asked.filter((request) => request.startsWith("DELETE")),
        ["DELETE /bridges/bridge-HD_x", "DELETE /bridges/early-HD_y"]
      )
    })
  )

  it.effect("connects its legs on, which are told when the other ends", () =>
    Effect.gen(function* () {
      const { asked, hear, told } = yield* after
      yield* hear({ ...gone(b), channel: channelOf(b) } as AriEvent)
      yield* TestClock.adjust(1)
      assert.deepInclude(told.at(-1), { type: "leg.unbridged", session_id: a })
      assert.strictEqual(asked.at(-1), `DELETE /bridges/bridge-${a}`)
    })
  )
})
