import { describe, expect, it } from "@effect/vitest"
import type { Call, PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import type { CallFacts } from "../../../../src/domain/calls/state/CallFacts.ts"
import { childCallId } from "../../../../src/domain/calls/state/Dial.ts"
import { type CallWork, planCall } from "../../../../src/domain/calls/decide/PlanCall.ts"
import type { VerbPayload } from "../../../../src/domain/calls/verbs/VoiceVerbs.ts"
import { sessionOfCall } from "../../../../src/domain/pbx/Session.ts"
import {
  absent,
  answered_at,
  asking,
  became,
  bridged,
  call_id,
  child_id,
  completed,
  dialling,
  doing,
  facts,
  firstJoined,
  minute_at,
  missed,
  pbxEvent,
  pickedUp,
  placed_at,
  question,
  ringing,
  ringingBoth,
  rung,
  saying,
  second_id,
  settling,
  shared_id,
  stray_id,
  surveying
} from "../Fixtures.ts"
import { callId } from "../../../support/Ids.ts"
import type { CallId } from "../../../../src/domain/BrandedIds.ts"

/** The plan as `key` or `key @ seconds after the call was placed`, without the call's id. */
const planned = (call: Call): ReadonlyArray<string> =>
  planCall(call).map(({ at, key }) => {
    const short = key
      .replaceAll(`${call_id}:`, "")
      .replaceAll(child_id, "child")
      .replaceAll(stray_id, "stray")
      .replaceAll(second_id, "second")
      .replaceAll(shared_id, "shared")
    return at === undefined ? short : `${short} @ ${(at - placed_at) / 1000}`
  })

const work = (call: Call, key: string): CallWork => {
  const found = planCall(call).find((one) => one.key === key || one.key === `${call_id}:${key}`)
  if (found?._tag !== "Task") throw new Error(`No task ${key}`)
  return found.work
}

const using = (call: PlacedCall, changed: Partial<CallFacts>): PlacedCall => ({
  ...call,
  facts: { ...facts, max_duration_seconds: 3_600, ...changed }
})
const parent_call_id = callId("01890a5d-ac96-774b-bcce-000000000001")
const asLeg = { parent_call_id, parent_session_id: sessionOfCall(parent_call_id) }

/** What is under way while a call is answered, whatever it does; it is placed at 0 and answered at 10 s. */
const watched = ["max @ 3610", `snapshot:${answered_at} @ 100`, "lost @ 190"]
const covered = ["prepay:2 @ 60", "cutoff:1 @ 70"]

const rows: ReadonlyArray<readonly [condition: string, call: Call, plan: ReadonlyArray<string>]> = [
  ["an absent call", absent, []],
  ["a ringing call", ringing, ["originate", "ring @ 70"]],
  [
    "a ringing call that the PBX has taken up",
    became(ringing, { _tag: "PbxApplied", seq: 1, at: placed_at }),
    ["ring @ 70"]
  ],
  ["a call whose callback is asked", using(asking, {}), ["callback:0", ...covered, ...watched]],
  ["a call that speaks", using(saying, {}), ["say:0", "overdue:0 @ 70.7", ...covered, ...watched]],
  [
    "a call that plays",
    using(doing({ play: { url: "https://example.com/a.wav" } }), {}),
    ["play:0", "overdue:0 @ 3670.1", ...covered, ...watched]
  ],
  [
    "a call that waits for digits",
    using(doing({ gather: { num_digits: 4 } }), {}),
    ["gather:0", "overdue:0 @ 87.1", ...covered, ...watched]
  ],
  [
    "a call that records what is said",
    using(doing({ record: { max_length: 20 } }), {}),
    ["record.start:0", "overdue:0 @ 90.1", ...covered, ...watched]
  ],
  [
    "a call that sends digits",
    using(doing({ send_digits: { digits: "12" } }), {}),
    ["send_digits:0", "overdue:0 @ 72.1", ...covered, ...watched]
  ],
  ["a call that pauses", using(doing({ pause: { seconds: 7 } }), {}), ["overdue:0 @ 17.1", ...covered, ...watched]],
  [
    "a call that waits for who has answered",
    using(
      became(ringing, {
        _tag: "Answered",
        at: answered_at,
        question: { ...question, answer_by: null },
        detect_until: answered_at + 5_000
      }),
      {}
    ),
    ["detect @ 15", ...covered, ...watched]
  ],
  [
    "a call that is muted and held",
    using(
      became(
        asking,
        { _tag: "Switched", at: minute_at, what: "mute", on: true },
        {
          _tag: "Switched",
          at: minute_at,
          what: "hold",
          on: true
        }
      ),
      {}
    ),
    ["callback:0", "mute:1", "hold:1", ...covered, ...watched]
  ],
  [
    "a call whose speech is cut short",
    using(
      became(saying, {
        _tag: "ActionsReplaced",
        at: minute_at,
        actions: [{ pause: { seconds: 1 } }],
        cut_command_id: "c"
      }),
      {}
    ),
    ["cut:1", "overdue:1 @ 71", ...covered, ...watched]
  ],
  ["a call that judges where it dials", using(surveying, {}), ["survey:0", ...covered, ...watched]],
  ["a call that dials", using(dialling, {}), ["dial:child", ...covered, ...watched]],
  ["a call that has rung two phones", using(ringingBoth, {}), [...covered, ...watched]],
  [
    "a call whose first answer has won",
    using(firstJoined, {}),
    ["bridge:child", ...covered, ...watched, "stop:second"]
  ],
  [
    "a call with money left of a dial",
    using(
      became(
        ringingBoth,
        { _tag: "ActionsReplaced", at: minute_at, actions: [{ pause: { seconds: 1 } }], cut_command_id: null },
        { _tag: "ChildStopped", child_call_id: child_id },
        { _tag: "ChildStopped", child_call_id: second_id }
      ),
      {}
    ),
    ["overdue:1 @ 71", ...covered, ...watched, "spare:shared"]
  ],
  [
    "a call with money left of a dial whose legs are not all let go",
    using(
      became(
        ringingBoth,
        {
          _tag: "ActionsReplaced",
          at: minute_at,
          actions: [{ pause: { seconds: 1 } }],
          cut_command_id: null
        },
        { _tag: "ChildStopped", child_call_id: child_id }
      ),
      {}
    ),
    ["overdue:1 @ 71", ...covered, ...watched, "stop:second"]
  ],
  [
    "a leg that was picked up",
    became(pickedUp, { _tag: "PbxApplied", seq: 1, at: answered_at }, { _tag: "ParentNotified", status: "ringing" }),
    ["ring @ 20", "claim"]
  ],
  ["a call whose leg rings", using(rung, {}), [...covered, ...watched]],
  ["a call whose leg has answered", using(bridged, {}), ["bridge:child", ...covered, ...watched]],
  ["talk that costs nothing", using(asking, { rate_per_min_minor: 0 }), ["callback:0", ...watched]],
  ["talk that is covered to its last second", asking, ["callback:0", "max @ 70", ...watched.slice(1)]],
  [
    "a second minute of talk",
    using(became(asking, { _tag: "MinutePrepaid", minutes: 2 }), {}),
    ["callback:0", "prepay:3 @ 120", "cutoff:2 @ 130", ...watched]
  ],
  ["a call that is settled", settling, ["settle"]],
  ["a completed call", completed, []],
  ["a call that nobody answered", missed, ["release", "hangup", "unconfirmed @ 80"]],
  ["a call that the PBX has ended, too", became(missed, { _tag: "PbxClosed" }), ["release"]],
  ["a call whose hold is released", became(missed, { _tag: "PbxClosed" }, { _tag: "HoldReleased" }), []],
  [
    "a session that lives on",
    became(missed, { _tag: "PbxClosed" }, { _tag: "AnswerIgnored", at: placed_at + 200_000 }),
    ["release", `hangup:${placed_at + 200_000}`, "unconfirmed @ 260"]
  ],
  [
    "a call with a gap in the PBX's events",
    became(ringing, { _tag: "PbxBuffered", event: pbxEvent("leg.ringing", 3), at: placed_at + 5_000 }),
    ["originate", "ring @ 70", "snapshot:after:0 @ 7"]
  ],
  ["a leg that its call has not heard of", using(ringing, asLeg), ["originate", "ring @ 70", "parent:ringing"]],
  [
    "a leg that its call has heard of",
    became(using(ringing, asLeg), { _tag: "ParentNotified", status: "ringing" }),
    ["originate", "ring @ 70"]
  ],
  [
    "a leg that has ended",
    became(using(missed, asLeg), { _tag: "ParentNotified", status: "ringing" }),
    ["release", "hangup", "unconfirmed @ 80", "parent:no_answer"]
  ],
  [
    "a call with a leg that it does not wait for",
    became(using(asking, {}), { _tag: "ChildOrphaned", child_call_id: stray_id }),
    ["callback:0", ...covered, ...watched, "stop:stray"]
  ],
  [
    "a call that leaves two legs behind",
    became(
      using(dialling, {}),
      { _tag: "ChildOrphaned", child_call_id: stray_id },
      {
        _tag: "HungUp",
        at: minute_at,
        confirmed: true,
        ending: { status: "completed", cause: "normal_clearing", source: "callee", sip_code: null, q850_cause: null }
      }
    ),
    ["settle", "stop:stray", "stop:child:unheard"]
  ]
]

describe("The planned work", () => {
  it.each(rows)("for %s", (_condition, call, plan) => expect(planned(call)).toEqual(plan))

  it("has a unique key for each item", () => {
    const gap = became(using(saying, {}), { _tag: "PbxBuffered", event: pbxEvent("dtmf", 3), at: answered_at })
    for (const call of [...rows.map(([, call]) => call), gap]) {
      const keys = planCall(call).map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  it("queries the PBX for each new gap and each new silence", () => {
    const first = became(using(asking, {}), { _tag: "PbxBuffered", event: pbxEvent("dtmf", 3), at: minute_at })
    const second = became(first, { _tag: "PbxApplied", seq: 1, at: minute_at + 1_000 })
    expect(planned(first)).toContain("snapshot:after:0 @ 72")
    expect(planned(second)).toContain("snapshot:after:1 @ 73")
    expect(planned(second)).toContain(`snapshot:${minute_at + 1_000} @ 161`)
  })

  it("gives the wallet and the PBX time after the engine was away", () => {
    const back_at = placed_at + 400_000
    const resumed = became(using(asking, {}), { _tag: "Resumed", at: back_at })
    expect(planned(resumed)).toContain("prepay:2 @ 60")
    expect(planned(resumed)).toContain("cutoff:1 @ 405")
    expect(planned(resumed)).toContain("lost @ 490")
    expect(planned(became(ringing, { _tag: "Resumed", at: back_at }))).toEqual([
      `snapshot:rang:${back_at}`,
      "ring @ 410"
    ])
  })

  it("stops the leg that a call leaves behind, and again when it is reported later", () => {
    const ending = {
      status: "completed",
      cause: "normal_clearing",
      source: "callee",
      sip_code: null,
      q850_cause: null
    } as const
    const left = became(dialling, { _tag: "HungUp", at: minute_at, confirmed: true, ending })
    expect(planned(left)).toEqual(["settle", "stop:child:unheard"])
    expect(planned(became(left, { _tag: "ChildOrphaned", child_call_id: child_id }))).toEqual(["settle", "stop:child"])
    expect(planned(became(left, { _tag: "ChildStopped", child_call_id: child_id }))).toEqual(["settle"])
  })
})

describe("The work itself", () => {
  it("pays for whole minutes from the answer", () => {
    expect(work(using(asking, {}), "prepay:2")).toMatchObject({ _tag: "PrepayMinute", minutes: 2, amount_minor: 600 })
  })

  it("settles the bill", () => {
    expect(work(settling, "settle")).toMatchObject({ cost_minor: 300, description: "Call to +254700000002, 30 s" })
  })

  it("lets the PBX ring a little longer than the call, so that the engine's deadline decides", () => {
    const originate = work(ringing, "originate")
    const not_after = new Date(facts.created_at + facts.timeout_seconds * 1000).toISOString()
    expect(originate).toMatchObject({ command: { action: { timeout_seconds: facts.timeout_seconds + 5, not_after } } })
  })

  it("sends the actions of a call to the PBX in order", () => {
    const sent = (call: Call, key: string) => {
      const found = work(call, key)
      return found._tag === "SendToPbx" ? found.command : undefined
    }
    expect(sent(ringing, "originate")).toMatchObject({ seq: 1, action: { kind: "originate", to: facts.to } })
    expect(sent(doing({ say: { text: "Hi.", voice: "f", loop: 2 } }), "say:0")).toMatchObject({
      seq: 11,
      action: { kind: "say", text: "Hi.", voice: "f", loop: 2 }
    })
    expect(sent(bridged, `bridge:${child_id}`)).toMatchObject({
      seq: 12,
      action: { kind: "bridge", peer_session_id: sessionOfCall(child_id) }
    })
    expect(sent(missed, "hangup")).toMatchObject({
      seq: 2_000_000_001,
      action: { kind: "hangup", cause: "ring_timeout" }
    })
    expect(sent(using(ringing, asLeg), "originate")).toMatchObject({
      action: { parent_session_id: sessionOfCall(parent_call_id) }
    })
  })

  it("sends the options of a leg as requested: absent is not false", () => {
    const action = (more: Partial<CallFacts>) => {
      const originate = work(using(ringing, more), "originate")
      return originate._tag === "SendToPbx" ? originate.command.action : undefined
    }
    const plain = action({})
    for (const key of [
      "sequential",
      "first_answer_wins",
      "caller_name",
      "send_digits",
      "machine_detection",
      "ringback_url",
      "sip_headers",
      "endpoint"
    ]) {
      expect(plain).not.toHaveProperty(key)
    }
    expect(action({ machine_detection: "off" })).not.toHaveProperty("machine_detection")
    expect(action({ machine_detection: "detect" })).toMatchObject({
      machine_detection: { mode: "detect", timeout_seconds: 30 }
    })
    const asked = {
      sequential: false,
      first_answer_wins: false,
      caller_name: "Acme",
      send_digits: "1w2",
      ringback_url: "https://example.com/tone",
      sip_headers: { "X-Order": "7" },
      endpoint: "acme-1001"
    }
    expect(action(asked)).toMatchObject(asked)
  })

  it("requests speech recognition only if speech is wanted", () => {
    const action = (gather: VerbPayload<"gather">) => {
      const sent = work(doing({ gather }), "gather:0")
      return sent._tag === "SendToPbx" ? sent.command.action : undefined
    }
    expect(action({ language: "sw" })).not.toHaveProperty("input")
    expect(action({ input: ["dtmf"] })).not.toHaveProperty("input")
    expect(action({ input: ["speech", "dtmf"], language: "sw" })).toMatchObject({
      input: ["speech", "dtmf"],
      language: "sw"
    })
  })

  it("does not ring a phone after its time", () => {
    expect(work(ringing, "originate")).toMatchObject({ until: placed_at + 70_000 })
  })
})

describe("The id of a leg", () => {
  const ids = (id: CallId) => Array.from({ length: 1_600 }, (_, index) => childCallId(id, index >> 4, index & 15))

  it("is a different UUID for each step and leg", () => {
    expect(new Set([call_id, ...ids(call_id)]).size).toBe(1_601)
    for (const id of [...ids(call_id), childCallId(call_id, 200_000_000, 15)]) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })

  it("differs from those of its ancestors and their legs if a leg dials too", () => {
    const legs = ids(call_id).slice(0, 64)
    const all = [call_id, ...legs, ...legs.flatMap((leg) => ids(leg).slice(0, 64))]
    expect(new Set(all).size).toBe(all.length)
  })

  it("is unique among consecutive ids", () => {
    const calls = Array.from({ length: 50 }, (_, index) => callId(call_id.slice(0, -2) + (index + 16).toString(16)))
    const all = calls.flatMap((id) => [id, ...ids(id)])
    expect(new Set(all).size).toBe(all.length)
  })
})
