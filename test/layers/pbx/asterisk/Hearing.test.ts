// Answering machine detection, and the ringback file that a waiting caller hears.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { PbxAction } from "../../../../src/domain/pbx/PbxCommand.ts"
import type { AriEvent } from "../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { at, channel, destroyed, id, makeWorld, state } from "../../../support/AsteriskWorld.ts"

describe("answering machine detection", () => {
  const detecting: PbxAction = {
    kind: "originate",
    to: "+15550000200",
    from: "+254700000001",
    caller_id: "+254700000001",
    timeout_seconds: 30,
    machine_detection: { mode: "detect", timeout_seconds: 30 }
  }
  const speech = (type: "began" | "ended", duration = 0): AriEvent =>
    type === "began"
      ? { type: "ChannelTalkingStarted", ...at(0), ...channel("Up") }
      : { type: "ChannelTalkingFinished", ...at(0), ...channel("Up"), duration }

  it.effect("starts at the answer and reports one result", () =>
    Effect.gen(function* () {
      const { ask, asked, hear, told } = yield* makeWorld()
      yield* ask(detecting)
      assert.notInclude(asked, `POST /channels/${id}/variable`)
      yield* hear(state(1, "Up"), speech("began"))
      assert.strictEqual(asked.at(-1), `POST /channels/${id}/variable`)
      yield* TestClock.adjust("1100 millis")
      yield* hear(speech("ended", 800))
      yield* TestClock.adjust("890 millis")
      assert.isUndefined(told.find(({ type }) => type === "machine.detected"))
      yield* TestClock.adjust("1 minute")
      yield* hear(speech("began"), speech("ended", 9_000))
      assert.deepStrictEqual(
        told.flatMap(({ data, occurred_at, type }) => (type === "machine.detected" ? [{ ...data, occurred_at }] : [])),
        [{ result: "human", confidence: 0.95, occurred_at: "2026-11-20T12:00:02.000Z" }]
      )
    })
  )

  it.effect("reports nothing after a hang-up, or if it was not requested", () =>
    Effect.gen(function* () {
      const { ask, hear, said } = yield* makeWorld()
      yield* ask(detecting)
      yield* hear(state(1, "Up"), speech("began"), destroyed(100, 16))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(said(), ["1 session.created", "2 leg.answered 200", "3 leg.hangup 200 platform"])
      const unasked = yield* makeWorld()
      yield* unasked.originate
      yield* unasked.hear(state(1, "Up"), speech("began"), speech("ended", 800))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(unasked.said(), ["1 session.created", "2 leg.answered 200"])
    })
  )
})

const settle = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
const rings = (session: string): AriEvent => ({
  type: "ChannelStateChange",
  ...at(0),
  ...channel("Ringing", session)
})
const answers = (session: string): AriEvent => ({ type: "ChannelStateChange", ...at(0), ...channel("Up", session) })
const gone = (session: string): AriEvent => ({
  type: "ChannelDestroyed",
  ...at(0),
  ...channel("Down", session),
  cause: 17,
  tech_cause: 486
})

describe("the ringback file that a caller hears while other legs ring", () => {
  const world = Effect.gen(function* () {
    const made = yield* makeWorld()
    yield* made.originate
    yield* made.hear(answers(id))
    for (const session of ["HD_b", "HD_c"]) {
      yield* made.ask(
        {
          kind: "originate",
          to: "+15550000200",
          from: "+254700000001",
          caller_id: "+254700000001",
          timeout_seconds: 30,
          parent_session_id: id,
          ringback_url: "https://example.com/tune.mp3"
        },
        undefined,
        session
      )
    }
    const of = (method: string) => made.asked.filter((path) => path.startsWith(method) && /\/play/.test(path))
    return { ...made, plays: () => of("POST").length, stops: () => of("DELETE").length }
  })

  it.effect("is looped in a single playback until a leg is answered", () =>
    Effect.gen(function* () {
      const { hear, legs, plays, stops } = yield* world
      yield* settle
      assert.strictEqual(plays(), 0)
      yield* hear(rings("HD_b"), rings("HD_c"))
      yield* settle
      assert.strictEqual(plays(), 1)
      const [playback] = legs.live.get(id)!.playbacks.keys()
      yield* hear({ type: "PlaybackFinished", ...at(9), playback: { id: playback!, state: "done" } })
      yield* settle
      assert.deepStrictEqual([plays(), stops()], [2, 0])
      yield* hear(answers("HD_c"))
      yield* settle
      assert.deepStrictEqual([plays(), stops(), legs.live.get(id)!.playbacks.size], [2, 1, 0])
    })
  )

  it.effect("plays while any leg rings, and starts again with the next dial", () =>
    Effect.gen(function* () {
      const { hear, plays, stops, told } = yield* world
      yield* hear(rings("HD_b"), rings("HD_c"), gone("HD_b"))
      yield* settle
      assert.deepStrictEqual([plays(), stops()], [1, 0])
      yield* hear(gone("HD_c"))
      yield* settle
      assert.deepStrictEqual([plays(), stops()], [1, 1])
      assert.isUndefined(told.find(({ type }) => type === "playback.finished"))
    })
  )

  it.effect("stops if the file cannot be played", () =>
    Effect.gen(function* () {
      const { hear, legs, plays } = yield* world
      yield* hear(rings("HD_b"))
      yield* settle
      const [playback] = legs.live.get(id)!.playbacks.keys()
      yield* hear({ type: "PlaybackFinished", ...at(9), playback: { id: playback!, state: "failed" } })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(plays(), 1)
    })
  )
})

describe("a caller without a ringback file", () => {
  const world = Effect.gen(function* () {
    const made = yield* makeWorld()
    yield* made.originate
    yield* made.hear(answers(id))
    for (const session of ["HD_b", "HD_c"]) {
      yield* made.ask(
        {
          kind: "originate",
          to: "+15550000200",
          from: "+254700000001",
          caller_id: "+254700000001",
          timeout_seconds: 30,
          parent_session_id: id
        },
        undefined,
        session
      )
    }
    /** Handles the events, and returns the requests that they cause. */
    const causes = (...events: ReadonlyArray<AriEvent>) =>
      Effect.gen(function* () {
        const before = made.asked.length
        yield* made.hear(...events)
        yield* settle
        return made.asked.slice(before)
      })
    return { ...made, causes }
  })
  const early = (session: string): AriEvent => ({
    type: "Dial",
    ...at(0),
    peer: { id: session, state: "Down" },
    dialstatus: "PROGRESS"
  })
  const tone = `/channels/${id}/ring`
  const bridged = (session: string) => [
    `POST /bridges/early-${session}`,
    `POST /bridges/early-${session}/addChannel`,
    `POST /bridges/early-${session}/addChannel`
  ]

  it.effect("hears one ringback tone until the first leg is answered", () =>
    Effect.gen(function* () {
      const { causes } = yield* world
      assert.deepStrictEqual(yield* causes(rings("HD_b")), [`POST ${tone}`])
      assert.deepStrictEqual(yield* causes(rings("HD_c")), [])
      assert.deepStrictEqual(yield* causes(answers("HD_b")), ["GET /channels/HD_b/variable", `DELETE ${tone}`])
      assert.deepStrictEqual(yield* causes(gone("HD_c")), [])
    })
  )

  it.effect("hears the tone until no leg rings any more", () =>
    Effect.gen(function* () {
      const { causes } = yield* world
      yield* causes(rings("HD_b"), rings("HD_c"))
      assert.deepStrictEqual(yield* causes(gone("HD_b")), [])
      assert.deepStrictEqual(yield* causes(gone("HD_c")), [`DELETE ${tone}`])
    })
  )

  it.effect("hears no tone of a leg that rings after another was answered", () =>
    Effect.gen(function* () {
      const { causes } = yield* world
      yield* causes(rings("HD_b"), answers("HD_b"))
      assert.deepStrictEqual(yield* causes(rings("HD_c")), [])
    })
  )

  it.effect("hears the early media of the first leg that sends them instead of the tone", () =>
    Effect.gen(function* () {
      const { causes } = yield* world
      yield* causes(rings("HD_b"))
      assert.deepStrictEqual(yield* causes(early("HD_c")), [`DELETE ${tone}`, ...bridged("HD_c")])
      assert.deepStrictEqual(yield* causes(early("HD_b")), [])
      assert.deepStrictEqual(yield* causes(answers("HD_c")), [
        "GET /channels/HD_c/variable",
        "DELETE /bridges/early-HD_c"
      ])
    })
  )

  it.effect("hears the tone again when the leg that sent early media ends and another rings", () =>
    Effect.gen(function* () {
      const { causes } = yield* world
      yield* causes(rings("HD_b"), early("HD_c"))
      assert.deepStrictEqual(yield* causes(gone("HD_c")), ["DELETE /bridges/early-HD_c", `POST ${tone}`])
    })
  )
})
