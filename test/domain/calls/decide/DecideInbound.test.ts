import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call, PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import type { CallMessage } from "../../../../src/domain/calls/state/CallCommand.ts"
import type { CallEvent } from "../../../../src/domain/calls/state/CallEvent.ts"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import { planCall } from "../../../../src/domain/calls/decide/PlanCall.ts"
import { cameInAt, ringLimit_seconds, rejectionCode } from "../../../../src/domain/calls/state/InboundSetup.ts"
import type { VoiceAction } from "../../../../src/domain/calls/verbs/VoiceAction.ts"
import { sessionOfCall } from "../../../../src/domain/pbx/Session.ts"
import {
  absent,
  admitting,
  answered_at,
  became,
  child_id,
  consulting,
  dial,
  facts,
  forward,
  forwarding,
  pbxEvent,
  placed_at,
  say,
  second_id,
  taken
} from "../Fixtures.ts"
import type { CallId } from "../../../../src/domain/BrandedIds.ts"

const conditions: Readonly<Record<string, Call>> = { admitting, consulting, forwarding, taken }
const now = answered_at
const hangup = pbxEvent("leg.hangup", 1, { sip_code: 487 }, now)
const answer = pbxEvent("leg.answered", 1, { sip_code: 200 }, now)
const refusal = (call_id: CallId) =>
  ({ call_id, cause: "destination_refused", detail: "", reason: null, whole: false }) as const

const commands: Readonly<Record<string, CallMessage>> = {
  Admitted: { _tag: "Admitted" },
  NotAdmitted: { _tag: "NotAdmitted", cause: "insufficient_funds" },
  "caller hangs up": { _tag: "PbxReported", event: hangup },
  "PBX answers": { _tag: "PbxReported", event: answer },
  "PBX has lost it": { _tag: "PbxReported", event: pbxEvent("session.snapshot", 9, { state: "absent" }, now) },
  Terminate: { _tag: "Terminate", source: "workspace", cause: "canceled_by_workspace" },
  "callback: say": { _tag: "CallbackSucceeded", step: 0, actions: [say] },
  "callback: nothing": { _tag: "CallbackSucceeded", step: 0, actions: [] },
  "callback fails": {
    _tag: "CallbackFailed",
    step: 0,
    cause: "callback_timeout",
    http_status: null,
    pointer: null,
    detail: ""
  },
  "leg refused": { _tag: "ChildRefused", refusal: refusal(child_id) },
  "leg started": { _tag: "ChildStarted", child_call_id: child_id },
  "leg picked up": { _tag: "ChildPickedUp", child_call_id: child_id, session_id: sessionOfCall(child_id) },
  "leg busy": { _tag: "ChildChanged", child_call_id: child_id, status: "busy", sip_code: 486, duration_seconds: null },
  "leg completed": {
    _tag: "ChildChanged",
    child_call_id: child_id,
    status: "completed",
    sip_code: 200,
    duration_seconds: 1
  },
  RingTimedOut: { _tag: "RingTimedOut" },
  PrepaidTimeEnded: { _tag: "PrepaidTimeEnded", minutes: 1 }
}

const table = `
                | admitting                      | consulting                     | forwarding                           | taken
Admitted        | Admitted                       | -                              | -                                    | -
NotAdmitted     | failed/insufficient_funds      | -                              | -                                    | -
caller hangs up | canceled/normal_clearing PbxApplied | canceled/normal_clearing PbxApplied | canceled/normal_clearing PbxApplied | canceled/normal_clearing PbxApplied
PBX answers     | PbxApplied                     | PbxApplied                     | PbxApplied                           | Answered PbxApplied
PBX has lost it | failed/session_lost PbxApplied | failed/session_lost PbxApplied | failed/session_lost PbxApplied       | failed/session_lost PbxApplied
Terminate       | canceled/canceled_by_workspace | canceled/canceled_by_workspace | canceled/canceled_by_workspace       | canceled/canceled_by_workspace
callback: say   | -                              | CallbackAnswered Answering     | -                                    | -
callback: nothing | -                            | CallbackAnswered canceled/actions_ended | -                           | -
callback fails  | -                              | CallbackFailed failed/callback_timeout | -                            | -
leg refused     | -                              | -                              | DialRefused                          | -
leg started     | ChildOrphaned                  | ChildOrphaned                  | ChildAdded                           | -
leg picked up   | -                              | -                              | ChildAdded ChildJoined Answering     | -
leg busy        | ChildAdded                     | ChildAdded                     | ChildAdded ChildEnded                | ChildEnded canceled/normal_clearing
leg completed   | ChildAdded                     | ChildAdded                     | ChildAdded ChildEnded                | ChildEnded canceled/normal_clearing
RingTimedOut    | -                              | -                              | -                                    | -
PrepaidTimeEnded     | -                              | -                              | -                                    | -
`

const said = (event: CallEvent): string =>
  event._tag === "HungUp" ? `${event.ending.status}/${event.ending.cause}` : event._tag
const events = (call: Call, command: CallMessage, at = now) => Result.getOrThrow(decideCall(call, command, at)).events
const told = (call: Call, command: CallMessage, at = now) => events(call, command, at).map(said).join(" ") || "-"
const [head, ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))

describe("An unanswered inbound call", () => {
  for (const [name, ...cells] of lines) {
    it(name!, () => {
      const columns = head!.slice(1)
      expect(columns.map((column) => told(conditions[column]!, commands[name!]!))).toEqual(cells)
    })
  }

  it("is created once, however often its session is reported", () => {
    const command: CallMessage = {
      _tag: "Incoming",
      facts,
      event: pbxEvent("session.created", 1),
      forward,
      no_funds_message: null
    }
    const made = events(absent, command)
    expect(made.map(said)).toEqual(["Received", "PbxApplied"])
    expect(told(became(absent, ...made), command)).toBe("-")
  })

  it("is refused if its number is unknown or has no routing", () => {
    const incoming = {
      _tag: "Incoming",
      facts: { ...facts, number_id: null },
      event: pbxEvent("session.created", 1),
      forward: null,
      no_funds_message: null
    } as const
    expect(told(absent, incoming)).toBe("Received PbxApplied failed/no_route")
    const aimless = { ...admitting, facts: { ...admitting.facts!, voice_callback_url: null } }
    expect(told(aimless, { _tag: "Admitted" })).toBe("failed/no_route")
  })

  it("rings no longer than all its destinations together", () => {
    expect(told(forwarding, { _tag: "RingTimedOut" }, placed_at + 70_000)).toBe("no_answer/ring_timeout")
    expect([null, forward, { ...forward, sequential: true }].map(ringLimit_seconds)).toEqual([20, 50, 80])
  })
})

describe("The actions of its callback", () => {
  const reject = (reason?: "busy" | "rejected"): VoiceAction => ({ reject: reason === undefined ? {} : { reason } })
  const tag: VoiceAction = { tag: { metadata: { a: "b" } } }
  it.each<[string, ReadonlyArray<VoiceAction>]>([
    ["CallbackAnswered busy/call_rejected", [reject()]],
    ["CallbackAnswered busy/user_busy", [reject("busy"), say]],
    ["CallbackAnswered Tagged ActionDone busy/call_rejected", [tag, reject()]],
    ["CallbackFailed failed/voice_action_invalid", [say, reject()]],
    ["CallbackAnswered canceled/normal_clearing", [{ hangup: {} }]],
    ["CallbackAnswered busy/user_busy", [{ hangup: { reason: "busy" } }]],
    ["CallbackAnswered CallbackAsked", [{ redirect: { url: "https://example.com/next" } }]],
    ["CallbackAnswered Answering", [dial]]
  ])("%s", (expected, actions) => {
    expect(told(consulting, { _tag: "CallbackSucceeded", step: 0, actions })).toBe(expected)
  })

  it("run after the answer, from the first action that needs one", () => {
    const answering = became(consulting, ...events(consulting, { _tag: "CallbackSucceeded", step: 0, actions: [say] }))
    const after = became(answering, ...events(answering, { _tag: "PbxReported", event: answer }))
    expect(after).toMatchObject({
      phase: "answered",
      reception: null,
      answered_at,
      script: { actions: [say], index: 0 }
    })
    expect(planCall(after).map(({ key }) => key)).toContain(`${after.id}:say:0`)
  })
})

describe("Forwarding", () => {
  const over = (call: Call, call_id: CallId, status: "busy" | "no_answer" | "failed") =>
    became(
      call,
      ...events(call, { _tag: "ChildChanged", child_call_id: call_id, status, sip_code: null, duration_seconds: null })
    )

  it.each([
    ["no_answer", "busy", "no_answer/no_answer"],
    ["busy", "failed", "busy/user_busy"],
    ["failed", "failed", "failed/no_route"]
  ] as const)("a leg that is %s and one that is %s make it %s", (first, second, end) => {
    const ended = over(over(forwarding, child_id, first), second_id, second)
    expect(`${ended.ending?.status}/${ended.ending?.cause}`).toBe(end)
  })

  it("connects the first leg that is answered, and hangs up the others", () => {
    expect(taken.stopping).toEqual([{ call_id: second_id, cause: "answered_elsewhere" }])
    expect(planCall(taken).map(({ key }) => key)).toEqual(
      expect.arrayContaining([`${taken.id}:answer`, `stop:${second_id}:unheard`])
    )
    const answered = became(taken, ...events(taken, { _tag: "PbxReported", event: answer }))
    expect(planCall(answered).map(({ key }) => key)).toContain(`${taken.id}:bridge:${child_id}`)
  })
})

describe("The status code for the caller's network", () => {
  it.each([
    ["failed", "insufficient_funds", 480, "No money."],
    ["failed", "no_route", 404, undefined],
    ["busy", "user_busy", 486, undefined],
    ["busy", "call_rejected", 603, undefined],
    ["failed", "callback_timeout", 503, undefined],
    ["no_answer", "ring_timeout", 480, undefined]
  ] as const)("%s/%s: %i", (status, cause, sip_code, announcement) => {
    const ending = { status, cause, source: "platform", sip_code: null, q850_cause: null } as const
    const ended = became(admitting, { _tag: "HungUp", at: now, confirmed: false, ending }) as PlacedCall
    expect(rejectionCode(ending)).toBe(sip_code)
    const work = planCall(ended).find(({ key }) => key === `${ended.id}:hangup`)
    const action = { kind: "reject", sip_code, ...(announcement !== undefined && { announcement }) }
    expect(work).toMatchObject({ work: { _tag: "SendToPbx", command: { action } } })
  })
})

it.each([
  ["just now", -50, -50],
  ["by a clock that runs ahead", 60_000, 0],
  ["by a clock that is wrong by days, or long afterwards", -86_400_000, -300_000]
])("the arrival of a call that the PBX reports %s is plausible", (_, said, counts) => {
  expect(cameInAt(new Date(placed_at + said).toISOString(), placed_at)).toBe(placed_at + counts)
})
