import { assert, describe, it } from "@effect/vitest"
import { budgets } from "../../../src/domain/limits/Budgets.ts"
import { type WorkspaceAllowances, workspaceAllowances } from "../../../src/domain/streams/StreamBudget.ts"
import { faultOfActions } from "../../../src/layers/streams/CheckActions.ts"
import { openRelay } from "../../support/MemoryRelay.ts"

/** A relay that counts what it passes on. */
const makeStream = (clock: { now: number }, shared?: WorkspaceAllowances) => {
  const passed: Array<string> = []
  const ends: Array<string> = []
  const reads: Array<boolean> = []
  const state = { checks_at: Number.NEGATIVE_INFINITY }
  const relay = openRelay(
    {
      now: () => clock.now,
      read: (on) => void reads.push(on),
      said: ({ text }) => void passed.push(text),
      actionsFault: () => (clock.now < state.checks_at ? undefined : faultOfActions),
      hangup: () => void passed.push("hangup"),
      actions: (document) => void passed.push(document),
      end: (result) => void ends.push(result)
    },
    {},
    shared
  )
  const send = (message: object) => relay.received(JSON.stringify(message))
  return { relay, state, passed, ends, reads, send, isReading: () => reads.at(-1) }
}

/** Lets time pass on several streams. */
const pass = (clock: { now: number }, ms: number, ...streams: ReadonlyArray<ReturnType<typeof makeStream>>) => {
  for (let passed = 0; passed < ms; passed += 20) {
    clock.now += 20
    for (const { relay } of streams) relay.tick()
  }
}

const turn = (text: string, final = true) => ({ event: "transcript", transcript: { role: "user", text, final } })
const actions = { event: "actions", actions: [{ pause: { seconds: 1 } }] }

describe("the budget of a stream", () => {
  it.each([
    ["final transcripts", turn("x"), budgets.stream_stored.limit],
    ["actions", actions, budgets.stream_stored.limit],
    ["pieces of transcripts", turn("x", false), budgets.stream_pieces.limit]
  ] as const)("passes on a burst of %s, then as many as a second has, and loses none", (_what, message, limit) => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    for (let nth = 0; nth < limit.burst + 50; nth++) stream.send(message)
    assert.lengthOf(stream.passed, limit.burst)
    assert.isFalse(stream.isReading())
    pass(clock, 1_000, stream)
    assert.strictEqual(stream.passed.length, limit.burst + limit.per_second)
    pass(clock, 20_000, stream)
    assert.lengthOf(stream.passed, limit.burst + 50)
    assert.isTrue(stream.isReading())
    assert.deepStrictEqual(stream.ends, [])
  })

  it("counts the text of transcripts and actions", () => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    const long = turn("x".repeat(8_000), false)
    const bytes = JSON.stringify(long).length
    for (let nth = 0; nth < 90; nth++) stream.send(long)
    assert.lengthOf(stream.passed, Math.ceil(budgets.stream_text.limit.burst / bytes))
    pass(clock, 1_000, stream)
    const second = budgets.stream_text.limit.per_second / bytes
    assert.approximately(stream.passed.length, budgets.stream_text.limit.burst / bytes + second, 1.5)
  })

  it("counts bytes that are not UTF-16 units", () => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    for (let nth = 0; nth < 40; nth++) stream.send(turn("€".repeat(8_000), false))
    assert.isBelow(stream.passed.length, 24)
  })

  it.each([
    ["a fork", { event: "media", media: { payload: "AAAA".repeat(16_000) } }],
    ["clear", { event: "clear", padding: "x".repeat(64_000) }]
  ])("stops reading what costs bytes alone: %s", (_what, message) => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    for (let nth = 0; nth < 40 && stream.isReading(); nth++) stream.send(message)
    assert.isFalse(stream.isReading())
    pass(clock, 10_000, stream)
    assert.deepStrictEqual(stream.ends, [])
  })

  it("lets actions, and what comes after them, wait until they can be checked", () => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    stream.state.checks_at = 500
    stream.send(turn("before"))
    stream.send(actions)
    stream.send(turn("after"))
    pass(clock, 400, stream)
    assert.deepStrictEqual(stream.passed, ["before"])
    pass(clock, 200, stream)
    assert.deepStrictEqual(stream.passed, ["before", JSON.stringify({ actions: actions.actions }), "after"])
    assert.isTrue(stream.isReading())
  })

  it("keeps the order of messages that wait", () => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    for (let nth = 0; nth < 30; nth++) stream.send(turn(String(nth)))
    stream.send({ event: "hangup" })
    pass(clock, 10_000, stream)
    assert.deepStrictEqual(stream.passed, [...Array.from({ length: 30 }, (_, nth) => String(nth)), "hangup"])
  })

  it("passes on what waits before the end of a connection that was closed in order", () => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    let over = false
    for (let nth = 0; nth < 25; nth++) stream.send(turn(String(nth)))
    stream.relay.whenRead(() => (over = true))
    assert.isFalse(over)
    pass(clock, 2_000, stream)
    assert.isTrue(over)
    assert.lengthOf(stream.passed, 25)
  })

  it("ends a stream that goes on sending although nothing is read", () => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    for (let nth = 0; nth < 600; nth++) stream.send(turn("x".repeat(8_000)))
    assert.deepStrictEqual(stream.ends, ["protocol_error"])
  })

  it("is not touched by a conversation, nor by audio as fast as an application has it", () => {
    const clock = { now: 0 }
    const stream = makeStream(clock)
    const second = Buffer.alloc(32_000).toString("base64")
    for (let nth = 0; nth < 30; nth++) stream.send({ event: "media", media: { payload: second } })
    assert.notInclude(stream.reads.slice(1, -1), false)
    for (let nth = 0; nth < 600; nth++) {
      stream.send(turn("And then we went on to the next question.", nth % 10 === 0))
      pass(clock, 100, stream)
    }
    assert.lengthOf(stream.passed, 600)
  })
})

describe("the budget of a workspace", () => {
  const flood = (clock: { now: number }, streams: number, message: object, shared: WorkspaceAllowances) => {
    const all = Array.from({ length: streams }, () => makeStream(clock, shared))
    const rounds = 10
    for (let second = 0; second < rounds; second++) {
      for (const stream of all) for (let nth = 0; nth < 180; nth++) if (stream.isReading()) stream.send(message)
      pass(clock, 1_000, ...all)
    }
    return all.flatMap(({ passed }) => passed)
  }

  it("holds 24 streams that send long transcripts to what the journal takes beside other workspaces", () => {
    const passed = flood({ now: 0 }, 24, turn("x".repeat(8_000)), workspaceAllowances())
    const bytes = passed.reduce((sum, text) => sum + text.length, 0)
    const { burst, per_second } = budgets.workspace_stream_text.limit
    assert.isAtMost(bytes, burst + 11 * per_second)
    assert.isAtMost(passed.length, budgets.workspace_stream_stored.limit.burst + 11 * 50)
  })

  it("counts short ones too", () => {
    const passed = flood({ now: 0 }, 50, turn("x"), workspaceAllowances())
    const { burst, per_second } = budgets.workspace_stream_stored.limit
    assert.isAtMost(passed.length, burst + 11 * per_second)
  })

  it("leaves another workspace its own", () => {
    const clock = { now: 0 }
    flood(clock, 50, turn("x"), workspaceAllowances())
    const other = makeStream(clock)
    other.send(turn("Hello"))
    assert.deepStrictEqual(other.passed, ["Hello"])
  })

  it("grows with the streams that an operator allows", () => {
    const { burst, per_second } = budgets.workspace_stream_stored.limit
    const passed = flood({ now: 0 }, 100, turn("x"), workspaceAllowances(100))
    assert.isAbove(passed.length, burst + 10 * per_second)
    assert.isAtMost(passed.length, 2 * (burst + 11 * per_second))
  })
})
