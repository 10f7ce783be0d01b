// The timer of channels that are not answered yet, which Asterisk keeps even without an engine.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { AriEvent } from "../../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { channelRequest } from "../../../../../src/layers/pbx/asterisk/legs/Originate.ts"
import { isUnheard } from "../../../../../src/layers/pbx/asterisk/legs/RingTimers.ts"
import { at, destroyed, id, makeWorld, start, state } from "../../../../support/AsteriskWorld.ts"

const clock = "TIMEOUT(absolute)"
const action = { kind: "originate", to: "+15550000200", from: "+1", caller_id: "+1", timeout_seconds: 35 } as const
const created: AriEvent = { type: "StasisStart", ...at(0), channel: { id, state: "Down" }, args: ["out"] }

/** A gateway that connects to Asterisk, or that Asterisk connects to, with what it has set over ARI. */
const worldOf = (keeps_events: boolean, answer: Parameters<typeof makeWorld>[0] = () => undefined) =>
  Effect.gen(function* () {
    const timers: Array<string> = []
    const world = yield* makeWorld(
      (method, path, query) => {
        if (method === "POST" && query["variable"] === clock) timers.push(`${path} ${String(query["value"])}`)
        return answer(method, path, query)
      },
      undefined,
      keeps_events
    )
    return { ...world, timers }
  })

const ringing = (keeps_events: boolean, talk_limit_seconds?: number) =>
  Effect.gen(function* () {
    const world = yield* worldOf(keeps_events)
    yield* world.ask({ ...action, ...(talk_limit_seconds !== undefined && { talk_limit_seconds }) }, "o1")
    yield* world.hear(created)
    yield* TestClock.adjust(1)
    return world
  })

const path = `/channels/${id}/variable`

describe("the timer of a ringing channel", () => {
  it("ends a channel after ten seconds if the engine never dials it", () => {
    const wish = { app: "trunkline", channel: id, endpoint: "PJSIP/1@carrier", tenant_pbx_id: "t1", format: undefined }
    assert.deepInclude(channelRequest(wish, { ...action, talk_limit_seconds: 120 }).variables, {
      [clock]: "10",
      TRUNKLINE_TALK_LIMIT: "120"
    })
  })

  it.effect("covers the ringing and the talk from the dialling if Asterisk keeps its events, and is left alone", () =>
    Effect.gen(function* () {
      const limited = yield* ringing(true, 120)
      yield* limited.ring_timers.renew
      assert.deepStrictEqual(limited.timers, [`${path} 155`])
      assert.deepStrictEqual((yield* ringing(true)).timers, [`${path} 14495`])
    })
  )

  it.effect("is short otherwise, set again while it rings, and set to the talk at the answer", () =>
    Effect.gen(function* () {
      const { hear, ring_timers, set, timers } = yield* ringing(false)
      yield* ring_timers.renew
      assert.deepStrictEqual(timers, [`${path} 20`, `${path} 20`])
      yield* hear(state(1, "Up"))
      yield* TestClock.adjust(1)
      yield* ring_timers.renew
      assert.lengthOf(timers, 2)
      assert.deepStrictEqual(set, [`${id} ${clock} 14460`])
    })
  )

  it.effect("is not set for a leg that has ended, or whose channel is not dialled yet", () =>
    Effect.gen(function* () {
      const { hear, ring_timers, timers } = yield* ringing(false)
      yield* hear(destroyed(1, 17, 486))
      yield* ring_timers.renew
      assert.lengthOf(timers, 1)
      const early = yield* worldOf(false)
      yield* early.originate
      yield* early.ring_timers.renew
      assert.deepStrictEqual(early.timers, [])
    })
  )

  it.effect("does not shorten a talk if the answer and the renewal cross", () =>
    Effect.gen(function* () {
      let answering: Effect.Effect<void> | undefined
      const { ask, hear, ring_timers, timers } = yield* worldOf(false, (method, _, query) => {
        const answer = answering
        answering = undefined
        if (method === "POST" && query["variable"] === clock && answer !== undefined) Effect.runSync(answer)
        return undefined
      })
      yield* ask({ ...action, talk_limit_seconds: 120 }, "o1")
      yield* hear(created)
      yield* TestClock.adjust(1)
      answering = hear(state(1, "Up"))
      yield* ring_timers.renew
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(timers, [`${path} 20`, `${path} 20`, `${path} 120`])
    })
  )
})

describe("a channel of an earlier engine", () => {
  it.each([
    ["Up", 20, true],
    ["Up", 3, true],
    ["Up", 21, false],
    ["Up", 14_000, false],
    ["Ringing", 3, false],
    ["Down", 8, true],
    ["Down", 18, false],
    ["Down", 0, false],
    ["Up", 0, false]
  ] as const)("that is %s with %i s left is given up: %s", (name, remaining, expected) => {
    const creationtime = new Date(start - 2_000).toISOString().replace("Z", "+0000")
    assert.strictEqual(isUnheard({ state: name, creationtime }, remaining, start), expected)
  })

  const there = (keeps_events: boolean, timer: string, ...states: ReadonlyArray<readonly [string, string]>) =>
    worldOf(keeps_events, (method, path, query) => {
      if (method === "GET" && path === "/channels")
        return {
          status: 200,
          body: states.map(([channel_id, name]) => ({
            id: channel_id,
            state: name,
            creationtime: new Date(start - 2_000).toISOString().replace("Z", "+0000"),
            channelvars: { TRUNKLINE_TENANT: "t1" }
          }))
        }
      if (query["variable"] === clock && method === "GET") return { status: 200, body: { value: timer } }
      if (query["variable"] === "TRUNKLINE_TALK_LIMIT") return { status: 200, body: { value: "120" } }
      return undefined
    })

  it.effect("was answered unheard: it is hung up and reported as lost, and never placed again", () =>
    Effect.gen(function* () {
      const { asked, legs, originate, pbx, told } = yield* there(false, "17.5", [id, "Up"])
      yield* Effect.orDie(pbx.reconcile(Effect.void))
      yield* TestClock.adjust(1)
      assert.include(asked, `DELETE /channels/${id}`)
      assert.deepStrictEqual(
        told.map(({ data, type }) => [type, data.state]),
        [["session.snapshot", "absent"]]
      )
      assert.strictEqual(legs.live.size, 0)
      yield* originate
      assert.notInclude(asked, "POST /channels/create")
    })
  )

  it.effect("was answered unheard: Asterisk keeps the answer if it connects to the engine", () =>
    Effect.gen(function* () {
      const { pbx, said } = yield* there(true, "17.5", [id, "Up"])
      yield* Effect.orDie(pbx.reconcile(Effect.void))
      assert.lengthOf(said(), 1)
      assert.include(said()[0], "session.snapshot")
    })
  )

  it.effect("was never dialled: it is hung up, and the devices that ring go on", () =>
    Effect.gen(function* () {
      const [desk, mobile] = [`${id}~a`, `${id}~b`]
      const { asked, legs, pbx } = yield* there(false, "8", [desk, "Down"], [mobile, "Ringing"])
      yield* Effect.orDie(pbx.reconcile(Effect.void))
      yield* TestClock.adjust(1)
      assert.include(asked, `DELETE /channels/${desk}`)
      assert.notInclude(asked, `DELETE /channels/${mobile}`)
      assert.deepStrictEqual([...legs.live.get(id)!.branches.keys()], [mobile])
    })
  )

  it.effect("still rings: its timer is set on, and its own talk limit at the answer", () =>
    Effect.gen(function* () {
      const { hear, pbx, ring_timers, set, timers } = yield* there(false, "18", [id, "Ringing"])
      yield* Effect.orDie(pbx.reconcile(Effect.void))
      yield* TestClock.adjust(1)
      yield* ring_timers.renew
      assert.deepStrictEqual(timers, [`${path} 20`])
      yield* hear(state(1, "Up"))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(set, [`${id} ${clock} 120`])
    })
  )
})

describe("a leg that is answered while the connection is broken", () => {
  it.effect("is hung up and reported as lost, unless the answer is reported a little later", () =>
    Effect.gen(function* () {
      for (const late of [false, true]) {
        const { asked, hear, legs, originate, pbx, said } = yield* worldOf(false, (method, path) =>
          method === "GET" && path === "/channels" ? { status: 200, body: [{ id, state: "Up" }] } : undefined
        )
        yield* originate
        yield* hear(created)
        yield* Effect.orDie(pbx.reconcile(Effect.void))
        if (late) yield* hear(state(1, "Up"))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(asked.includes(`DELETE /channels/${id}`), !late)
        assert.strictEqual(legs.live.size, late ? 1 : 0)
        assert.include(said().at(-1), late ? "leg.answered" : "session.snapshot")
      }
    })
  )
})
