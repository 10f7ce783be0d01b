import { assert, describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call } from "../../../../src/domain/calls/state/Call.ts"
import { CallCommands, type CallMessage } from "../../../../src/domain/calls/state/CallCommand.ts"
import { planCall } from "../../../../src/domain/calls/decide/PlanCall.ts"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import type { VoiceAction } from "../../../../src/domain/calls/verbs/VoiceAction.ts"
import { sessionOfCall } from "../../../../src/domain/pbx/Session.ts"
import { decision, events, refusal, said } from "../Decisions.ts"
import {
  absent,
  answered_at,
  asking,
  became,
  bridged,
  child_id,
  completed,
  conferencePart,
  conferenceSettings as settings,
  consulting,
  dialling,
  doing,
  facts,
  minute_at,
  missed,
  pbxEvent,
  pickedUp,
  placed_at,
  recording,
  ringing,
  say,
  saying,
  settling,
  shared_id,
  surveying
} from "../Fixtures.ts"

const conditions: Readonly<Record<string, Call>> = {
  absent,
  ringing,
  pickedUp,
  asking,
  saying,
  surveying,
  dialling,
  bridged,
  settling,
  completed,
  missed
}

/** Answered, and the PBX has said so. */
const heard = became(asking, { _tag: "PbxApplied", seq: 3, at: answered_at })

const late = answered_at + 180_000

/** One command of each kind, and when it is told where that is not at the end of the first minute. */
const commands: {
  readonly [Tag in CallMessage["_tag"]]: readonly [Omit<Extract<CallMessage, { _tag: Tag }>, "_tag">, at?: number]
} = {
  Originate: [{ facts }, placed_at],
  Incoming: [{ facts, event: pbxEvent("session.created", 1, {}, placed_at), forward: null, no_funds_message: null }],
  Admitted: [{}],
  NotAdmitted: [{ cause: "insufficient_funds" }],
  RecentTranscript: [{}],
  PbxReported: [{ event: pbxEvent("leg.hangup", 1, { sip_code: 486, source: "callee" }) }],
  AddViewer: [{ stream_id: "stream", by: "key" }],
  RemoveViewer: [{ stream_id: "stream" }],
  ProofOfLife: [{ at: minute_at - 1_000, tenant_pbx_id: "tenant" }],
  SessionUnlisted: [{ at: minute_at }],
  ClockSet: [{ by_ms: 86_400_000 }],
  Terminate: [{ source: "workspace", cause: "canceled_by_workspace" }],
  Update: [{ mute: true }],
  CallbackSucceeded: [{ step: 0, actions: [say] }],
  CallbackFailed: [{ step: 0, cause: "callback_timeout", http_status: null, pointer: null, detail: "" }],
  ActionOverdue: [{ step: 0 }],
  MachineUndetected: [{}],
  MinutePrepaid: [{ minutes: 2 }],
  MinuteRefused: [{ minutes: 2 }],
  RingTimedOut: [{}],
  PrepaidTimeEnded: [{ minutes: 1 }],
  MaxDurationReached: [{}],
  SessionLost: [{}, late],
  HangupUnconfirmed: [{}, placed_at + 80_000],
  HangupOverdue: [{}, placed_at + 80_000],
  Settled: [{ cost_minor: 300, entry_id: null }],
  HoldReleased: [{}],
  DialSurveyed: [{ step: 0, refusals: [] }],
  ChildStarted: [{ child_call_id: child_id }],
  ChildRefused: [{ refusal }],
  ChildPickedUp: [{ child_call_id: child_id, session_id: sessionOfCall(child_id) }],
  ChildChanged: [{ child_call_id: child_id, status: "busy", sip_code: 486, duration_seconds: null }],
  ChildStopped: [{ child_call_id: child_id, found: true }],
  SpareHoldReleased: [{ hold_id: shared_id }],
  PickUpClaimed: [{ won: true }, answered_at + 100],
  ParentNotified: [{ status: "ringing" }],
  RecordingNotified: [{ recording_id: recording.id, told: "outcome" }],
  RecordingChanged: [{ recording_id: recording.id, status: "available", reason: null }],
  RecordingUnreported: [{ recording_id: recording.id }],
  StreamUnreported: [{ stream_id: "ST_1" }],
  ConferenceRefused: [{ step: 0, result: "full" }],
  ConferenceSettings: [
    { step: 0, conference_id: conferencePart.joined.conference_id, version: 2, settings, announcement: null }
  ],
  ConferenceExpelled: [{ step: 0, result: "ended" }],
  ConferenceTold: [{ step: 0 }],
  ConferenceTimeUp: [{ step: 0 }]
}

/**
 * What each command makes happen in each condition. `-` is nothing, `404` and `409` a refusal, `status/cause` the end
 * of the talk.
 */
const table = `
                   | absent     | ringing                        | pickedUp                                     | asking                                    | saying                               | surveying                            | dialling                             | bridged                              | settling      | completed     | missed
Originate          | Originated | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
Incoming           | Received PbxApplied | PbxApplied            | PbxApplied                                   | PbxApplied                                | PbxApplied                           | PbxApplied                           | PbxApplied                           | PbxApplied                           | ArrivedLate PbxApplied | ArrivedLate PbxApplied | ArrivedLate PbxApplied
Admitted           | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
NotAdmitted        | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
PbxReported        | -          | busy/user_busy PbxApplied      | canceled/normal_clearing PbxApplied          | completed/normal_clearing PbxApplied      | completed/normal_clearing PbxApplied | completed/normal_clearing PbxApplied | completed/normal_clearing PbxApplied | completed/normal_clearing PbxApplied | PbxApplied    | PbxApplied    | PbxClosed PbxApplied
RecentTranscript             | 404        | - | - | - | - | - | - | - | - | - | - 
AddViewer              | 404        | ViewerJoined | ViewerJoined | ViewerJoined | ViewerJoined | ViewerJoined | ViewerJoined | ViewerJoined | - | - | -
RemoveViewer            | 404        | - | - | - | - | - | - | - | - | - | -
ProofOfLife        | -          | SessionConfirmed                         | SessionConfirmed                                       | SessionConfirmed                                    | SessionConfirmed                               | SessionConfirmed                               | SessionConfirmed                               | SessionConfirmed                               | -             | -             | -
SessionUnlisted            | -          | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
ClockSet           | 404 | ClockSet | ClockSet | ClockSet | ClockSet | ClockSet | ClockSet | ClockSet | ClockSet | - | -
Terminate          | 404        | canceled/canceled_by_workspace | canceled/canceled_by_workspace AnswerIgnored | completed/normal_clearing                 | completed/normal_clearing            | completed/normal_clearing            | completed/normal_clearing            | completed/normal_clearing            | -             | -             | -
Update             | 404        | 409                            | 409                                          | Switched                                  | Switched                             | Switched                             | Switched                             | Switched                             | 409           | 409           | 409
CallbackSucceeded  | 404        | -                              | -                                            | CallbackAnswered                          | -                                    | -                                    | -                                    | -                                    | -             | -             | -
CallbackFailed     | 404        | -                              | -                                            | CallbackFailed completed/callback_timeout | -                                    | -                                    | -                                    | -                                    | -             | -             | -
ActionOverdue      | 404        | -                              | -                                            | -                                         | ActionDone                           | -                                    | -                                    | -                                    | -             | -             | -
MachineUndetected  | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
MinutePrepaid      | 404        | -                              | -                                            | MinutePrepaid                             | MinutePrepaid                        | MinutePrepaid                        | MinutePrepaid                        | MinutePrepaid                        | -             | -             | -
MinuteRefused       | 404        | -                              | -                                            | BalanceWentLow                            | BalanceWentLow                       | BalanceWentLow                       | BalanceWentLow                       | BalanceWentLow                       | -             | -             | -
RingTimedOut       | 404        | no_answer/ring_timeout         | Resumed                                      | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
PrepaidTimeEnded        | 404        | -                              | -                                            | completed/balance_exhausted               | completed/balance_exhausted          | completed/balance_exhausted          | completed/balance_exhausted          | completed/balance_exhausted          | -             | -             | -
MaxDurationReached | 404        | -                              | -                                            | completed/max_duration                    | completed/max_duration               | completed/max_duration               | completed/max_duration               | completed/max_duration               | -             | -             | -
SessionLost        | 404        | -                              | -                                            | completed/session_lost                    | completed/session_lost               | completed/session_lost               | completed/session_lost               | completed/session_lost               | -             | -             | -
HangupUnconfirmed  | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | PbxClosed
HangupOverdue      | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
Settled            | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | Settled       | -             | -
HoldReleased       | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | HoldReleased
DialSurveyed       | 404        | -                              | -                                            | -                                         | -                                    | DialSurveyed                         | -                                    | -                                    | -             | -             | -
ChildStarted       | 404        | -                              | -                                            | ChildOrphaned                             | ChildOrphaned                        | ChildAdded                           | ChildAdded                           | -                                    | ChildOrphaned | ChildOrphaned | ChildOrphaned
ChildRefused       | 404        | -                              | -                                            | -                                         | -                                    | DialRefused ActionDone               | DialRefused ActionDone               | -                                    | -             | -             | -
ChildPickedUp      | 404        | -                              | -                                            | -                                         | -                                    | ChildAdded ChildJoined               | ChildAdded ChildJoined               | -                                    | -             | -             | -
ChildChanged       | 404        | -                              | -                                            | ChildAdded                                | ChildAdded                           | ChildAdded ChildEnded ActionDone     | ChildAdded ChildEnded ActionDone     | ChildEnded ActionDone                | ChildAdded    | ChildAdded    | ChildAdded
ChildStopped       | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
SpareHoldReleased  | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
PickUpClaimed      | 404        | -                              | Answered ParentNotified                          | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
ParentNotified         | 404        | ParentNotified                     | ParentNotified                                   | ParentNotified                                | ParentNotified                           | ParentNotified                           | ParentNotified                           | ParentNotified                           | ParentNotified    | ParentNotified    | ParentNotified
RecordingNotified      | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
RecordingChanged   | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
StreamUnreported    | 404        | - | - | - | - | - | - | - | - | - | -
ConferenceRefused  | 404 | - | - | - | - | - | - | - | - | - | -
ConferenceSettings | 404 | - | - | - | - | - | - | - | - | - | -
ConferenceExpelled | 404 | - | - | - | - | - | - | - | - | - | -
ConferenceTold     | 404 | - | - | - | - | - | - | - | - | - | -
ConferenceTimeUp   | 404 | - | - | - | - | - | - | - | - | - | -
RecordingUnreported | 404        | -                              | -                                            | -                                         | -                                    | -                                    | -                                    | -                                    | -             | -             | -
`

const refusals: Readonly<Record<string, string>> = { "calls.not_found": "404", "calls.not_in_progress": "409" }

const outcome = (call: Call, command: CallMessage, now: number): string => {
  const decided = decideCall(call, command, now)
  if (Result.isFailure(decided)) return refusals[decided.failure._tag] ?? decided.failure._tag
  return decided.success.events.map(said).join(" ") || "-"
}

const [head, ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
const columns = head!.slice(1)

describe("The table of a call", () => {
  it("has a row for every command, and a column for every condition", () => {
    expect(lines.map(([tag]) => tag)).toEqual(Object.keys(CallCommands))
    expect(columns).toEqual(Object.keys(conditions))
    expect(new Set(Object.values(conditions).map(({ phase }) => phase))).toEqual(
      new Set(["absent", "ringing", "answered", "settling", "ended"])
    )
  })

  for (const [tag, ...cells] of lines) {
    const [fields, at = minute_at] = commands[tag as CallMessage["_tag"]]
    const command = { _tag: tag, ...fields } as CallMessage
    it(`${tag}`, () => {
      const is = columns.map((column) => [column, outcome(conditions[column]!, command, at)])
      expect(Object.fromEntries(is)).toEqual(Object.fromEntries(columns.map((column, index) => [column, cells[index]])))
    })
  }
})

describe("The replies of a call", () => {
  it("placing a call twice returns the same record and places one call", () => {
    const first = decision(absent, { _tag: "Originate", facts }, placed_at)
    const again = decision(ringing, { _tag: "Originate", facts })
    expect(again).toEqual({ events: [], reply: first.reply })
    expect(first.reply).toMatchObject({ status: "ringing", ringing_at: null })
  })

  it("a call is refused if its money was held more than 10 seconds ago, unless it shares a hold", () => {
    const placed = (of: typeof facts, after_ms: number) =>
      decideCall(absent, { _tag: "Originate", facts: of }, placed_at + after_ms)
    assert.isTrue(Result.isSuccess(placed(facts, 10_000)))
    expect(placed(facts, 10_001)).toMatchObject({ failure: { _tag: "service_unavailable" } })
    assert.isTrue(Result.isSuccess(placed({ ...facts, shared_hold_id: shared_id }, 10_001)))
    expect(decision(ringing, { _tag: "Originate", facts }).reply).toMatchObject({ status: "ringing" })
  })

  it("a termination reports whether it changed anything", () => {
    const reply = (call: Call) =>
      decision(call, { _tag: "Terminate", source: "workspace", cause: "canceled_by_workspace" }).reply
    expect(reply(ringing)).toMatchObject({
      termination: "requested",
      record: { status: "canceled", terminating: false }
    })
    expect(reply(asking)).toMatchObject({ termination: "requested", record: { status: "answered", terminating: true } })
    expect(reply(settling)).toMatchObject({ termination: "already_requested", record: { status: "answered" } })
    expect(reply(completed)).toMatchObject({ termination: "already_ended", record: { status: "completed" } })
    expect(reply(missed)).toMatchObject({ termination: "already_ended", record: { status: "no_answer" } })
  })

  it("a proof of life changes memory alone", () => {
    assert.isTrue(decision(asking, { _tag: "ProofOfLife", tenant_pbx_id: "tenant", at: minute_at }).volatile)
  })

  it("a heartbeat of another tenant proves nothing", () => {
    for (const call of [ringing, asking, bridged]) {
      expect(events(call, { _tag: "ProofOfLife", tenant_pbx_id: "other", at: minute_at })).toEqual([])
    }
  })

  it("a session that its gateway did not list is queried at once, until it is reported", () => {
    const {
      pbx: { seq }
    } = heard
    const doubted = became(heard, { _tag: "SessionUnlisted", at: minute_at })
    const asked = (call: Call) => planCall(call).some(({ key }) => key === `${heard.id}:snapshot:doubted:${minute_at}`)
    assert.deepStrictEqual([asked(heard), asked(doubted)], [false, true])
    assert.isTrue(decision(heard, { _tag: "SessionUnlisted", at: minute_at }).volatile)
    assert.isFalse(asked(became(doubted, { _tag: "PbxApplied", seq: seq + 1, at: minute_at })))
    expect(
      events(became(heard, { _tag: "SessionConfirmed", at: minute_at }), { _tag: "SessionUnlisted", at: minute_at })
    ).toEqual([])
  })
})

describe("Deadlines", () => {
  it("apply to the minute that they were set for, at its end", () => {
    const extended = became(asking, { _tag: "MinutePrepaid", minutes: 2 })
    expect(events(extended, { _tag: "PrepaidTimeEnded", minutes: 1 })).toEqual([])
    expect(events(asking, { _tag: "PrepaidTimeEnded", minutes: 1 }, minute_at - 1)).toEqual([])
    const [end] = decision(asking, { _tag: "PrepaidTimeEnded", minutes: 1 }, minute_at + 500).events
    expect(end).toMatchObject({ _tag: "HungUp", at: minute_at })
  })

  it("that fire late give the wallet and the PBX time first", () => {
    const back_at = minute_at + 300_000
    for (const command of [{ _tag: "PrepaidTimeEnded", minutes: 1 }, { _tag: "SessionLost" }] as const) {
      expect(events(asking, command, back_at)).toEqual(["Resumed"])
      const resumed = became(asking, { _tag: "Resumed", at: back_at })
      expect(events(resumed, command, back_at)).toEqual([])
      const [end] = decision(
        resumed,
        command,
        back_at + 91_000 - (command._tag === "PrepaidTimeEnded" ? 85_500 : 0)
      ).events
      expect(end).toMatchObject({ _tag: "HungUp", at: command._tag === "PrepaidTimeEnded" ? minute_at : answered_at })
    }
  })

  it("let the PBX report first how a talk ended that was over before its longest time", () => {
    const back_at = minute_at + 300_000
    const command = { _tag: "MaxDurationReached" } as const
    expect(events(asking, command, minute_at - 1)).toEqual([])
    expect(events(asking, command, back_at)).toEqual(["Resumed"])
    const back = became(asking, { _tag: "Resumed", at: back_at })
    expect(events(back, command, back_at + 9_999)).toEqual([])
    const [end] = decision(back, command, back_at + 10_000).events
    expect(end).toMatchObject({ _tag: "HungUp", at: minute_at, ending: { cause: "max_duration" } })
  })

  it("give the PBX a minute after the engine's return to confirm the end", () => {
    const back_at = placed_at + 600_000
    expect(events(missed, { _tag: "HangupUnconfirmed" }, back_at)).toEqual(["Resumed"])
    const resumed = became(missed, { _tag: "Resumed", at: back_at })
    expect(events(resumed, { _tag: "HangupUnconfirmed" }, back_at)).toEqual([])
    expect(events(resumed, { _tag: "HangupUnconfirmed" }, back_at + 60_000)).toEqual(["PbxClosed"])
  })

  it("cut off a call that the wallet refused at once, however late they fire", () => {
    const refused = became(asking, {
      _tag: "BalanceWentLow",
      at: minute_at - 10_000,
      minutes: 2,
      remaining_seconds: 10
    })
    expect(events(refused, { _tag: "PrepaidTimeEnded", minutes: 1 }, minute_at + 300_000)).toEqual([
      "completed/balance_exhausted"
    ])
  })

  it("do not end a session as lost that was reported since", () => {
    const proved = became(asking, { _tag: "SessionConfirmed", at: answered_at + 1 })
    expect(events(proved, { _tag: "SessionLost" }, late)).toEqual([])
  })

  it("end the talk at its deadline, not when the engine noticed", () => {
    const [end] = decision(asking, { _tag: "MaxDurationReached" }, minute_at + 700).events
    expect(end).toMatchObject({ _tag: "HungUp", at: answered_at + facts.max_duration_seconds * 1000 })
  })
})

describe("A low balance", () => {
  it("is announced once for each minute, with the seconds that remain", () => {
    const command = { _tag: "MinuteRefused", minutes: 2 } as const
    const [low] = decision(asking, command, minute_at - 9_500).events
    expect(low).toMatchObject({ _tag: "BalanceWentLow", remaining_seconds: 10 })
    expect(events(became(asking, low!), command)).toEqual([])
    expect(
      events(became(asking, low!, { _tag: "MinutePrepaid", minutes: 2 }), { _tag: "MinuteRefused", minutes: 3 })
    ).toEqual(["BalanceWentLow"])
    expect(events(became(asking, { _tag: "MinutePrepaid", minutes: 2 }), command)).toEqual([])
  })
})

describe("The actions of a callback", () => {
  const answers = (...actions: ReadonlyArray<VoiceAction>) =>
    events(asking, { _tag: "CallbackSucceeded", step: 0, actions }, answered_at + 100)

  it("end the call after the last one, or at a hangup", () => {
    expect(answers()).toEqual(["CallbackAnswered", "completed/actions_ended"])
    expect(answers({ hangup: {} }, say)).toEqual(["CallbackAnswered", "completed/normal_clearing"])
    expect(answers(say)).toEqual(["CallbackAnswered"])
    expect(events(doing(say), { _tag: "ActionOverdue", step: 0 })).toEqual(["ActionDone", "completed/actions_ended"])
    expect(events(saying, { _tag: "ActionOverdue", step: 1 })).toEqual([])
  })
})

describe("A script", () => {
  it("that loops is ended, however short each round is", () => {
    const circling = doing({ pause: { seconds: 1 } }, { pause: { seconds: 1 } })
    const late = { ...circling, script: { ...circling.script!, step: 9_998 } }
    expect(events(late, { _tag: "ActionOverdue", step: 9_998 })).toEqual(["ActionDone"])
    const last = { ...circling, script: { ...circling.script!, step: 9_999 } }
    expect(events(last, { _tag: "ActionOverdue", step: 9_999 })).toEqual([
      "ActionDone",
      "completed/voice_action_invalid"
    ])
  })

  it("whose callbacks redirect to each other is ended, unless they do so slowly", () => {
    const redirect: VoiceAction = { redirect: { url: "https://example.com/again" } }
    const ends = (call: Call, pause_ms: number) => {
      let at = call.consulted!.at(-1)!.asked_at
      for (let round = 1; round <= 40; round++) {
        at += pause_ms
        const told = decision(
          call,
          { _tag: "CallbackSucceeded", step: call.script!.step, actions: [redirect] },
          at
        ).events
        call = became(call, ...told)
        if (call.phase !== "ringing" && call.phase !== "answered")
          return `${round} ${told.map(({ _tag }) => _tag).join(" ")} ${call.ending!.cause}`
      }
      return "never"
    }
    expect(ends(asking, 100)).toBe("20 CallbackAnswered CallbackAsked CallbackFailed HungUp voice_action_invalid")
    expect(ends(asking, 499)).toBe("20 CallbackAnswered CallbackAsked CallbackFailed HungUp voice_action_invalid")
    expect(ends(asking, 500)).toBe("never")
    expect(ends(consulting, 100)).toBe("20 CallbackAnswered CallbackAsked CallbackFailed HungUp voice_action_invalid")
  })
})

describe("A session that outlives its call", () => {
  const given_up = became(missed, { _tag: "PbxClosed" })
  const ended_at = placed_at + 20_000

  it("is hung up again, but not while the first hang-up may still succeed", () => {
    expect(events(missed, { _tag: "ProofOfLife", tenant_pbx_id: "tenant", at: ended_at + 120_000 })).toEqual([])
    expect(events(given_up, { _tag: "ProofOfLife", tenant_pbx_id: "tenant", at: ended_at + 60_000 })).toEqual([])
    expect(events(given_up, { _tag: "ProofOfLife", tenant_pbx_id: "tenant", at: ended_at + 60_001 })).toEqual([
      "AnswerIgnored"
    ])
    expect(became(given_up, { _tag: "AnswerIgnored", at: ended_at + 60_001 }).pbx).toMatchObject({ closed: false })
  })
})
