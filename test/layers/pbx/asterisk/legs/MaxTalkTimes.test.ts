// How Asterisk's own timer is set, so that Asterisk ends a call at its talk limit even without an engine.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { storedVariables } from "../../../../../src/layers/pbx/asterisk/legs/Originate.ts"
import { at, channel, destroyed, id, makeWorld, request, start, state } from "../../../../support/AsteriskWorld.ts"

const clock = "TIMEOUT(absolute)"
const action = { kind: "originate", to: "+15550000200", from: "+1", caller_id: "+1", timeout_seconds: 35 } as const
const instant = (ms: number) => new Date(start + ms).toISOString()

/** A leg with this limit in seconds, answered after 10 s. */
const talking = (talk_limit_seconds?: number, answer?: Parameters<typeof makeWorld>[0]) =>
  Effect.gen(function* () {
    const world = yield* makeWorld(answer)
    yield* world.ask({ ...action, ...(talk_limit_seconds !== undefined && { talk_limit_seconds }) }, "o1")
    yield* TestClock.adjust("10 seconds")
    yield* world.hear(state(10_000, "Up"))
    yield* TestClock.adjust(1)
    return world
  })

describe("Asterisk's own timer", () => {
  it("covers the ringing and the talk of an inbound call from its beginning", () => {
    assert.isAtLeast(Number(storedVariables("t1")[clock]), 20 + 10 * 600 + 14_460)
  })

  it.effect("is set at the answer for a short limit, and needs no request for the maximum limit", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* talking(120)).set, [`${id} ${clock} 120`])
      const { asked, set } = yield* talking(14_460)
      assert.deepStrictEqual([set, asked], [[], ["POST /channels/create", `GET /channels/${id}/variable`]])
    })
  )

  it.effect("is set to the remaining time of the latest limit", () =>
    Effect.gen(function* () {
      const { ask, set } = yield* talking(14_460)
      yield* TestClock.adjust("50 seconds")
      yield* ask({ kind: "limit", seconds: 180, answered_at: instant(10_000) })
      yield* ask({ kind: "limit", seconds: 240, answered_at: instant(10_000) })
      assert.deepStrictEqual(set, [`${id} ${clock} ${180 - 50.001}`, `${id} ${clock} ${240 - 50.001}`])
    })
  )

  it.effect("is never switched off: a limit in the past ends the talk within a second", () =>
    Effect.gen(function* () {
      const { ask, set } = yield* talking(14_460)
      yield* TestClock.adjust("5 minutes")
      yield* ask({ kind: "limit", seconds: 60 })
      assert.deepStrictEqual(set, [`${id} ${clock} 1`])
    })
  )

  it.effect("is set at the answer if the limit arrives earlier", () =>
    Effect.gen(function* () {
      const { ask, hear, originate, set } = yield* makeWorld()
      yield* originate
      yield* ask({ kind: "limit", seconds: 60 })
      assert.deepStrictEqual(set, [])
      yield* hear(state(0, "Up"))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(set, [`${id} ${clock} 60`])
    })
  )

  it.effect("is set over ARI if the manager interface refuses", () =>
    Effect.gen(function* () {
      const { ask, asked, lets_set } = yield* talking(14_460)
      lets_set.now = false
      yield* ask({ kind: "limit", seconds: 60 })
      assert.deepStrictEqual(asked, [
        "POST /channels/create",
        `GET /channels/${id}/variable`,
        `POST /channels/${id}/variable`
      ])
    })
  )

  it.effect("is set again until Asterisk can be reached", () =>
    Effect.gen(function* () {
      let away = true
      const { asked, lets_set, hear, ask } = yield* makeWorld((_, path) => {
        if (away && path.endsWith("/variable")) throw new Error("away")
        return undefined
      })
      lets_set.now = false
      yield* ask({ ...action, talk_limit_seconds: 120 }, "o1")
      yield* hear(state(0, "Up"))
      yield* TestClock.adjust("1 second")
      away = false
      yield* TestClock.adjust("1 second")
      const tries = asked.length
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(asked.length, tries)
      assert.isAbove(tries, 3)
    })
  )

  it.effect("is set before an inbound call is answered", () =>
    Effect.gen(function* () {
      const { ask, asked, hear, legs, set } = yield* makeWorld()
      const came = {
        id: "1795341600.1",
        state: "Ring",
        name: "PJSIP/carrier-00000001",
        dialplan: { exten: "+254700000001" },
        caller: { number: "+254711000001", name: "" }
      }
      yield* hear({ type: "StasisStart", ...at(0), channel: came, args: ["inbound", "carrier"] })
      yield* TestClock.adjust(1)
      const [session] = legs.live.keys()
      yield* ask({ kind: "answer", talk_limit_seconds: 180 }, "a1", session)
      assert.deepStrictEqual(set, [`1795341600.1 ${clock} 180`])
      assert.strictEqual(asked.at(-1), "POST /channels/1795341600.1/answer")
    })
  )
})

describe("a talk that Asterisk has ended by itself", () => {
  it.effect("is reported with talk_limit only if it reached its limit", () =>
    Effect.gen(function* () {
      const reached = yield* talking(120)
      yield* reached.hear(destroyed(130_000, 0))
      assert.strictEqual(reached.said().at(-1), "3 leg.hangup 200 platform talk_limit")
      const early = yield* talking(120)
      yield* early.hear(destroyed(100_000, 0))
      assert.strictEqual(early.said().at(-1), "3 leg.hangup 200 platform")
      const hungUp = yield* talking(120)
      yield* hungUp.hear(request(130_000), destroyed(130_000, 16))
      assert.strictEqual(hungUp.said().at(-1), "3 leg.hangup 200 callee")
    })
  )

  it.effect("without an engine is reported with talk_limit, because nothing else ends it in this way", () =>
    Effect.gen(function* () {
      const { hear, pbx, said } = yield* makeWorld((_, path) =>
        path === "/channels" ? { status: 200, body: [] } : undefined
      )
      const gone = {
        id,
        state: "Up",
        creationtime: "2026-11-20T11:59:00.000+0000",
        channelvars: { TRUNKLINE_TENANT: "t1" }
      }
      yield* Effect.orDie(
        pbx.reconcile(
          hear({ type: "StasisEnd", ...at(0), channel: gone }, { ...destroyed(1, 0), channel: gone } as ReturnType<
            typeof destroyed
          >)
        )
      )
      assert.strictEqual(said().at(-1), "61002 leg.hangup 200 platform talk_limit")
    })
  )

  it.effect("is limited from the answer time that the engine knows, if its channel was resumed", () =>
    Effect.gen(function* () {
      const there = {
        id,
        state: "Up",
        creationtime: "2026-11-20T11:59:00.000+0000",
        channelvars: { TRUNKLINE_TENANT: "t1" }
      }
      const { ask, pbx, set } = yield* makeWorld((_, path) =>
        path === "/channels" ? { status: 200, body: [there] } : undefined
      )
      yield* Effect.orDie(pbx.reconcile(Effect.void))
      yield* ask({ kind: "limit", seconds: 180, answered_at: instant(-50_000) }, "l1", channel("Up").channel.id)
      assert.deepStrictEqual(set, [`${id} ${clock} 130`])
    })
  )
})
