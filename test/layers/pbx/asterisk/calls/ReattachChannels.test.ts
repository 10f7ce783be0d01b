// How the gateway catches up with Asterisk after the connection was lost.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { AriEvent } from "../../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { at, destroyed, dial, id, makeWorld, request, state } from "../../../../support/AsteriskWorld.ts"

describe("a restored connection", () => {
  const there = (...channels: ReadonlyArray<object>) =>
    makeWorld((_, path) => (path === "/channels" ? { status: 200, body: channels } : undefined))

  it.effect("resumes the channels of an earlier engine, with sequence numbers above any that it may have used", () =>
    Effect.gen(function* () {
      const channelvars = { TRUNKLINE_TENANT: "t1" }
      const { legs, pbx, told } = yield* there(
        { id, state: "Up", creationtime: "2026-11-20T11:59:00.000+0000", channelvars },
        { id: "snoop-1", state: "Up" },
        { id: "HD_b", state: "Ring" }
      )
      yield* Effect.orDie(pbx.reconcile(Effect.void))
      assert.deepStrictEqual([...legs.live.keys()], [id])
      assert.deepInclude(told[0], { type: "session.snapshot", session_id: id, tenant_pbx_id: "t1", seq: 61_001 })
      assert.strictEqual(told[0]?.data.state, "answered")
    })
  )

  const nothingThere = () =>
    makeWorld((method, path) =>
      path === "/channels" && method === "GET"
        ? { status: 200, body: [] }
        : path === `/channels/${id}`
          ? { status: 404, body: {} }
          : undefined
    )

  it.effect("reports lost sessions after a delay in which their end may still arrive", () =>
    Effect.gen(function* () {
      const { legs, originate, pbx, told } = yield* nothingThere()
      yield* originate
      yield* Effect.orDie(pbx.reconcile(Effect.void))
      assert.strictEqual(legs.live.size, 1)
      yield* TestClock.adjust("1 second")
      assert.deepInclude(told.at(-1), { type: "session.snapshot", session_id: id })
      assert.strictEqual(told.at(-1)?.data.state, "absent")
      assert.strictEqual(legs.live.size, 0)
    })
  )

  it.effect("accepts a late end, and no other event", () =>
    Effect.gen(function* () {
      const { hear, originate, pbx, said } = yield* nothingThere()
      yield* originate
      yield* hear(state(100, "Up"))
      yield* Effect.orDie(pbx.reconcile(hear(request(2_000), destroyed(2_000, 16))))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(said(), ["1 session.created", "2 leg.answered 200", "3 leg.hangup 200 callee"])
    })
  )

  it.effect("hangs up channels of sessions that have ended", () =>
    Effect.gen(function* () {
      const { asked, hear, originate } = yield* makeWorld((method, path) => {
        if (method === "POST" && path === "/channels/create") throw new Error("no answer")
        return undefined
      })
      yield* originate
      yield* hear(dial(10, ""), request(20, true), destroyed(20, 16))
      assert.deepStrictEqual(asked, ["POST /channels/create", `DELETE /channels/${id}`])
    })
  )

  it.effect("reports nothing new about an end that is not acknowledged yet", () =>
    Effect.gen(function* () {
      const { ask, owed, told } = yield* makeWorld()
      owed.add(id)
      yield* ask({ kind: "snapshot" })
      assert.deepStrictEqual(told, [])
      owed.clear()
      yield* ask({ kind: "snapshot" })
      assert.strictEqual(told[0]?.data.state, "absent")
    })
  )
})

describe("an event that happened while there was no engine", () => {
  const creationtime = "2026-11-20T11:59:00.000+0000"
  const channelOf = (state: string, channel_id: string = id) => ({
    id: channel_id,
    state,
    creationtime,
    channelvars: { TRUNKLINE_TENANT: "t1" }
  })
  const of = (state: string, channel_id: string = id) => ({ channel: channelOf(state, channel_id) })
  const there = (...channels: ReadonlyArray<object>) =>
    makeWorld((_, path) => (path === "/channels" ? { status: 200, body: channels } : undefined))
  const up = (ms: number): AriEvent => ({ type: "ChannelStateChange", ...at(ms), ...of("Up") })
  const asked = (ms: number, state: string, soft?: boolean): AriEvent => ({
    type: "ChannelHangupRequest",
    ...at(ms),
    ...of(state),
    ...(soft !== undefined && { soft })
  })
  const gone = (ms: number, state: string, cause: number, tech_cause?: number): AriEvent => ({
    type: "ChannelDestroyed",
    ...at(ms),
    ...of(state),
    cause,
    ...(tech_cause !== undefined && { tech_cause })
  })

  it.effect.each([
    [
      "a call was hung up",
      [asked(-9_000, "Up"), gone(-9_000, "Up", 16)],
      ["session.snapshot", "leg.hangup 200 callee"]
    ],
    [
      "a phone was answered and hung up",
      [up(-20_000), asked(-9_000, "Up"), gone(-9_000, "Up", 0)],
      ["session.snapshot", "leg.answered 200", "leg.hangup 200 callee"]
    ],
    ["a phone was not answered", [gone(-9_000, "Ringing", 19, 480)], ["session.snapshot", "leg.hangup 408 platform"]],
    [
      "a phone was busy",
      [asked(-9_000, "Down"), gone(-9_000, "Down", 17, 486)],
      ["session.snapshot", "leg.hangup 486 callee"]
    ],
    [
      "a hang-up that the earlier engine requested took effect",
      [asked(-9_000, "Ringing", true), gone(-9_000, "Ringing", 16)],
      ["session.snapshot", "leg.hangup 487 platform"]
    ]
  ] as const)("is reported with the time at which it happened: %s", ([, events, expected]) =>
    Effect.gen(function* () {
      const { hear, legs, pbx, said, told } = yield* there()
      yield* Effect.orDie(pbx.reconcile(hear(...events)))
      assert.deepStrictEqual<ReadonlyArray<string>>(
        said().map((line) => line.replace(/^\d+ /, "")),
        expected
      )
      assert.deepStrictEqual(
        told.map(({ seq }) => seq),
        told.map((_, index) => 61_001 + index)
      )
      assert.strictEqual(told.at(-1)?.occurred_at, "2026-11-20T11:59:51.000Z")
      assert.strictEqual(legs.live.size, 0)
    })
  )

  it.effect("is reported for each device that rang, whether it still rings or not", () =>
    Effect.gen(function* () {
      const [desk, mobile, browser] = [id, `${id}~1`, `${id}~2`]
      const ended = (channel_id: string, cause: number, tech_cause: number): AriEvent => ({
        type: "ChannelDestroyed",
        ...at(-9_000),
        ...of("Ringing", channel_id),
        cause,
        tech_cause
      })
      const { hear, legs, pbx, said } = yield* there(channelOf("Ringing", mobile), channelOf("Ringing", browser))
      yield* Effect.orDie(pbx.reconcile(hear(ended(desk, 17, 486))))
      assert.deepStrictEqual(
        said().map((line) => line.replace(/^\d+ /, "")),
        ["session.snapshot"]
      )
      yield* hear({ type: "ChannelStateChange", ...at(0), ...of("Up", browser) }, ended(mobile, 26, 487))
      assert.strictEqual(legs.live.get(id)?.channel, browser)
      assert.deepStrictEqual(said().at(-1)?.replace(/^\d+ /, ""), "leg.answered 200")
    })
  )

  it.effect("is ignored for channels that do not belong to the engine", () =>
    Effect.gen(function* () {
      const { hear, pbx, told } = yield* there({ id: "snoop-1", state: "Up" })
      yield* Effect.orDie(
        pbx.reconcile(
          hear({
            type: "ChannelDestroyed",
            ...at(0),
            channel: { id: "snoop-2", state: "Up", channelvars: { TRUNKLINE_TENANT: "" } },
            cause: 16
          })
        )
      )
      assert.deepStrictEqual(told, [])
    })
  )
})
