// A call to a user with several registered devices rings all of them. The events are as Asterisk 22 sends them.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type AriResponse, AriAway } from "../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import type { AriEvent } from "../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { at, channel, destroyed, id, makeWorld } from "../../../support/AsteriskWorld.ts"

describe("a user with several devices", () => {
  const devices = [
    "PJSIP/1001-ab/sip:desk@192.0.2.7:40001;transport=TCP",
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
        if (path.includes("/contact/")) return { status: 200, body: [{ attribute: "prune_on_boot", value: "yes" }] }
        if (!path.endsWith("/variable")) return answer(path)
        // Where the sound of an answered device goes.
        const isLookup = String(variable).startsWith("PJSIP_DIAL_CONTACTS")
        return { status: 200, body: { value: isLookup ? value : "192.0.2.7:40000" } }
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
      const asked = () => world.asked.filter((path) => !/lookup-|\/config\/dynamic\/|\/asterisk\/variable/.test(path))
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

  it.effect("rings all devices, connects the first to answer and hangs up the others", () =>
    Effect.gen(function* () {
      const { ask, asked, dialled, hear, legs, said } = yield* makeDevices()
      yield* dialled
      assert.deepStrictEqual(
        asked(),
        [desk, one, two].map((name) => `POST /channels/create ${name}`)
      )
      yield* hear(rings(10, desk), rings(20, one), up(500, one))
      assert.deepStrictEqual(asked().slice(3), [
        `GET /channels/${one}/variable`,
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
    ["busy if all devices are busy", [...refuses(5, desk, 17, 486), ...refuses(6, one, 17, 486)], "486 callee"],
    [
      "unanswered if one device rang until the timeout",
      [...refuses(5, desk, 17, 486), rings(6, one), ends(30_000, one, 19, 480)],
      "408 platform"
    ],
    [
      "busy if the other devices cannot be reached",
      [ends(5, desk, 20, 480), ...refuses(6, one, 17, 486)],
      "486 callee"
    ],
    [
      "declined if one device declines for all (603)",
      [rings(4, desk), ...refuses(5, one, 21, 603), ends(6, desk, 16)],
      "603 callee"
    ]
  ])("is reported as %s", ([, events, expected]) =>
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

  it.effect("stops ringing on all devices when the caller hangs up", () =>
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

  it.effect("fails if no device is registered, and creates one channel if one is", () =>
    Effect.gen(function* () {
      const nobody = yield* makeDevices(0)
      yield* nobody.dialled
      assert.deepStrictEqual([nobody.said(), nobody.asked()], [["1 session.created", "2 leg.hangup 480 carrier"], []])
      const single = yield* makeDevices(1)
      yield* single.dialled
      yield* single.dialled
      assert.deepStrictEqual(single.asked(), ["POST /channels/create"])
    })
  )

  it.effect("keeps ringing if one device cannot be called, and hangs up a device that answers after the end", () =>
    Effect.gen(function* () {
      let channels = 0
      const { asked, dialled, hear, said } = yield* makeDevices(2, (path) => {
        // The first channel is that of the lookup.
        if (path !== "/channels/create" || ++channels !== 2) return undefined
        throw new AriAway({ cause: "no answer" })
      })
      yield* dialled
      yield* hear(rings(5, one), ...refuses(9, one, 17, 486))
      assert.match(said().at(-1)!, /leg.hangup 486 callee$/)
      yield* hear(up(900, desk))
      assert.strictEqual(asked().at(-1), `DELETE /channels/${desk} answered_elsewhere`)
    })
  )

  it.effect("is resumed after a restart while it rings, and after a device has answered", () =>
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
      assert.deepStrictEqual(ringing.asked(), ["GET /channels", "GET /bridges"])
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
      assert.deepStrictEqual(answered.asked(), [
        "GET /channels",
        `DELETE /channels/${desk} answered_elsewhere`,
        "GET /bridges"
      ])
      assert.strictEqual(answered.legs.live.get(id)?.channel, one)
    })
  )
})
