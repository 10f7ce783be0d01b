import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call, PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import type { CallMessage } from "../../../../src/domain/calls/state/CallCommand.ts"
import type { CallFacts } from "../../../../src/domain/calls/state/CallFacts.ts"
import type { CallEvent } from "../../../../src/domain/calls/state/CallEvent.ts"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import { planCall } from "../../../../src/domain/calls/decide/PlanCall.ts"
import { callOfState, stateOfCall } from "../../../../src/domain/calls/state/StoredCall.ts"
import { talkLimitOf, maxTalkSeconds, type TalkFunds } from "../../../../src/domain/calls/state/MaxTalkTime.ts"
import {
  absent,
  admitting,
  answered_at,
  became,
  call_id,
  facts as some_facts,
  leg,
  pbxEvent,
  pickedUp,
  placed_at,
  question,
  ringingBoth,
  surveying
} from "../Fixtures.ts"

const means: TalkFunds = {
  prepaid_minutes: 1,
  available_minor: 0,
  rate_per_min_minor: 300,
  max_duration_seconds: 3_600
}

describe("how long a PBX lets a talk last without the engine", () => {
  it.each<readonly [string, Partial<TalkFunds>, number]>([
    ["the one minute that is paid", {}, 120],
    ["not quite another minute", { available_minor: 299 }, 120],
    ["just another minute", { available_minor: 300 }, 180],
    ["what is paid, and what can be", { prepaid_minutes: 3, available_minor: 650 }, 360],
    ["no longer than the call may last", { available_minor: 1_000_000 }, 3_660],
    ["to the second that the call may last", { max_duration_seconds: 100, available_minor: 300 }, 160],
    ["less than the call may last by seconds", { max_duration_seconds: 100 }, 120],
    ["a wallet that is overdrawn", { available_minor: -900 }, 120],
    ["a price that is dearer than all there is", { rate_per_min_minor: 5_000_000, available_minor: 4_999_999 }, 120],
    ["what costs nothing", { rate_per_min_minor: 0, available_minor: 0 }, 3_660],
    ["no word on the wallet", { available_minor: undefined }, 3_660]
  ])("%s", (_what, changed, seconds) => {
    assert.strictEqual(maxTalkSeconds({ ...means, ...changed }), seconds)
  })
})

const facts: CallFacts = { ...some_facts, max_duration_seconds: 3_600 }
const now = answered_at + 55_000

const decided = (call: Call, command: CallMessage, at = now) => {
  const { events } = Result.getOrThrow(decideCall(call, command, at))
  return { events, call: became(call, ...events) as PlacedCall }
}
const placed = (available_minor?: number) =>
  decided(absent, { _tag: "Originate", facts, ...(available_minor !== undefined && { available_minor }) }, placed_at)
    .call
const answer: CallEvent = { _tag: "Answered", at: answered_at, question, detect_until: null }
const talking = (available_minor?: number) => became(placed(available_minor), answer) as PlacedCall

const told = (call: Call) =>
  planCall(call).flatMap((work) => {
    if (work._tag !== "Task" || work.work._tag !== "SendToPbx") return []
    const { action, id } = work.work.command
    if (action.kind === "limit") return [`${id.slice(call_id.length + 1)} ${action.seconds} from ${action.answered_at}`]
    return "talk_limit_seconds" in action ? [`${action.kind} ${action.talk_limit_seconds}`] : []
  })
const from = `from ${new Date(answered_at).toISOString()}`

describe("the talk limit of a call", () => {
  it("is sent with the originate command", () => {
    assert.deepStrictEqual(told(placed(300)), ["originate 180"])
    assert.deepStrictEqual(told(placed(0)), ["originate 120"])
  })

  it("is the maximum duration if money suffices, and is then never sent again", () => {
    const call = placed(1_000_000)
    assert.deepStrictEqual(told(call), ["originate 3660"])
    assert.notProperty(JSON.parse(stateOfCall(call)), "talk_limit")
    const { call: next, events } = decided(talking(1_000_000), {
      _tag: "MinutePrepaid",
      minutes: 2,
      available_minor: 900_000
    })
    assert.deepStrictEqual(
      events.map(({ _tag }) => _tag),
      ["MinutePrepaid"]
    )
    assert.deepStrictEqual(told(next), [])
  })

  it("is not sent again while the money lasts as expected", () => {
    const { call, events } = decided(talking(600), { _tag: "MinutePrepaid", minutes: 2, available_minor: 300 })
    assert.lengthOf(events, 1)
    assert.deepStrictEqual([talkLimitOf(call), told(call)], [240, []])
  })

  it("falls at the next minute if other calls took the money, and rises when there is more", () => {
    const less = decided(talking(600), { _tag: "MinutePrepaid", minutes: 2, available_minor: 0 }).call
    assert.deepStrictEqual(told(less), [`limit:1 180 ${from}`])
    const more = decided(less, { _tag: "MinutePrepaid", minutes: 3, available_minor: 900 }).call
    assert.deepStrictEqual(told(more), [`limit:2 420 ${from}`])
    const plenty = decided(more, { _tag: "MinutePrepaid", minutes: 4, available_minor: 1_000_000 }).call
    assert.deepStrictEqual(told(plenty), [`limit:3 3660 ${from}`])
  })

  it("falls once when a minute is refused, and rises if it is covered later", () => {
    const { call: refused, events } = decided(talking(600), { _tag: "MinuteRefused", minutes: 2 })
    assert.deepStrictEqual(
      events.map(({ _tag }) => _tag),
      ["BalanceWentLow", "TalkLimited"]
    )
    assert.deepStrictEqual(told(refused), [`limit:1 120 ${from}`])
    assert.lengthOf(decided(refused, { _tag: "MinuteRefused", minutes: 2 }).events, 0)
    const saved = decided(refused, { _tag: "MinutePrepaid", minutes: 2, available_minor: 300 }).call
    assert.deepStrictEqual(told(saved), [`limit:2 240 ${from}`])
  })

  it("is sent again by a restarted engine, with the same command id", () => {
    const { call } = decided(talking(600), { _tag: "MinuteRefused", minutes: 2 })
    assert.deepStrictEqual(told(callOfState(call.id, stateOfCall(call))), told(call))
  })

  it("is the maximum duration for a call stored by an engine without talk limits", () => {
    const { talk_limit: _, ...older } = talking(0)
    assert.strictEqual(talkLimitOf(callOfState(call_id, JSON.stringify(older)) as PlacedCall), 3_660)
  })

  it("is sent for the destination of an inbound call too", () => {
    const received = {
      ...became(admitting, { _tag: "PbxApplied", seq: 1, at: placed_at }),
      facts: { ...admitting.facts!, max_duration_seconds: 3_600 }
    }
    const { call } = decided(received, { _tag: "Admitted", available_minor: 199 }, placed_at)
    assert.deepStrictEqual(told(became(call, { _tag: "Answering", at: answered_at })), ["answer 180"])
    assert.deepStrictEqual(told(became(call, { _tag: "Answering", at: answered_at }, answer)), [])
  })

  it("of legs with a shared hold follows the payer's funds: for all legs, then for the connected one", () => {
    const surveyed = decided(surveying, { _tag: "DialSurveyed", step: 0, refusals: [], available_minor: 700 }).call
    assert.strictEqual(surveyed.dial?.available_minor, 700)
    assert.notProperty(ringingBoth.dial, "available_minor")
    const rung = became(
      { ...pickedUp, facts: { ...leg.facts!, max_duration_seconds: 3_600 } },
      { _tag: "PbxApplied", seq: 1, at: answered_at }
    )
    assert.deepStrictEqual(told(decided(rung, { _tag: "PickUpClaimed", won: true, available_minor: 0 }).call), [
      `limit:1 120 ${from}`
    ])
    assert.deepStrictEqual(told(decided(rung, { _tag: "PickUpClaimed", won: true }).call), [])
  })
})

describe("a talk that the PBX has ended for its limit", () => {
  const ends = (call: Call, seconds: number, reason = "talk_limit") => {
    const at = answered_at + seconds * 1000
    const event = pbxEvent("leg.hangup", 1, { sip_code: 200, q850: 16, source: "platform", reason }, at)
    return decided(call, { _tag: "PbxReported", event }, at + 600_000).call
  }

  it("ends when the money ran out; the rest is the platform's loss", () => {
    const { ended_at, ending, phase } = ends(talking(300), 180)
    assert.deepInclude(ending, { status: "completed", cause: "balance_exhausted", source: "platform", sip_code: 200 })
    assert.deepStrictEqual([phase, (ended_at! - answered_at) / 1000], ["settling", 120])
  })

  it("ends at its maximum duration", () => {
    const { ended_at, ending } = ends(talking(), 3_660.4)
    assert.deepInclude(ending, { cause: "max_duration", source: "platform" })
    assert.strictEqual((ended_at! - answered_at) / 1000, 3_600)
  })

  it.each([
    ["long before it", 60, "talk_limit"],
    ["for another reason", 180, "transferred"]
  ])("is an ordinary end %s", (_what, seconds, reason) => {
    const { ended_at, ending } = ends(talking(300), seconds, reason)
    assert.strictEqual(ending?.cause, "normal_clearing")
    assert.strictEqual((ended_at! - answered_at) / 1000, seconds)
  })

  it("costs the minutes that were held for it, and no more", () => {
    const call = ends(talking(30_000), 3_660)
    const settle = planCall(call).flatMap((work) =>
      work._tag === "Task" && work.work._tag === "Settle" ? [work.work.cost_minor] : []
    )
    assert.deepStrictEqual(settle, [300])
  })
})
