// The legs that a call dials: how the call that dials them, and each leg, decides.
import { expect, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call } from "../../../../src/domain/calls/state/Call.ts"
import type { LegRefusal } from "../../../../src/domain/calls/state/CallFacts.ts"
import type { CallMessage } from "../../../../src/domain/calls/state/CallCommand.ts"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import { actionCommand } from "../../../../src/domain/calls/state/PbxCommands.ts"
import { dueLegs } from "../../../../src/domain/calls/state/Dial.ts"
import { decision, events, refusal, said } from "../Decisions.ts"
import {
  answered_at,
  asking,
  became,
  bridged,
  child_id,
  completed,
  dialling,
  doing,
  leg,
  firstJoined,
  minute_at,
  missed,
  pbxEvent,
  pickedUp,
  ringAll,
  ringingBoth,
  rung,
  say,
  saying,
  second_id,
  settling,
  shared_id,
  stray_id,
  surveying,
  unrated
} from "../Fixtures.ts"
import { toSessionId } from "../../../../src/domain/BrandedIds.ts"

describe("A dialled leg", () => {
  const told = (call: Call, status: "ringing" | "answered" | "busy" | "completed", child_call_id = child_id) =>
    events(call, { _tag: "ChildChanged", child_call_id, status, sip_code: null, duration_seconds: null })

  it("is known from its first report", () => {
    expect(told(dialling, "ringing")).toEqual(["ChildAdded"])
    expect(told(dialling, "busy")).toEqual(["ChildAdded", "ChildEnded", "ActionDone"])
    expect(told(rung, "ringing")).toEqual([])
    expect(told(rung, "answered")).toEqual([])
    expect(told(rung, "busy")).toEqual(["ChildEnded", "ActionDone"])
    expect(told(bridged, "completed")).toEqual(["ChildEnded", "ActionDone"])
  })

  it("is hung up if no call waits for it", () => {
    for (const call of [asking, saying, dialling, bridged, settling, completed, missed]) {
      expect(told(call, "ringing", stray_id)).toEqual(["ChildOrphaned"])
      expect(told(call, "busy", stray_id)).toEqual(["ChildAdded"])
    }
    const stopping = became(missed, { _tag: "ChildOrphaned", child_call_id: stray_id })
    expect(told(stopping, "answered", stray_id)).toEqual([])
  })

  it("that was not found is looked up again after its first report", () => {
    const stopped = (call: Call, found: boolean) =>
      events(call, { _tag: "ChildStopped", child_call_id: child_id, found })
    const over = became(dialling, {
      _tag: "HungUp",
      at: minute_at,
      confirmed: true,
      ending: { status: "completed", cause: "normal_clearing", source: "callee", sip_code: null, q850_cause: null }
    })
    expect(stopped(over, false)).toEqual(["ChildStopped"])
    expect(told(over, "ringing")).toEqual(["ChildOrphaned"])
    const heard = became(over, { _tag: "ChildOrphaned", child_call_id: child_id })
    expect(stopped(heard, false)).toEqual([])
    expect(stopped(heard, true)).toEqual(["ChildStopped"])
  })

  it("can be refused only before it rings", () => {
    expect(events(rung, { _tag: "ChildRefused", refusal })).toEqual([])
    expect(events(dialling, { _tag: "ChildRefused", refusal: { ...refusal, call_id: stray_id } })).toEqual([])
  })

  it("counts as answered only if its parent call accepts it", () => {
    const picked = (call: Call, child_call_id = child_id) => {
      const { events, reply } = Result.getOrThrow(
        decideCall(call, { _tag: "ChildPickedUp", child_call_id, session_id: toSessionId("HD_1") }, minute_at)
      )
      return [reply, ...events.map(said)]
    }
    expect(picked(rung)).toEqual([true, "ChildAdded", "ChildJoined"])
    expect(picked(bridged)).toEqual([true])
    expect(picked(ringingBoth, second_id)).toEqual([true, "ChildAdded", "ChildJoined"])
    const won = firstJoined
    expect(picked(won)).toEqual([true])
    expect(picked(won, second_id)).toEqual([false])
    for (const call of [asking, saying, surveying, settling, completed, missed])
      expect(picked(call, stray_id)).toEqual([false])
  })

  it("that was picked up but not accepted counts as unanswered and is hung up", () => {
    const lost = events(pickedUp, { _tag: "PickUpClaimed", won: false })
    expect(lost).toEqual(["canceled/answered_elsewhere", "AnswerIgnored"])
    expect(events(pickedUp, { _tag: "Terminate", source: "caller", cause: "normal_clearing" })).toEqual([
      "canceled/normal_clearing",
      "AnswerIgnored"
    ])
    expect(events(pickedUp, { _tag: "RingTimedOut" }, answered_at + 10_000)).toEqual([
      "canceled/normal_clearing",
      "AnswerIgnored"
    ])
    const [end] = decision(pickedUp, {
      _tag: "PbxReported",
      event: pbxEvent("leg.hangup", 1, { sip_code: 200, source: "callee" })
    }).events
    expect(end).toMatchObject({ _tag: "HungUp", ending: { status: "canceled", cause: "normal_clearing" } })
    expect(events(leg, { _tag: "PbxReported", event: pbxEvent("leg.answered", 1) })).toEqual(["PickedUp", "PbxApplied"])
    expect(decision(pickedUp, { _tag: "PickUpClaimed", won: true }).events[0]).toMatchObject({
      _tag: "Answered",
      at: answered_at
    })
  })
})

describe("A dial", () => {
  const rings = { status: "ringing", sip_code: null, duration_seconds: null } as const
  const survey = (call: Call, ...refusals: ReadonlyArray<LegRefusal>) =>
    events(call, { _tag: "DialSurveyed", step: 0, refusals })
  const both = doing(ringAll, say)

  it("skips refused destinations, and ends if all are refused", () => {
    expect(survey(surveying)).toEqual(["DialSurveyed"])
    expect(survey(both, refusal)).toEqual(["DialSurveyed", "DialRefused"])
    expect(survey(both, refusal, { ...refusal, call_id: second_id })).toEqual([
      "DialSurveyed",
      "DialRefused",
      "DialRefused",
      "ActionDone"
    ])
    expect(survey(both, { ...refusal, call_id: shared_id, whole: true })).toEqual([
      "DialSurveyed",
      "DialRefused",
      "DialRefused",
      "ActionDone"
    ])
    expect(survey(dialling)).toEqual([])
  })

  it("in order continues after a busy phone, but not without money", () => {
    const inOrder = became(doing({ dial: { numbers: ["+254700000003", "+254700000004"], sequential: true } }), {
      _tag: "DialSurveyed"
    })
    expect(dueLegs(inOrder.dial!).map(({ call_id }) => call_id)).toEqual([child_id])
    const [added, ended] = decision(inOrder, {
      _tag: "ChildChanged",
      child_call_id: child_id,
      status: "busy",
      sip_code: 486,
      duration_seconds: null
    }).events
    expect(dueLegs(became(inOrder, added!, ended!).dial!).map(({ call_id }) => call_id)).toEqual([second_id])
    expect(events(inOrder, { _tag: "ChildRefused", refusal })).toEqual(["DialRefused"])
    expect(events(inOrder, { _tag: "ChildRefused", refusal: { ...refusal, whole: true } })).toEqual([
      "DialRefused",
      "DialRefused",
      "ActionDone",
      "completed/actions_ended"
    ])
  })

  it("of all at once gives up no leg that is being placed because another is refused", () => {
    const numbers = ["+254700000003", "+254700000004"]
    const forAll = became(doing({ dial: { numbers, first_answer_wins: false } }, say), { _tag: "DialSurveyed" })
    const refused: CallMessage = { _tag: "ChildRefused", refusal: { ...refusal, call_id: second_id, whole: true } }
    expect(dueLegs(forAll.dial!).map(({ call_id }) => call_id)).toEqual([child_id, second_id])
    expect(events(forAll, refused)).toEqual(["DialRefused"])
    const placed = became(forAll, ...decision(forAll, refused).events)
    expect(events(placed, { _tag: "ChildStarted", child_call_id: child_id })).toEqual(["ChildAdded"])
    expect(events(placed, { _tag: "ChildRefused", refusal: { ...refusal, whole: true } })).toEqual([
      "DialRefused",
      "ActionDone"
    ])
  })

  it("tells the party once that there is no rate, and then drops the line", () => {
    const said = actionCommand(unrated)!
    expect(said).toMatchObject({ action: { kind: "say", text: "There is no rate for this destination." } })
    expect(events(unrated, { _tag: "ChildChanged", child_call_id: child_id, ...rings })).toEqual(["ChildOrphaned"])
    const finished = (command_id: string) =>
      events(unrated, { _tag: "PbxReported", event: pbxEvent("playback.finished", 1, { command_id }) })
    expect(finished("another")).toEqual(["PbxApplied"])
    expect(finished(said.id)).toEqual(["RefusalSpoken", "completed/destination_refused", "PbxApplied"])
    expect(events(unrated, { _tag: "ActionOverdue", step: 0 })).toEqual([
      "RefusalSpoken",
      "completed/destination_refused"
    ])
    const spoken = became(unrated, { _tag: "RefusalSpoken", at: minute_at })
    expect(actionCommand(spoken)).toBeUndefined()
    expect(events(spoken, { _tag: "ActionOverdue", step: 0 })).toEqual([])
    expect(events(unrated, { _tag: "Update", actions: [say] })).toEqual(["ActionsReplaced"])
  })

  it("reports its outcome to its callback, if it has one", () => {
    const asked = became(doing({ dial: { number: "+254700000003", action_url: "https://example.com/next" } }), {
      _tag: "DialSurveyed"
    })
    const all = decision(asked, {
      _tag: "ChildChanged",
      child_call_id: child_id,
      status: "no_answer",
      sip_code: 408,
      duration_seconds: null
    }).events
    expect(all.at(-1)).toEqual({
      _tag: "CallbackAsked",
      at: minute_at,
      question: {
        reason: "dial_completed",
        url: "https://example.com/next",
        answer_by: minute_at + 10_000,
        result: {
          status: "no_answer",
          call_id: null,
          duration_seconds: 0,
          answered_number: null,
          attempts: [{ to: "+254700000003", status: "no_answer", sip_code: 408 }]
        }
      }
    })
  })
})
