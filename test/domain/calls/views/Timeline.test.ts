import { assert, describe, it } from "@effect/vitest"
import { absentCall, type PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import { callRecord } from "../../../../src/domain/calls/views/CallView.ts"
import type { CallRecord } from "../../../../src/domain/calls/state/CallRecord.ts"
import { chargeBreakdown } from "../../../../src/domain/calls/views/ChargeBreakdown.ts"
import { timelinePage } from "../../../../src/domain/calls/views/Timeline.ts"
import type { CallTrail, LoggedEvent } from "../../../../src/domain/calls/views/CallTrail.ts"
import type { RateProof } from "../../../../src/domain/calls/views/ChargeBreakdown.ts"
import { facts } from "../Fixtures.ts"
import { callId, gatewayId, subscriptionId, workspaceId } from "../../../support/Ids.ts"

const id = callId("0199a000-0000-7000-8000-000000000001")
const at = facts.created_at
const iso = (after: number) => new Date(at + after).toISOString()
const record = callRecord({ ...absentCall(id), phase: "ringing", facts } as PlacedCall)

const event = (kind: string, after: number, more: Partial<CallRecord> & Record<string, unknown> = {}): LoggedEvent => ({
  id: `${kind}-${after}`,
  call_id: id,
  kind,
  sequence: after,
  occurred_at: iso(after),
  late: false,
  payload: { ...record, ...more, kind, call_kind: record.kind }
})

const nothing: CallTrail = {
  events: [],
  holds: [],
  charges: [],
  lines: [],
  horizon: null,
  earlier: { events: [], lines: [] },
  webhooks: [],
  callbacks: [],
  commands: [],
  watches: []
}

describe("the cause of an event", () => {
  const end = (kind: string, hangup_cause: string, hangup_source: string) =>
    event(kind, 1, { hangup_cause, hangup_source } as never)
  it.each([
    [event("call.ringing", 0), "request: originate"],
    [event("call.ringing", 0, { parent_call_id: callId("p"), kind: "dial" }), "dial: p"],
    [
      { ...event("call.ringing", 0), payload: { ...record, direction: "inbound", call_kind: "sip" } },
      "pbx: session.created"
    ],
    [event("call.progress", 0, { step: "early_media" }), "pbx: leg.early_media"],
    [event("call.progress", 0, { step: "leg.bridged" }), "pbx: leg.bridged"],
    [event("call.progress", 0, { step: "dial_refused" }), "call: dial"],
    [event("call.callback_failed", 0, { cause: "callback_timeout" }), "callback: callback_timeout"],
    [event("call.balance_low", 0), "wallet: the next minute was refused"],
    [event("call.machine_detected", 0), "pbx: machine_detected"],
    [end("call.completed", "normal_clearing", "callee"), "pbx: leg.hangup"],
    [end("call.completed", "normal_clearing", "workspace"), "callback: hangup"],
    [end("call.completed", "max_duration", "platform"), "clock: maximum"],
    [
      event("call.completed", 1, { hangup_cause: "max_duration", hangup_source: "platform", sip_code: 200 }),
      "pbx: leg.hangup"
    ],
    [end("call.no_answer", "ring_timeout", "platform"), "clock: ring"],
    [end("call.canceled", "canceled_by_workspace", "workspace"), "request: terminate"],
    [end("call.canceled", "answered_elsewhere", "platform"), "dial: another leg was answered"]
  ])("%#", (logged, cause) => {
    assert.strictEqual(
      timelinePage(record, { ...nothing, events: [logged as LoggedEvent] }, {}).entries[0]!.cause,
      cause
    )
  })
})

describe("the hold of the first minute", () => {
  const held = (placed_at: number, more: Partial<CallTrail["holds"][number]> = {}): CallTrail["holds"][number] => ({
    id,
    workspace_id: workspaceId("w"),
    call_id: id,
    amount_minor: 300,
    status: "open",
    captured_minor: 0,
    placed_at,
    closed_at: null,
    trunk_legs: 0,
    legs: 1,
    high_risk_legs: 0,
    ...more
  })
  const kinds = (trail: Partial<CallTrail>) =>
    timelinePage(record, { ...nothing, ...trail }, {}).entries.map(({ at, detail, kind }) => [
      kind,
      at,
      detail["placed_at"] ?? at
    ])
  const rings = event("call.ringing", 0)
  const leg = event("call.ringing", 0, { parent_call_id: callId("p"), kind: "dial" })
  const inbound: LoggedEvent = { ...rings, payload: { ...record, direction: "inbound", call_kind: "sip" } }
  const ringing = ["call.ringing", iso(0), iso(0)]
  const [first, later] = [
    ["hold.placed", iso(0), iso(4)],
    ["hold.placed", iso(4), iso(4)]
  ]

  it("comes before the call that is placed with it, whose time is that of its request", () => {
    assert.deepStrictEqual(kinds({ events: [rings], holds: [held(at + 4)] }), [first, ringing])
    assert.deepStrictEqual(kinds({ events: [leg], holds: [held(at + 4)] }), [first, ringing])
  })

  it("comes after an inbound call, and after a leg that took over the hold of its dial", () => {
    assert.deepStrictEqual(kinds({ events: [inbound], holds: [held(at + 4)] }), [ringing, later])
    const shared = held(at + 9, { id: "shared", call_id: callId("p") })
    assert.deepStrictEqual(kinds({ events: [leg], holds: [held(at + 4), shared] }).slice(0, 2), [ringing, later])
    assert.deepStrictEqual(kinds({ events: [rings], holds: [held(at + 4, { id: "shared" })] }), [ringing, later])
  })
})

describe("the timeline", () => {
  const trail: CallTrail = {
    events: [event("call.ringing", 0), event("call.answered", 1_000, { status: "answered", remaining_seconds: 5 })],
    holds: [
      {
        id: "h",
        workspace_id: workspaceId("w"),
        call_id: id,
        amount_minor: 300,
        status: "captured",
        captured_minor: 300,
        placed_at: at,
        closed_at: at + 2_000,
        trunk_legs: 0,
        legs: 1,
        high_risk_legs: 0
      }
    ],
    charges: [
      { id: "e", call_id: id, amount_minor: -300, balance_after_minor: 700, created_at: at + 2_000, lines: [] }
    ],
    lines: [],
    horizon: null,
    earlier: { events: [], lines: [] },
    webhooks: [],
    callbacks: [
      {
        call_id: id,
        reason: "answered",
        url: "https://example.com/voice",
        asked_at: at + 1_000,
        answered_at: at + 1_200,
        actions: 2
      }
    ],
    commands: [
      { call_id: id, gateway_id: gatewayId("g"), command_id: `${id}:originate`, at },
      { call_id: id, gateway_id: gatewayId("g"), command_id: `${id}:say:0`, at: at + 1_200 },
      { call_id: id, gateway_id: gatewayId("g"), command_id: `${id}:limit:1`, at: at + 1_900 },
      { call_id: id, gateway_id: gatewayId("g"), command_id: `${id}:hangup`, at: at + 2_000 }
    ],
    watches: [{ call_id: id, stream_id: "s", by: "key", opened_at: at + 500, closed_at: at + 1_500 }]
  }
  const course = [
    "hold.placed",
    "call.ringing",
    "pbx.command",
    "stream.opened",
    "call.answered",
    "callback.asked",
    "callback.answered",
    "pbx.command",
    "stream.closed",
    "pbx.command"
  ]

  it("is in order of time, payments before what they pay for", () => {
    const { entries } = timelinePage(record, trail, {})
    assert.deepStrictEqual(
      entries.map(({ kind }) => kind),
      [...course, "hold.captured", "charge.booked", "pbx.command"]
    )
    assert.deepStrictEqual(entries[6]!.detail, { reason: "answered", actions: 2, duration_ms: 200 })
    assert.deepStrictEqual(entries[4]!.detail, { sequence: 1_000, status: "answered", remaining_seconds: 5 })
  })

  it("shows each command to the PBX, its reason, and when it was acknowledged", () => {
    const { entries } = timelinePage(record, trail, { [`${id}:say:0`]: at + 1_250 })
    const told = entries
      .filter(({ kind }) => kind === "pbx.command")
      .map(({ cause, detail }) => [detail["command"], cause, detail["acknowledged_at"]])
    assert.deepStrictEqual(told, [
      ["originate", "call: its beginning", null],
      ["say", "call: its script", iso(1_250)],
      ["limit", "wallet: what it can pay", null],
      ["hangup", "call: its end", null]
    ])
    const [opened, closed] = entries.filter(({ kind }) => kind.startsWith("stream."))
    assert.deepInclude(opened!, { cause: "request: stream", detail: { stream_id: "s", by: "key" } })
    assert.deepInclude(closed!, { cause: "stream: its client left" })
  })

  const asOf = (at: number, balance_minor: number) => ({ at, balance_minor, latest: trail.events })

  it("ends at the requested instant, and shows the state at that time", () => {
    const { as_of, entries } = timelinePage(record, trail, {}, { as_of: asOf(at + 1_999, 1_000) })
    assert.deepStrictEqual(
      entries.map(({ kind }) => kind),
      course
    )
    assert.deepInclude(as_of!.call, { status: "answered", kind: record.kind })
    assert.deepInclude(as_of!.holds[0]!, { status: "open", captured_minor: 0, closed_at: null })
    assert.strictEqual(as_of!.balance_minor, 1_000)
    assert.deepStrictEqual(timelinePage(record, trail, {}, { as_of: asOf(at + 2_000, 700) }).as_of!.holds, [])
  })
})

describe("the pages of a timeline", () => {
  const line = (key: string, kind: string, after: number): CallTrail["lines"][number] => ({
    call_id: id,
    key,
    kind,
    at: at + after,
    detail: { step: Number(key.split(":")[1]) }
  })
  const webhook = { id: "d", call_id: id, subscription_id: subscriptionId("s"), event_kind: "call.ringing" }
  const attempt = { at: iso(1), duration_ms: 1, http_status: 200, error: null }
  const delivery = {
    ...webhook,
    event_id: "call.ringing-0",
    event_at: at,
    status: "succeeded" as const,
    created_at: at,
    attempt: null
  }
  const trail: CallTrail = {
    ...nothing,
    events: [event("call.ringing", 0), event("call.answered", 1), event("call.progress", 2, { step: "ringing" })],
    lines: [
      line("action:10", "action.started", 2),
      line("action:9:end", "action.finished", 2),
      line("callback:9", "callback.asked", 2),
      line("action:9", "action.started", 2),
      line("callback:9:answer", "callback.answered", 2)
    ],
    webhooks: [delivery, { ...delivery, attempt }],
    commands: ["originate", "say:9", "hangup"].map((name) => ({
      call_id: id,
      gateway_id: gatewayId("g"),
      command_id: `${id}:${name}`,
      at: at + (name === "originate" ? 0 : 2)
    }))
  }
  const whole = timelinePage(record, trail, {})

  it("have the lines of one instant in the order of their steps", () => {
    assert.deepStrictEqual(
      whole.entries.flatMap(({ id: line_id }) => (line_id.startsWith(`${id}:`) ? line_id.slice(id.length + 1) : [])),
      ["originate", "callback:9", "callback:9:answer", "action:9", "action:9:end", "action:10", "say:9", "hangup"]
    )
    assert.deepStrictEqual([whole.has_more, whole.next], [false, null])
  })

  it.each([1, 2, 5, 12])("of %i entries have every entry once, in order, with the same causes", (limit) => {
    const entries: Array<object> = []
    let after = undefined as ReturnType<typeof timelinePage>["next"] | undefined
    do {
      const page = timelinePage(record, trail, {}, { limit, after: after ?? undefined })
      assert.isAtMost(page.entries.length, limit)
      assert.strictEqual(page.has_more, page.next !== null)
      entries.push(...page.entries)
      after = page.next
    } while (after !== null && entries.length < 100)
    assert.deepStrictEqual(entries, [...whole.entries])
    assert.isAbove(whole.entries.filter(({ caused_by }) => caused_by !== null).length, 8)
  })

  it("end where not everything has been read", () => {
    const horizon = { at: at + 1, tie: "9" }
    const page = timelinePage(record, { ...trail, horizon }, {})
    assert.deepStrictEqual([page.has_more, page.next?.at], [true, at + 1])
    assert.isTrue(page.entries.every((entry) => Date.parse(entry.at) <= at + 1))
  })
})

describe("the proof of a charge", () => {
  const rate: RateProof = {
    id: "r",
    prefix: "254",
    country: "KE",
    description: "Kenya",
    class: "normal",
    per_min_minor: record.rate_per_min_minor,
    effective_from: 0,
    effective_to: null
  }

  it("shows the rate's row only if it still is the charged rate", () => {
    const money = { holds: [], charges: [] }
    assert.deepInclude(chargeBreakdown(record, money, rate).rate.row!, {
      id: "r",
      effective_from: "1970-01-01T00:00:00.000Z"
    })
    assert.isNull(chargeBreakdown(record, money, { ...rate, per_min_minor: rate.per_min_minor + 1 }).rate.row)
    assert.deepInclude(chargeBreakdown({ ...record, matched_prefix: null }, money, undefined).rate, {
      source: "number",
      row: null
    })
  })
})
