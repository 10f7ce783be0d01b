// Translates the events of Asterisk, as Asterisk 22 sends them, into the events that the engine receives.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AriAway } from "../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import type { AriEvent } from "../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { at, channel, destroyed, dial, id, makeWorld, request, stasis, state } from "../../../support/AsteriskWorld.ts"
import { toSessionId } from "../../../../src/domain/BrandedIds.ts"

describe("an outbound leg", () => {
  it.effect.each([
    [
      "that is answered and hung up by the far end",
      [
        dial(34, ""),
        state(53, "Ringing"),
        dial(53, "RINGING"),
        state(357, "Up"),
        dial(358, "ANSWER"),
        stasis(358),
        request(1863),
        destroyed(1863, 16)
      ],
      ["2 leg.ringing 180", "3 leg.answered 200", "4 leg.hangup 200 callee"]
    ],
    [
      "whose dial event arrives before the state change",
      [dial(29, "RINGING"), state(29, "Ringing"), stasis(300), request(400), destroyed(400, 16)],
      ["2 leg.ringing 180", "3 leg.answered 200", "4 leg.hangup 200 callee"]
    ],
    [
      "to a busy phone",
      [dial(2, ""), request(12), dial(12, "BUSY"), destroyed(12, 17, 486)],
      ["2 leg.hangup 486 callee"]
    ],
    [
      "that nobody answers",
      [dial(3, ""), dial(22, "RINGING"), state(22, "Ringing"), destroyed(3006, 19, 480)],
      ["2 leg.ringing 180", "3 leg.hangup 408 platform"]
    ],
    [
      "to an unknown number, for which Asterisk reports NOANSWER",
      [dial(2, ""), request(12), dial(12, "NOANSWER"), destroyed(12, 1, 404)],
      ["2 leg.hangup 404 carrier"]
    ],
    [
      "that Asterisk ends because of silence",
      [stasis(300), { ...request(5_000, true), cause: 1 }, destroyed(5_000, 44)],
      ["2 leg.answered 200", "3 leg.hangup 200 platform media_timeout"]
    ],
    [
      "with early media",
      [dial(2, ""), dial(20, "PROGRESS"), stasis(1_000), destroyed(2_000, 16)],
      ["2 leg.early_media 183", "3 leg.answered 200", "4 leg.hangup 200 platform"]
    ]
  ] as const)("reports the events of a call %s", ([, events, expected]) =>
    Effect.gen(function* () {
      const { hear, legs, originate, said } = yield* makeWorld()
      yield* originate
      yield* hear(...events)
      assert.deepStrictEqual(said(), ["1 session.created", ...expected])
      assert.strictEqual(legs.live.size, 0)
    })
  )

  it.effect("measures the duration from answer to hang-up by Asterisk's clock", () =>
    Effect.gen(function* () {
      const { hear, originate, told } = yield* makeWorld()
      yield* originate
      yield* hear(state(1_000, "Up"), stasis(1_010), request(31_500), destroyed(31_500, 16))
      assert.strictEqual(told.find(({ type }) => type === "leg.answered")?.occurred_at, "2026-11-20T12:00:01.000Z")
      assert.deepInclude(told.at(-1), { type: "leg.hangup", occurred_at: "2026-11-20T12:00:31.500Z" })
      assert.strictEqual(told.at(-1)?.data.duration_ms, 30_500)
    })
  )

  it.effect("creates one channel for a repeated originate command", () =>
    Effect.gen(function* () {
      const { asked, hear, originate } = yield* makeWorld()
      yield* originate
      yield* originate
      yield* hear(destroyed(10, 16))
      yield* originate
      assert.deepStrictEqual(asked, ["POST /channels/create"])
    })
  )

  it.effect.each<[string, number, object, ReadonlyArray<AriEvent>, ReadonlyArray<string>]>([
    [
      "has no SDP and has ended is none",
      404,
      {},
      [request(101), destroyed(101, 127, 406)],
      ["3 leg.hangup 406 carrier"]
    ],
    [
      "is followed by the end of the talk at once is one",
      404,
      {},
      [request(101), destroyed(101, 16)],
      ["3 leg.answered 200", "4 leg.hangup 200 callee"]
    ],
    [
      "has an address for its audio is one, even if codecs fail later",
      200,
      { value: "192.0.2.1:4000" },
      [request(900), destroyed(900, 58, 488)],
      ["3 leg.answered 200", "4 leg.hangup 200 platform media_failed"]
    ]
  ])("an answer that %s", ([, status, body, events, expected]) =>
    Effect.gen(function* () {
      const { hear, originate, said } = yield* makeWorld((method) => (method === "GET" ? { status, body } : undefined))
      yield* originate
      yield* hear(dial(10, "RINGING"), state(100, "Up"), ...events)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(said().slice(2), expected)
    })
  )

  it.effect("fails if the carrier is unreachable, and continues if the channel already exists", () =>
    Effect.gen(function* () {
      const nobody = yield* makeWorld(() => ({ status: 500, body: { error: "Allocation failed" } }))
      yield* nobody.originate
      assert.deepStrictEqual(nobody.said(), ["1 session.created", "2 leg.hangup 503 carrier"])
      const there = yield* makeWorld(() => ({ status: 409, body: {} }))
      yield* there.originate
      assert.deepStrictEqual(there.said(), ["1 session.created"])
    })
  )

  it.effect("reports 487 when the engine hangs up a ringing leg", () =>
    Effect.gen(function* () {
      const { ask, asked, hear, originate, said } = yield* makeWorld()
      yield* originate
      yield* ask({ kind: "hangup", cause: "answered_elsewhere" })
      yield* hear(request(20, true), dial(20, "NOANSWER"), destroyed(20, 26))
      assert.deepStrictEqual(said().at(-1), "2 leg.hangup 487 platform")
      assert.deepStrictEqual(asked.at(-1), `DELETE /channels/${id} answered_elsewhere`)
    })
  )
})

describe("an inbound call", () => {
  const channel_id = "1795341600.12"
  const session = toSessionId("HD_1795341600_12")
  const came = (to: string, accountcode = ""): AriEvent => ({
    type: "StasisStart",
    ...at(0),
    args: ["inbound", "carrier"],
    channel: {
      id: channel_id,
      state: "Ring",
      name: "PJSIP/carrier-0000000c",
      dialplan: { exten: to },
      caller: { number: "+254711000001", name: "" },
      accountcode
    }
  })
  const ended = (ms: number): AriEvent => ({ type: "StasisEnd", ...at(ms), ...channel("Up", channel_id) })
  const number = "+254700000001"

  it.effect("rings, is answered on the engine's command, and ends when its channel leaves the application", () =>
    Effect.gen(function* () {
      const { ask, asked, hear, said, told } = yield* makeWorld()
      yield* hear(came(number))
      assert.deepInclude(told[0], {
        type: "session.created",
        session_id: session,
        tenant_pbx_id: "t1",
        direction: "inbound",
        from: "+254711000001",
        to: number
      })
      assert.include(asked, `POST /channels/${channel_id}/ring`)
      yield* ask({ kind: "answer" }, "a1", session)
      assert.strictEqual(asked.at(-1), `POST /channels/${channel_id}/answer`)
      yield* hear(
        { type: "ChannelStateChange", ...at(100), ...channel("Up", channel_id) },
        { type: "ChannelHangupRequest", ...at(4_000), ...channel("Up", channel_id) },
        ended(4_000)
      )
      assert.deepStrictEqual(said(), ["1 session.created", "2 leg.answered 200", "3 leg.hangup 200 caller"])
    })
  )

  it.effect("ends with media_timeout when Asterisk receives no more audio", () =>
    Effect.gen(function* () {
      const { hear, told } = yield* makeWorld()
      yield* hear(came(number), { type: "ChannelStateChange", ...at(100), ...channel("Up", channel_id) })
      yield* hear(
        { type: "ChannelHangupRequest", ...at(31_000), ...channel("Up", channel_id), soft: true, cause: 1 },
        ended(31_000)
      )
      assert.deepInclude(told.at(-1)?.data, { source: "platform", q850: 44, reason: "media_timeout" })
    })
  )

  it.effect("is rejected with the SIP code of the engine's command", () =>
    Effect.gen(function* () {
      const { ask, asked, hear, said } = yield* makeWorld()
      yield* hear(came(number))
      yield* ask({ kind: "reject", sip_code: 486 }, "r1", session)
      yield* hear(ended(10))
      assert.strictEqual(asked.at(-1), `DELETE /channels/${channel_id} busy`)
      assert.strictEqual(said().at(-1), "2 leg.hangup 486 platform")
    })
  )

  it.effect("is rejected after the announcement has been played", () =>
    Effect.gen(function* () {
      const { ask, asked, hear, legs } = yield* makeWorld()
      yield* hear(came(number))
      yield* ask({ kind: "reject", sip_code: 480, announcement: "No money" }, "r1", session)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.deepStrictEqual(asked.slice(-2), [
        `POST /channels/${channel_id}/progress`,
        `POST /channels/${channel_id}/play`
      ])
      const [playback] = legs.live.get(session)!.playbacks.keys()
      yield* hear({ type: "PlaybackFinished", ...at(9), playback: { id: playback!, state: "done" } })
      assert.strictEqual(asked.at(-1), `DELETE /channels/${channel_id} no_answer`)
    })
  )

  it.effect("is hung up without a session if its number is unknown or its trunk belongs to another tenant", () =>
    Effect.gen(function* () {
      for (const event of [came("+15551234567"), came(number, "t2")]) {
        const { asked, hear, legs, told } = yield* makeWorld()
        yield* hear(event)
        assert.deepStrictEqual(
          [asked.filter((what) => !what.startsWith("GET")), told, legs.live.size],
          [[`DELETE /channels/${channel_id} unallocated`], [], 0]
        )
      }
    })
  )
})

describe("playback and gathering", () => {
  it.effect("reports the result of each playback with the id of its command", () =>
    Effect.gen(function* () {
      const { ask, hear, legs, originate, told } = yield* makeWorld()
      yield* originate
      yield* hear(state(1, "Up"))
      for (const command of ["s1", "s2", "s3"]) {
        yield* ask({ kind: "say", text: "Hi", loop: 1 }, command)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        const [playback] = legs.live.get(id)!.playbacks.keys()
        if (command === "s2") yield* ask({ kind: "cut", command_id: "s2" })
        yield* hear({
          type: "PlaybackFinished",
          ...at(9),
          playback: { id: playback!, state: command === "s3" ? "failed" : "done" }
        })
        yield* TestClock.adjust("250 millis")
      }
      const played = told
        .filter(({ type }) => type === "playback.finished")
        .map(({ data }) => [data.command_id, data.result])
      assert.deepStrictEqual(played, [
        ["s1", "completed"],
        ["s2", "cut"],
        ["s3", "failed"]
      ])
    })
  )

  it.effect("reports the hang-up and not the playback that it cut off", () =>
    Effect.gen(function* () {
      const { ask, hear, legs, originate, said } = yield* makeWorld()
      yield* originate
      yield* hear(state(1, "Up"))
      yield* ask({ kind: "say", text: "Hi", loop: 1 })
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      const [playback] = legs.live.get(id)!.playbacks.keys()
      yield* hear(
        { type: "PlaybackFinished", ...at(9), playback: { id: playback!, state: "failed" } },
        request(9),
        destroyed(9, 16)
      )
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(said(), ["1 session.created", "2 leg.answered 200", "3 leg.hangup 200 callee"])
    })
  )

  it.effect("retries a playback until Asterisk is back", () =>
    Effect.gen(function* () {
      let away = true
      const { ask, hear, originate, said, asked } = yield* makeWorld((_, path) => {
        if (away && path.endsWith("/play")) throw new AriAway({ cause: "away" })
        return undefined
      })
      yield* originate
      yield* hear(state(1, "Up"))
      yield* ask({ kind: "say", text: "Hi", loop: 1 })
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(said(), ["1 session.created", "2 leg.answered 200"])
      away = false
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked.filter((path) => path.endsWith("/play")).length, 8)
      assert.lengthOf(said(), 2)
    })
  )

  it.effect("gathers digits until the finish key", () =>
    Effect.gen(function* () {
      const { ask, hear, originate, told } = yield* makeWorld()
      yield* originate
      yield* hear(state(1, "Up"))
      yield* ask(
        {
          kind: "gather",
          min_digits: 1,
          max_digits: 4,
          finish_on_key: "#",
          timeout_ms: 5_000,
          inter_digit_timeout_ms: 3_000
        },
        "g1"
      )
      for (const digit of ["1", "2", "#"])
        yield* hear({ type: "ChannelDtmfReceived", ...at(9), ...channel("Up"), digit, duration_ms: 100 })
      assert.deepStrictEqual(
        told.filter(({ type }) => type === "dtmf").map(({ data }) => data.digit),
        ["1", "2", "#"]
      )
      assert.deepStrictEqual(told.at(-1)?.data, { command_id: "g1", result: "complete", digits: "12" })
    })
  )

  const listening = {
    kind: "gather",
    min_digits: 1,
    max_digits: 1,
    finish_on_key: "#",
    timeout_ms: 5_000,
    inter_digit_timeout_ms: 3_000
  } as const

  it.effect("gathers digits without speech recognition, and reports unavailable if only speech is wanted", () =>
    Effect.gen(function* () {
      const { ask, hear, originate, told } = yield* makeWorld()
      yield* originate
      yield* hear(state(1, "Up"))
      yield* ask({ ...listening, input: ["dtmf", "speech"] }, "g1")
      yield* hear({ type: "ChannelDtmfReceived", ...at(9), ...channel("Up"), digit: "1", duration_ms: 100 })
      assert.deepStrictEqual(told.at(-1)?.data, { command_id: "g1", result: "complete", digits: "1" })
      yield* ask({ ...listening, input: ["speech"] }, "g2")
      assert.deepStrictEqual(told.at(-1)?.data, { command_id: "g2", result: "unavailable", digits: "" })
    })
  )
})
