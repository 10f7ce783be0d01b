// A call that ends before its PBX has reported the hang-up: it is charged by that report, if it comes in time.
import { assert, describe, it } from "@effect/vitest"
import type { PlacedCall } from "../../../src/domain/calls/Call.ts"
import type { CallMessage } from "../../../src/domain/calls/CallCommand.ts"
import { callRecord } from "../../../src/domain/calls/CallView.ts"
import { evolveAll } from "../../../src/domain/calls/EvolveCall.ts"
import { planCall } from "../../../src/domain/calls/PlanCall.ts"
import { decision } from "./Decisions.ts"
import { answered_at, became, facts, pbxEvent, question, absent } from "./Fixtures.ts"

const second = (n: number): number => answered_at + n * 1000

/** Talks since `answered_at`, with three minutes held, and was heard of last after so many seconds. */
const talking = (heard_after: number, change: Partial<typeof facts> = {}): PlacedCall =>
  became(
    absent,
    { _tag: "Originated", facts: { ...facts, max_duration_seconds: 600, ...change } },
    { _tag: "Answered", at: answered_at, question, detect_until: null },
    { _tag: "MinutePrepaid", minutes: 3 },
    { _tag: "PbxApplied", seq: 3, at: second(heard_after) }
  )

const told = (call: PlacedCall, command: CallMessage, at: number): PlacedCall =>
  evolveAll(call, decision(call, command, at).events)

const terminate: CallMessage = { _tag: "Terminate", source: "workspace", cause: "canceled_by_workspace" }
const overdue: CallMessage = { _tag: "HangupOverdue" }
const hungUp = (after: number, source: "callee" | "platform" = "callee"): CallMessage => ({
  _tag: "PbxReported",
  event: { ...pbxEvent("leg.hangup", 4, { source }), occurred_at: new Date(second(after)).toISOString() }
})

/** What the call is to be charged, or nothing while it is not charged yet. */
const charge = (call: PlacedCall): number | undefined => {
  for (const work of planCall(call))
    if (work._tag === "Task" && work.work._tag === "Settle") return work.work.cost_minor
  return undefined
}

const duration = (call: PlacedCall): number | undefined => callRecord(told(call, settled, second(200))).duration_seconds
const settled: CallMessage = { _tag: "Settled", cost_minor: 300, entry_id: "entry" }

describe("A call that ends before its hang-up is reported", () => {
  const ended = told(talking(20), terminate, second(68))

  it("is not charged at once if the report may make it cheaper", () => {
    assert.strictEqual(ended.phase, "settling")
    assert.isUndefined(charge(ended))
  })

  it("is charged up to the hang-up, if that was earlier", () => {
    const reported = told(ended, hungUp(50), second(70))
    assert.strictEqual(charge(reported), 300)
    assert.strictEqual(duration(reported), 50)
    assert.strictEqual(callRecord(told(reported, settled, second(71))).hangup_source, "callee")
  })

  it("keeps its end if the PBX hung up as it was told: its clock is slow", () => {
    const reported = told(ended, hungUp(67, "platform"), second(70))
    assert.strictEqual(charge(reported), 600)
    assert.strictEqual(duration(reported), 68)
  })

  it("keeps its end if the hang-up was later", () => {
    const reported = told(ended, hungUp(69), second(70))
    assert.strictEqual(charge(reported), 600)
    assert.strictEqual(duration(reported), 68)
  })

  it("does not end before its answer", () => {
    assert.strictEqual(duration(told(ended, hungUp(-5), second(70))), 1)
  })

  it("is charged as the engine knows it if no report comes within a minute", () => {
    assert.deepStrictEqual(decision(ended, overdue, second(127)).events, [])
    const given_up = told(ended, overdue, second(128))
    assert.strictEqual(charge(given_up), 600)
    const late = told(given_up, hungUp(50), second(129))
    assert.deepStrictEqual([charge(late), duration(late)], [600, 68])
  })

  it("waits a little longer if the engine was away", () => {
    const back = told(ended, overdue, second(300))
    assert.isUndefined(charge(back))
    assert.strictEqual(charge(told(back, hungUp(50), second(305))), 300)
    assert.strictEqual(charge(told(back, overdue, second(310))), 600)
  })

  it("is charged once the PBX has no such session", () => {
    const event = pbxEvent("session.snapshot", 9, { state: "absent" })
    const gone = told(ended, { _tag: "PbxReported", event }, second(70))
    assert.deepStrictEqual([charge(gone), duration(gone)], [600, 68])
  })

  it.each([
    ["the session was heard of in the last minute of the charge", talking(61)],
    ["it is free", talking(20, { rate_per_min_minor: 0 })]
  ])("is charged at once if %s", (_name, call) => {
    const ends = told(call, terminate, second(68))
    assert.strictEqual(charge(ends), ends.facts.rate_per_min_minor * 2)
    assert.strictEqual(duration(told(ends, hungUp(62), second(70))), 68)
  })

  it("is charged at once if the PBX reported the end", () => {
    assert.strictEqual(charge(told(talking(20), hungUp(68), second(70))), 600)
  })
})
