// What Asterisk tells, event by event, as it was told by Asterisk 22, becomes what the engine is told.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type AriResponse, AriAway } from "../../../../src/layers/pbx/asterisk/Ari.ts"
import type { AriEvent } from "../../../../src/layers/pbx/asterisk/AriEvent.ts"
import { at, channel, destroyed, dial, id, makeWorld, request, stasis, state } from "../../../support/AsteriskWorld.ts"

describe("an outbound leg", () => {
  it.effect.each([
    [
      "answered, and the far end hangs up",
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
      "ringing told the other way round",
      [dial(29, "RINGING"), state(29, "Ringing"), stasis(300), request(400), destroyed(400, 16)],
      ["2 leg.ringing 180", "3 leg.answered 200", "4 leg.hangup 200 callee"]
    ],
    ["busy", [dial(2, ""), request(12), dial(12, "BUSY"), destroyed(12, 17, 486)], ["2 leg.hangup 486 callee"]],
    [
      "no answer",
      [dial(3, ""), dial(22, "RINGING"), state(22, "Ringing"), destroyed(3006, 19, 480)],
      ["2 leg.ringing 180", "3 leg.hangup 408 platform"]
    ],
    [
      "a wrong number, which is called NOANSWER",
      [dial(2, ""), request(12), dial(12, "NOANSWER"), destroyed(12, 1, 404)],
      ["2 leg.hangup 404 carrier"]
    ],
    [
      "silence, where Asterisk is to end it",
      [stasis(300), { ...request(5_000, true), cause: 1 }, destroyed(5_000, 44)],
      ["2 leg.answered 200", "3 leg.hangup 200 platform media_timeout"]
    ],
    [
      "early media",
      [dial(2, ""), dial(20, "PROGRESS"), stasis(1_000), destroyed(2_000, 16)],
      ["2 leg.early_media 183", "3 leg.answered 200", "4 leg.hangup 200 platform"]
    ]
  ] as const)("%s", ([, events, expected]) =>
    Effect.gen(function* () {
      const { hear, legs, originate, said } = yield* makeWorld()
      yield* originate
      yield* hear(...events)
      assert.deepStrictEqual(said(), ["1 session.created", ...expected])
      assert.strictEqual(legs.live.size, 0)
    })
  )

  it.effect("lasts from the answer to the end by Asterisk's clock", () =>
    Effect.gen(function* () {
      const { hear, originate, told } = yield* makeWorld()
      yield* originate
      yield* hear(state(1_000, "Up"), stasis(1_010), request(31_500), destroyed(31_500, 16))
      assert.strictEqual(told.find(({ type }) => type === "leg.answered")?.occurred_at, "2026-11-20T12:00:01.000Z")
      assert.deepInclude(told.at(-1), { type: "leg.hangup", occurred_at: "2026-11-20T12:00:31.500Z" })
      assert.strictEqual(told.at(-1)?.data.duration_ms, 30_500)
    })
  )

  it.effect("rings once, however often it is asked for", () =>
    Effect.gen(function* () {
      const { asked, hear, originate } = yield* makeWorld()
      yield* originate
      yield* originate
      yield* hear(destroyed(10, 16))
      yield* originate
      assert.deepStrictEqual(asked, ["POST /channels"])
    })
  )

  it.effect("fails where nobody is registered, and goes on where the channel is there already", () =>
    Effect.gen(function* () {
      const nobody = yield* makeWorld(() => ({ status: 500, body: { error: "Allocation failed" } }))
      yield* nobody.originate
      assert.deepStrictEqual(nobody.said(), ["1 session.created", "2 leg.hangup 480 carrier"])
      const there = yield* makeWorld(() => ({ status: 409, body: {} }))
      yield* there.originate
      assert.deepStrictEqual(there.said(), ["1 session.created"])
    })
  )

  it.effect("ends as canceled where the engine asked for it", () =>
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

describe("a user with several devices", () => {
  const devices = [
    "PJSIP/1001-ab/sip:desk@192.0.2.7:5060",
    "PJSIP/1001-ab-web/sip:x@127.0.0.1:4000;transport=ws",
    "PJSIP/1001-ab-web/sip:y@127.0.0.1:4001;transport=ws"
  ]
  const [desk, one, two] = [`${id}~a`, `${id}~b`, `${id}~c`] as const
  const makeDevices = (count = 3, answer: (path: string) => AriResponse | undefined = () => undefined) =>
    Effect.gen(function* () {
      const world = yield* makeWorld((_, path, { variable }) => {
        const web = String(variable).includes("-web")
        const value = devices
          .slice(0, count)
          .filter((device) => device.includes("-web/") === web)
          .join("&")
        return path.endsWith("/variable") ? { status: 200, body: { value } } : answer(path)
      })
      const dialled = world.ask(
        {
          kind: "originate",
          to: "sip:1001@pbx",
          endpoint: "1001-ab",
          from: "+1",
          caller_id: "+1",
          timeout_seconds: 30
        },
        "o1"
      )
      const asked = () => world.asked.filter((path) => !path.includes("lookup-") && !path.includes("/create"))
      return { ...world, dialled, asked }
    })
  const up = (ms: number, channel_id: string): AriEvent => ({
    type: "StasisStart",
    ...at(ms),
    ...channel("Up", channel_id),
    args: ["out"]
  })
  const rings = (ms: number, channel_id: string): AriEvent => ({
    type: "ChannelStateChange",
    ...at(ms),
    ...channel("Ringing", channel_id)
  })
  const ends = (ms: number, channel_id: string, cause: number, tech_cause?: number): AriEvent =>
    ({ ...destroyed(ms, cause, tech_cause), ...channel("Down", channel_id) }) as AriEvent
  const refuses = (ms: number, channel_id: string, cause: number, tech_cause: number): ReadonlyArray<AriEvent> => [
    { type: "ChannelHangupRequest", ...at(ms), ...channel("Down", channel_id) },
    ends(ms, channel_id, cause, tech_cause)
  ]

  it.effect("rings on all of them; the first to answer is the leg, and the others are let go", () =>
    Effect.gen(function* () {
      const { ask, asked, dialled, hear, legs, said } = yield* makeDevices()
      yield* dialled
      assert.deepStrictEqual(
        asked(),
        [desk, one, two].map((name) => `POST /channels ${name}`)
      )
      yield* hear(rings(10, desk), rings(20, one), up(500, one))
      assert.deepStrictEqual(asked().slice(3), [
        `DELETE /channels/${desk} answered_elsewhere`,
        `DELETE /channels/${two} answered_elsewhere`
      ])
      yield* hear(ends(510, desk, 26), up(511, two))
      assert.strictEqual(asked().at(-1), `DELETE /channels/${two} answered_elsewhere`)
      yield* hear(ends(520, two, 26))
      assert.strictEqual(legs.live.size, 1)
      yield* ask({ kind: "mute", on: true })
      assert.strictEqual(asked().at(-1), `POST /channels/${one}/mute`)
      yield* hear({ type: "ChannelHangupRequest", ...at(900), ...channel("Up", one) }, ends(900, one, 16))
      assert.deepStrictEqual(said(), [
        "1 session.created",
        "2 leg.ringing 180",
        "3 leg.answered 200",
        "4 leg.hangup 200 callee"
      ])
    })
  )

  it.effect.each<[string, ReadonlyArray<AriEvent>, string]>([
    ["busy where all are", [...refuses(5, desk, 17, 486), ...refuses(6, one, 17, 486)], "486 callee"],
    [
      "unanswered where one rang to the end",
      [...refuses(5, desk, 17, 486), rings(6, one), ends(30_000, one, 19, 480)],
      "408 platform"
    ],
    ["busy where the rest cannot be reached", [ends(5, desk, 20, 480), ...refuses(6, one, 17, 486)], "486 callee"],
    [
      "refused where somebody refuses for all",
      [rings(4, desk), ...refuses(5, one, 21, 603), ends(6, desk, 16)],
      "603 callee"
    ]
  ])("is %s", ([, events, expected]) =>
    Effect.gen(function* () {
      const { dialled, hear, legs, said } = yield* makeDevices(2)
      yield* dialled
      yield* hear(...events.slice(0, -1))
      assert.strictEqual(legs.live.size, 1)
      yield* hear(events.at(-1)!)
      assert.match(said().at(-1)!, new RegExp(`leg.hangup ${expected}$`))
      assert.strictEqual(legs.live.size, 0)
    })
  )

  it.effect("is let go on all of them when the caller gives up", () =>
    Effect.gen(function* () {
      const { ask, asked, dialled, hear, said } = yield* makeDevices(2)
      yield* dialled
      yield* hear(rings(10, desk))
      yield* ask({ kind: "hangup", cause: "normal_clearing" })
      assert.deepStrictEqual(asked().slice(-2), [`DELETE /channels/${desk} normal`, `DELETE /channels/${one} normal`])
      yield* hear(ends(20, desk, 16), ends(21, one, 16))
      assert.strictEqual(said().at(-1), "3 leg.hangup 487 platform")
    })
  )

  it.effect("is not there where none is registered, and with one it is one channel", () =>
    Effect.gen(function* () {
      const nobody = yield* makeDevices(0)
      yield* nobody.dialled
      assert.deepStrictEqual([nobody.said(), nobody.asked()], [["1 session.created", "2 leg.hangup 480 carrier"], []])
      const single = yield* makeDevices(1)
      yield* single.dialled
      yield* single.dialled
      assert.deepStrictEqual(single.asked(), ["POST /channels"])
    })
  )

  it.effect(
    "goes on ringing where one of them could not be called, and is hung up on where it answers what is over",
    () =>
      Effect.gen(function* () {
        let failing = true
        const { asked, dialled, hear, said } = yield* makeDevices(2, (path) => {
          if (path !== "/channels" || !failing) return undefined
          failing = false
          throw new AriAway({ cause: "no answer" })
        })
        yield* dialled
        yield* hear(rings(5, one), ...refuses(9, one, 17, 486))
        assert.match(said().at(-1)!, /leg.hangup 486 callee$/)
        yield* hear(up(900, desk))
        assert.strictEqual(asked().at(-1), `DELETE /channels/${desk} answered_elsewhere`)
      })
  )

  it.effect("is taken over while it rings, and when one has answered", () =>
    Effect.gen(function* () {
      const channelvars = { TRUNKLINE_TENANT: "t1" }
      const there = (state: string) =>
        makeDevices(2, (path) =>
          path === "/channels"
            ? {
                status: 200,
                body: [
                  { id: desk, state: "Ringing", channelvars },
                  { id: one, state, channelvars }
                ]
              }
            : undefined
        )
      const ringing = yield* there("Ringing")
      yield* Effect.orDie(ringing.pbx.reconcile(Effect.void))
      yield* ringing.dialled
      assert.deepStrictEqual(ringing.asked(), ["GET /channels"])
      yield* ringing.hear(up(50, one))
      assert.deepStrictEqual(
        ringing.told.map(({ data, type }) => [type, data.state]),
        [
          ["session.snapshot", "ringing"],
          ["leg.answered", undefined]
        ]
      )
      const answered = yield* there("Up")
      yield* Effect.orDie(answered.pbx.reconcile(Effect.void))
      assert.deepStrictEqual(answered.asked(), ["GET /channels", `DELETE /channels/${desk} answered_elsewhere`])
      assert.strictEqual(answered.legs.live.get(id)?.channel, one)
    })
  )
})

describe("a call that comes in", () => {
  const channel_id = "1795341600.12"
  const session = "HD_1795341600_12"
  const came = (to: string, accountcode = ""): AriEvent => ({
    type: "StasisStart",
    ...at(0),
    args: ["inbound", "carrier", to],
    channel: { id: channel_id, state: "Ring", caller: { number: "+254711000001", name: "" }, accountcode }
  })
  const ended = (ms: number): AriEvent => ({ type: "StasisEnd", ...at(ms), ...channel("Up", channel_id) })
  const number = "+254700000001"

  it.effect("rings, is answered when the engine says so, and ends when it leaves", () =>
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

  it.effect("ends for silence where Asterisk hears nothing of it any more", () =>
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

  it.effect("is refused with the code that the engine wants", () =>
    Effect.gen(function* () {
      const { ask, asked, hear, said } = yield* makeWorld()
      yield* hear(came(number))
      yield* ask({ kind: "reject", sip_code: 486 }, "r1", session)
      yield* hear(ended(10))
      assert.strictEqual(asked.at(-1), `DELETE /channels/${channel_id} busy`)
      assert.strictEqual(said().at(-1), "2 leg.hangup 486 platform")
    })
  )

  it.effect("is refused once the announcement was heard", () =>
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

  it.effect("for a number of nobody's, or by the trunk of another tenant, is no session", () =>
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

describe("what is played", () => {
  it.effect("is told by the command that asked for it, as it went", () =>
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

  it.effect("and is cut off by a hang-up is not told: the end is", () =>
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

  it.effect("waits for an Asterisk that is away", () =>
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

  it.effect("waits for keys, until there are enough", () =>
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

  it.effect("understands no words: waits for keys where it may, and else says so", () =>
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
