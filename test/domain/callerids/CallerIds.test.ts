// Who may show which number: codes, guesses, limits, proofs and their end.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { changeOf } from "../../../src/domain/Decision.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { toCallerIdId, toCallId, toWorkspaceId } from "../../../src/domain/BrandedIds.ts"
import type { CallerIdsMessage } from "../../../src/domain/callerids/CallerIdCommand.ts"
import {
  callerIdLimits,
  type CallerIds,
  day_ms,
  evolveCallerIds,
  initialCallerIds,
  lapsesAt,
  mayShow
} from "../../../src/domain/callerids/CallerIds.ts"
import { callerIdRecord } from "../../../src/domain/callerids/CallerIdRecord.ts"
import { decideCallerIds } from "../../../src/domain/callerids/DecideCallerIds.ts"
import { planCallerIds } from "../../../src/domain/callerids/PlanCallerIds.ts"
import { recordCallerIds } from "../../../src/domain/callerids/RecordCallerIds.ts"
import { codeCallRefusal, speaksCodes } from "../../../src/domain/callerids/CodeCall.ts"
import { codeOf, spokenCode } from "../../../src/domain/callerids/SpokenCode.ts"

const number = "+254711000001"
const origin = systemOrigin
const start = Date.UTC(2026, 9, 1)
const id = toCallerIdId("a")
const call_id = toCallId("call")
const nothing = initialCallerIds(toWorkspaceId("w"))

const request = (more: Partial<CallerIdsMessage<"Request">> = {}): CallerIdsMessage<"Request"> => ({
  _tag: "Request",
  id,
  number,
  call_id,
  silent: false,
  origin,
  ...more
})
const enter = (matches: boolean, of = call_id): CallerIdsMessage<"Enter"> => ({
  _tag: "Enter",
  id,
  call_id: of,
  matches,
  origin
})

/** What the command answers, or the code that refuses it, and the state after it. */
const after = (state: CallerIds, command: CallerIdsMessage, now = start) => {
  const decided = decideCallerIds(state, command, now)
  return Result.isFailure(decided)
    ? { state, refused: decided.failure._tag, reply: undefined, failure: decided.failure }
    : {
        state: decided.success.events.reduce(evolveCallerIds, state),
        refused: undefined,
        reply: decided.success.reply,
        failure: undefined
      }
}
const afterAll = (commands: ReadonlyArray<CallerIdsMessage>, now = start) =>
  commands.reduce((state, command) => after(state, command, now).state, nothing)

const called = afterAll([request()])
const verified = afterAll([request(), enter(true)])
const statusAt = (state: CallerIds, now: number) => state.caller_ids.map((row) => callerIdRecord(row, now).status)

describe("the proof of a caller id", () => {
  it("is a code that a call has spoken, and lasts a year", () => {
    assert.isFalse(mayShow(called, number, start))
    assert.deepStrictEqual(statusAt(called, start), ["calling"])
    assert.isTrue(mayShow(verified, number, start))
    assert.isFalse(mayShow(verified, "+254711000002", start))
    assert.isTrue(mayShow(verified, number, start + callerIdLimits.proof_ms - 1))
    assert.isFalse(mayShow(verified, number, start + callerIdLimits.proof_ms))
    assert.deepStrictEqual(statusAt(verified, start + callerIdLimits.proof_ms), ["unverified"])
  })

  it("allows five guesses, and then not even the right code", () => {
    const wrong = Array.from({ length: 5 }, () => enter(false))
    const guessed = afterAll([request(), ...wrong.slice(1)])
    assert.strictEqual(guessed.caller_ids[0]?.challenge?.guesses_left, 1)
    assert.isUndefined(after(guessed, enter(true)).refused)
    const spent = afterAll([request(), ...wrong])
    assert.strictEqual(after(spent, enter(true)).refused, "caller_ids.code_expired")
    assert.strictEqual(after(spent, enter(false)).refused, "caller_ids.code_expired")
    assert.deepStrictEqual(statusAt(spent, start), ["unverified"])
  })

  it.each<[string, CallerIds, CallerIdsMessage, number, string]>([
    ["after ten minutes", called, enter(true), callerIdLimits.code_ms, "caller_ids.code_expired"],
    [
      "of an earlier call",
      afterAll([request(), request({ call_id: toCallId("next") })]),
      enter(true),
      0,
      "caller_ids.code_expired"
    ],
    ["a second time", verified, enter(true), 0, "caller_ids.code_expired"],
    [
      "of a number that was withdrawn",
      afterAll([request(), { _tag: "Withdraw", id, origin }]),
      enter(true),
      0,
      "caller_ids.not_found"
    ],
    [
      "of a call that was not placed",
      afterAll([request(), { _tag: "FailCall", id, call_id, failure: "x" }]),
      enter(true),
      0,
      "caller_ids.code_expired"
    ],
    [
      "of a number that an operator has forbidden",
      afterAll([request(), { _tag: "Revoke", id, number, origin }]),
      enter(true),
      0,
      "caller_ids.code_expired"
    ]
  ])("takes no code %s", (_, state, command, later, refused) => {
    const { refused: code, state: unchanged } = after(state, command, start + later)
    assert.strictEqual(code, refused)
    assert.strictEqual(unchanged, state)
  })

  it("stays while another code is requested, and is renewed by it", () => {
    const later = start + 300 * day_ms
    const again = after(verified, request({ call_id: toCallId("next") }), later).state
    assert.isTrue(mayShow(again, number, later))
    const renewed = after(again, enter(true, toCallId("next")), later).state
    assert.isTrue(mayShow(renewed, number, later + callerIdLimits.proof_ms - 1))
    assert.strictEqual(renewed.caller_ids.length, 1)
  })

  it("ends when it is withdrawn or revoked, and a revoked number cannot be proved or withdrawn", () => {
    assert.isFalse(mayShow(after(verified, { _tag: "Withdraw", id, origin }).state, number, start))
    const revoked = after(verified, { _tag: "Revoke", id: toCallerIdId("b"), number, origin }).state
    assert.isFalse(mayShow(revoked, number, start))
    assert.deepStrictEqual(statusAt(revoked, start), ["revoked"])
    assert.strictEqual(after(revoked, request()).refused, "caller_ids.revoked")
    assert.strictEqual(after(revoked, { _tag: "Withdraw", id, origin }).refused, "caller_ids.revoked")
    const approved = after(revoked, { _tag: "Approve", id: toCallerIdId("c"), number, origin }).state
    assert.isTrue(mayShow(approved, number, start))
    assert.deepStrictEqual(
      approved.caller_ids.map((row) => row.id),
      [id]
    )
  })
})

describe("what subscribers are told of a caller id", () => {
  const told = (commands: ReadonlyArray<CallerIdsMessage>) => {
    const rows: Array<unknown> = []
    let state = nothing
    for (const [minute, command] of commands.entries()) {
      const now = command._tag === "Expire" ? start + 2 * callerIdLimits.proof_ms : start + minute * 60_000
      const decided = decideCallerIds(state, command, now)
      const events = Result.isSuccess(decided) ? decided.success.events : []
      const recorded = recordCallerIds(changeOf(evolveCallerIds, state, events, { uuid: () => "event" }))
      for (const { fan_out, kind, occurred_at, payload, sequence, subject_id, workspace_id } of recorded.events) {
        const { status } = JSON.parse(payload) as { readonly status: string }
        assert.deepStrictEqual([fan_out, occurred_at, subject_id, workspace_id], [true, now, id, "w"])
        rows.push([sequence, kind, status])
      }
      state = events.reduce(evolveCallerIds, state)
    }
    return rows
  }
  const proved = [request(), enter(true)]
  const approve = { _tag: "Approve", id, number, origin } as const
  const revoke = { _tag: "Revoke", id, number, origin } as const
  const withdraw = { _tag: "Withdraw", id, origin } as const

  it.each<[string, ReadonlyArray<CallerIdsMessage>, ReadonlyArray<unknown>]>([
    ["nothing before it is proved", [request(), enter(false), { _tag: "ConfirmCall", id, call_id }], []],
    ["that it is proved", proved, [[1, "caller_id.verified", "verified"]]],
    ["that an operator proved it", [approve], [[1, "caller_id.verified", "verified"]]],
    [
      "that it is forbidden, once",
      [...proved, revoke, revoke],
      [
        [1, "caller_id.verified", "verified"],
        [2, "caller_id.revoked", "revoked"]
      ]
    ],
    ["that a number nobody asked for is forbidden", [revoke], [[1, "caller_id.revoked", "revoked"]]],
    [
      "that its proof has ended, once",
      [...proved, { _tag: "Expire", id }, { _tag: "Expire", id }],
      [
        [1, "caller_id.verified", "verified"],
        [2, "caller_id.expired", "unverified"]
      ]
    ],
    [
      "that it is withdrawn",
      [...proved, revoke, approve, withdraw],
      [
        [1, "caller_id.verified", "verified"],
        [2, "caller_id.revoked", "revoked"],
        [3, "caller_id.verified", "verified"],
        [4, "caller_id.withdrawn", "unverified"]
      ]
    ]
  ])("is %s", (_, commands, expected) => assert.deepStrictEqual(told(commands), expected))
})

describe("the limits of caller ids", () => {
  it("are three codes for a number within 24 hours, also if it is withdrawn in between", () => {
    const withdraw = { _tag: "Withdraw", id, origin } as const
    const three = afterAll([request(), withdraw, request(), withdraw, request()])
    const { failure, refused } = after(three, request(), start + 1_000)
    assert.strictEqual(after(three, { _tag: "MayRequest", number }, start + 1_000).refused, refused)
    assert.isUndefined(after(three, { _tag: "MayRequest", number }, start + day_ms).refused)
    assert.strictEqual(refused, "caller_ids.too_many_calls")
    assert.strictEqual(failure?.retry_after_seconds, 86_399)
    assert.isUndefined(after(three, request({ id: toCallerIdId("b"), number: "+254711000002" })).refused)
    assert.isUndefined(after(three, request(), start + day_ms).refused)
  })

  const numbers = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: toCallerIdId(`n${index}`),
      number: `+2547220${String(index).padStart(5, "0")}`
    }))

  it("are twenty codes for a workspace within 24 hours", () => {
    const twenty = afterAll(numbers(20).map((of) => request(of)))
    assert.strictEqual(after(twenty, request({ id: toCallerIdId("x"), number })).refused, "caller_ids.too_many_calls")
  })

  it("are a hundred numbers for a workspace", () => {
    const full = afterAll(numbers(100).map((of) => ({ _tag: "Approve", ...of, origin })))
    assert.strictEqual(after(full, request()).refused, "caller_ids.limit_reached")
    assert.strictEqual(after(full, { _tag: "Approve", id, number, origin }).refused, "caller_ids.limit_reached")
    assert.isUndefined(after(full, request(numbers(1)[0])).refused)
  })
})

describe("what is under way for caller ids", () => {
  it("is a call until it was placed or has failed, and the end of what was not proved", () => {
    const [lapse, speak] = planCallerIds(called)
    assert.deepInclude(speak, { _tag: "Task", key: "speak:call" })
    assert.deepInclude(lapse, { _tag: "Deadline", at: start + callerIdLimits.code_ms + callerIdLimits.lapse_ms })
    assert.strictEqual(planCallerIds(afterAll([request({ silent: true })])).length, 1)
    assert.strictEqual(planCallerIds(afterAll([request(), { _tag: "ConfirmCall", id, call_id }])).length, 1)
    assert.strictEqual(planCallerIds(afterAll([request(), { _tag: "FailCall", id, call_id, failure: "x" }])).length, 1)
    assert.deepStrictEqual(planCallerIds(afterAll([{ _tag: "Revoke", id, number, origin }])), [])
  })

  it("ends a proof once, when its time is over", () => {
    const due = start + callerIdLimits.proof_ms
    const expire = { _tag: "Expire", id } as const
    const ends = (state: CallerIds) =>
      planCallerIds(state).flatMap((work) => (work._tag === "Deadline" ? [[work.command._tag, work.at]] : []))
    assert.deepStrictEqual(ends(verified), [
      ["Expire", due],
      ["Lapse", due + callerIdLimits.lapse_ms]
    ])
    assert.strictEqual(after(verified, expire, due - 1).state, verified)
    const ended = after(verified, expire, due + 5).state
    assert.deepStrictEqual(ends(ended), [["Lapse", due + callerIdLimits.lapse_ms]])
    assert.deepStrictEqual(statusAt(ended, due + 5), ["unverified"])
    assert.strictEqual(after(ended, expire, due + 6).state, ended)
    const renewed = after(ended, { _tag: "Approve", id, number, origin }, due + 7).state
    assert.deepStrictEqual(ends(renewed)[0], ["Expire", due + 7 + callerIdLimits.proof_ms])
  })

  it("lets a number lapse a day after its code or proof has ended", () => {
    const [row] = verified.caller_ids
    assert.strictEqual(row && lapsesAt(row), start + callerIdLimits.proof_ms + callerIdLimits.lapse_ms)
    const lapse = { _tag: "Lapse", id } as const
    const due = start + callerIdLimits.proof_ms + callerIdLimits.lapse_ms
    assert.strictEqual(after(verified, lapse, due - 1).state, verified)
    assert.deepStrictEqual(after(verified, lapse, due).state.caller_ids, [])
  })
})

describe("a call with a code", () => {
  const to = { e164: number, country: "KE" }
  const price = { rate_per_min_minor: 300, matched_prefix: "254" }

  it("leaves from a number of the platform alone", () => {
    assert.isTrue(speaksCodes({ source: "platform" }))
    assert.isFalse(speaksCodes({ source: "byo" }))
  })

  it("goes to no high-risk number, even if the workspace that calls may call it", () => {
    assert.isUndefined(codeCallRefusal({ ok: true, to, price, high_risk: false }))
    assert.strictEqual(codeCallRefusal({ ok: true, to, price, high_risk: true }), "high_risk_blocked")
    assert.strictEqual(codeCallRefusal({ ok: false, reason: "country_not_allowed" }), "country_not_allowed")
  })
})

describe("a spoken code", () => {
  it("has six digits, which the call says twice", () => {
    assert.strictEqual(codeOf("00000000002a".padEnd(64, "f")), "000042")
    assert.match(codeOf("f".repeat(64)), /^\d{6}$/)
    const [say, end] = spokenCode("000042")
    assert.deepStrictEqual(end, { hangup: {} })
    assert.strictEqual(JSON.stringify(say).split("0, 0, 0, 0, 4, 2").length, 3)
  })
})
