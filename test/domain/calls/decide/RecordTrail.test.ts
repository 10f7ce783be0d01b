import { describe, expect, it } from "@effect/vitest"
import type { Call } from "../../../../src/domain/calls/state/Call.ts"
import type { CallEvent } from "../../../../src/domain/calls/state/CallEvent.ts"
import { evolveCall } from "../../../../src/domain/calls/decide/EvolveCall.ts"
import { recordTrail } from "../../../../src/domain/calls/decide/RecordTrail.ts"
import { changeOf } from "../../../../src/domain/Decision.ts"
import {
  admitting,
  answered_at,
  asking,
  became,
  call_id,
  consulting,
  dial,
  dialling,
  doing,
  facts,
  forwarding,
  minute_at,
  missed,
  placed_at,
  question,
  ringing,
  say,
  saying
} from "../Fixtures.ts"

const linesOf = (before: Call, events: ReadonlyArray<CallEvent>, now = minute_at) =>
  recordTrail(changeOf(evolveCall, before, events, { now })).map(({ detail, ...row }) => ({
    ...row,
    detail: JSON.parse(detail) as Record<string, unknown>
  }))

const attempt = {
  url: "https://example.com/voice",
  at: answered_at + 5,
  duration_ms: 80,
  http_status: 200,
  error: null,
  request: { reason: "answered" },
  response: { actions: [say] }
}

describe("what a change writes for the timeline", () => {
  it("has the question of an answered call and of one that came in", () => {
    const answered: CallEvent = { _tag: "Answered", at: answered_at, question, detect_until: null }
    expect(linesOf(ringing, [answered])).toEqual([
      {
        key: "callback:0",
        kind: "callback.asked",
        at: answered_at,
        workspace_id: facts.workspace_id,
        call_id,
        detail: { step: 0, reason: "answered", url: "https://example.com/voice" }
      }
    ])
    expect(linesOf(admitting, [{ _tag: "Admitted", at: placed_at }])).toMatchObject([
      { kind: "callback.asked", detail: { reason: "incoming" } }
    ])
  })

  it("has each request of a question, the answer, and what is said because of it", () => {
    const actions = [{ say: { text: "Hello." } }, say]
    const answered: CallEvent = { _tag: "CallbackAnswered", at: answered_at + 90, actions, attempts: [attempt] }
    const { at: _, ...sent } = attempt
    expect(linesOf(asking, [answered]).map(({ at, detail, key, kind }) => [key, kind, at, detail])).toEqual([
      [
        "callback:0:attempt:1",
        "callback.attempt",
        answered_at + 5,
        { step: 0, reason: "answered", attempt: 1, ...sent }
      ],
      [
        "callback:0:answer",
        "callback.answered",
        answered_at + 90,
        { step: 0, reason: "answered", actions: 2, duration_ms: 90 }
      ],
      [
        "action:0",
        "action.started",
        answered_at + 90,
        { step: 0, verb: "say", command_id: `${call_id}:say:0`, action: { text: "Hello." } }
      ]
    ])
  })

  it("has the requests of a question that failed", () => {
    const failed: CallEvent = {
      _tag: "CallbackFailed",
      at: minute_at,
      cause: "callback_failed",
      http_status: 500,
      pointer: null,
      detail: "The callback answered 500.",
      attempts: [
        { ...attempt, http_status: 500, error: "The callback answered 500.", response: "oops" },
        { ...attempt, at: attempt.at + 90, http_status: null, error: "connection_lost", response: null }
      ]
    }
    expect(linesOf(asking, [failed]).map(({ detail, key }) => [key, detail["error"], detail["response"]])).toEqual([
      ["callback:0:attempt:1", "The callback answered 500.", "oops"],
      ["callback:0:attempt:2", "connection_lost", null]
    ])
  })

  it("has how an action ended, and the one that follows", () => {
    const done: CallEvent = { _tag: "ActionDone", at: minute_at, result: { status: "completed", duration_ms: 900 } }
    expect(linesOf(saying, [done]).map(({ detail, key }) => [key, detail["result"] ?? detail["action"]])).toEqual([
      ["action:0:end", { status: "completed", duration_ms: 900 }],
      ["action:1", { text: "Hello." }]
    ])
    const gather = doing({ gather: { action_url: "https://example.com/next?token=abc" } })
    const result = { status: "complete", digits: "1234" }
    const next = { reason: "gather_completed" as const, url: "https://example.com/next", result, answer_by: minute_at }
    const asked: CallEvent = { _tag: "CallbackAsked", at: minute_at, question: next }
    expect(linesOf(gather, [asked]).map(({ detail, key }) => [key, detail["result"] ?? detail["reason"]])).toEqual([
      ["action:0:end", result],
      ["callback:1", "gather_completed"]
    ])
    const replaced: CallEvent = { _tag: "ActionsReplaced", at: minute_at, actions: [say], cut_command_id: "c" }
    expect(linesOf(saying, [replaced]).map(({ detail, key }) => [key, detail["result"] ?? detail["verb"]])).toEqual([
      ["action:0:end", { status: "replaced" }],
      ["action:1", "say"]
    ])
  })

  it("lets an action that needs the answer begin with the answer, and a forward before it", () => {
    const pending = became(consulting, { _tag: "CallbackAnswered", at: placed_at + 5, actions: [say] })
    expect(linesOf(consulting, [{ _tag: "CallbackAnswered", at: placed_at + 5, actions: [say] }])).toMatchObject([
      { key: "callback:0:answer" }
    ])
    const answered: CallEvent = { _tag: "Answered", at: answered_at, question: null, detect_until: null }
    expect(linesOf(pending, [{ _tag: "Answering", at: placed_at + 6 }, answered])).toMatchObject([
      { key: "action:0", at: answered_at }
    ])
    expect(forwarding.script).not.toBeNull()
    const admitted = linesOf(
      { ...admitting, facts: forwarding.facts, reception: { ...forwarding.reception!, step: "admitting" } },
      [{ _tag: "Admitted", at: placed_at }]
    )
    expect(admitted).toMatchObject([{ key: "action:0", detail: { verb: "dial" } }])
  })

  it("has what the engine says by itself", () => {
    const refused: CallEvent = {
      _tag: "DialRefused",
      at: minute_at,
      to: "+254700000003",
      refusal: {
        call_id: dialling.dial!.legs[0]!.call_id,
        cause: "destination_refused",
        detail: "calls.destination_refused",
        reason: "rate_not_configured",
        whole: false
      }
    }
    expect(linesOf(dialling, [refused])).toMatchObject([
      { key: "action:0:announcement", kind: "announcement", detail: { command_id: `${call_id}:say:0` } }
    ])
    const end: CallEvent = {
      _tag: "HungUp",
      at: placed_at + 9,
      confirmed: false,
      ending: { ...missed.ending!, status: "failed", cause: "insufficient_funds" }
    }
    expect(linesOf(admitting, [end])).toMatchObject([{ kind: "announcement", detail: { text: "No money." } }])
  })

  it("has each minute that is set aside", () => {
    expect(linesOf(asking, [{ _tag: "MinutePrepaid", minutes: 2 }], minute_at - 10_000)).toMatchObject([
      {
        key: "minute:2",
        kind: "hold.extended",
        at: minute_at - 10_000,
        detail: { hold_id: call_id, minutes: 2, added_minor: 300, amount_minor: 600 }
      }
    ])
  })

  it("is nothing for a script that loops, and for changes that say nothing", () => {
    const looping = { ...saying, script: { ...saying.script!, step: 700 } }
    expect(linesOf(looping, [{ _tag: "ActionDone", at: minute_at }])).toEqual([])
    expect(linesOf(asking, [{ _tag: "SessionConfirmed", at: minute_at }])).toEqual([])
    expect(linesOf(doing(dial), [{ _tag: "DialSurveyed" }])).toEqual([])
  })
})
