// A call that ends before its PBX has reported the hang-up: it is charged by that report, if it comes in time.
import { assert, describe, it } from "@effect/vitest"
import type { PlacedCall } from "../../../src/domain/calls/state/Call.ts"
import type { CallMessage } from "../../../src/domain/calls/state/CallCommand.ts"
import { callRecord } from "../../../src/domain/calls/views/CallView.ts"
import { evolveAll } from "../../../src/domain/calls/decide/EvolveCall.ts"
import { planCall } from "../../../src/domain/calls/decide/PlanCall.ts"
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

  it("is charged up to the PBX's last report if none comes for three minutes", () => {
    assert.deepStrictEqual(decision(ended, overdue, second(199)).events, [])
    const given_up = told(ended, overdue, second(200))
    assert.strictEqual(charge(given_up), 300)
    assert.strictEqual(duration(given_up), 20)
    assert.strictEqual(callRecord(told(given_up, settled, second(201))).hangup_cause, "session_lost")
    const late = told(given_up, hungUp(50), second(201))
    assert.deepStrictEqual([charge(late), duration(late)], [300, 20])
  })

  it("gives the PBX a minute after the end, however long it was silent before", () => {
    const silent = told(talking(20), terminate, second(170))
    assert.deepStrictEqual(decision(silent, overdue, second(229)).events, [])
    assert.deepStrictEqual([charge(silent), charge(told(silent, overdue, second(230)))], [undefined, 300])
  })

  it("waits a little longer if the engine was away", () => {
    const back = told(ended, overdue, second(300))
    assert.isUndefined(charge(back))
    assert.strictEqual(charge(told(back, hungUp(50), second(305))), 300)
    assert.strictEqual(charge(told(back, overdue, second(310))), 300)
  })

  it("is told to hang up until the talk is known, even if the PBX confirms nothing", () => {
    assert.deepStrictEqual(decision(ended, { _tag: "HangupUnconfirmed" }, second(130)).events, [])
    assert.isTrue(planCall(ended).some(({ key }) => key.endsWith(":hangup")))
  })

  const absence: CallMessage = { _tag: "PbxReported", event: pbxEvent("session.snapshot", 9, { state: "absent" }) }

  it("is charged up to the PBX's last report if the PBX has no such session", () => {
    const gone = told(ended, absence, second(70))
    assert.deepStrictEqual([charge(gone), duration(gone)], [300, 20])
  })

  it.each([
    ["the PBX has no such session", (call: PlacedCall) => told(call, absence, second(100))],
    ["no report comes", (call: PlacedCall) => told(call, overdue, second(200))]
  ])("is charged up to its end if a heartbeat named it after that and %s", (_name, over) => {
    const alive = told(ended, { _tag: "ProofOfLife", at: second(75), tenant_pbx_id: facts.tenant_pbx_id }, second(75))
    assert.deepStrictEqual([charge(alive), charge(over(alive))], [undefined, 600])
    assert.strictEqual(callRecord(told(over(alive), settled, second(201))).hangup_cause, "normal_clearing")
  })

  it("is charged up to a hang-up that was reported before its turn", () => {
    const { event } = hungUp(31) as Extract<CallMessage, { readonly _tag: "PbxReported" }>
    const early = told(talking(20), { _tag: "PbxReported", event: { ...event, seq: 6 } }, second(31))
    const over = told(told(early, terminate, second(68)), overdue, second(200))
    assert.deepStrictEqual([charge(over), duration(over)], [300, 31])
  })

  it("is not charged for what the PBX reports of a recording after a lost hang-up", () => {
    const recorded = pbxEvent("recording.completed", 9, {})
    const later = { ...recorded, occurred_at: new Date(second(67)).toISOString() }
    const gap = told(talking(20), { _tag: "PbxReported", event: later }, second(67))
    const gone = told(
      gap,
      { _tag: "PbxReported", event: pbxEvent("session.snapshot", 99, { state: "absent" }) },
      second(69)
    )
    assert.deepStrictEqual([charge(gone), duration(gone)], [300, 20])
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
