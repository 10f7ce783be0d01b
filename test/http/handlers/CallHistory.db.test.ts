import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import type { ChargeBreakdown } from "../../../src/domain/calls/views/ChargeBreakdown.ts"
import type { Timeline } from "../../../src/domain/calls/views/Timeline.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { never } from "../../support/EngineRequests.ts"
import { ask } from "../../support/HttpTester.ts"
import { answering, inTurn, receiver } from "../../support/Receiver.ts"
import { until } from "../../support/Until.ts"

const actions = (...actions: ReadonlyArray<object>) =>
  answering(200, JSON.stringify({ actions }), { "content-type": "application/json" })

/** A call that dials a busy leg and is hung up: charged for a minute, and told to a subscription. */
const wholeCall = Effect.gen(function* () {
  const { api_key: key, number } = yield* DemoFile
  const hook = yield* receiver(answering(204))
  yield* ask({ path: "/v1/webhooks", key, body: { url: hook.url, events: ["call.completed"] } })
  const voice = yield* receiver(inTurn(actions({ dial: { number: "+99900000002" } }, { hangup: {} })))
  const body = { from: number.number, to: "+254711000001", voice_callback_url: voice.url }
  const placed = (yield* ask({ path: "/v1/calls/originate", key, body })).body as CallRecord
  yield* hook.received(1)
  const call = (yield* ask({ path: `/v1/calls/${placed.id}`, key })).body as CallRecord
  return { key, call }
})

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("the charge and timeline of a call", (it) => {
  it.effect(
    "show its charge with its causes, and its state at any instant",
    () =>
      Effect.gen(function* () {
        const { call, key } = yield* wholeCall
        const path = `/v1/calls/${call.id}`
        const charge = (yield* ask({ path: `${path}/charge`, key })).body as ChargeBreakdown
        const { billed_seconds, duration_seconds } = call
        assert.deepInclude(charge, {
          call_id: call.id,
          status: "completed",
          currency: "KES",
          duration_seconds: duration_seconds!,
          billed_seconds: billed_seconds!,
          cost_minor: 300,
          formula: `ceil(${billed_seconds} / 60) × 300 = 300`
        })
        assert.deepInclude(charge.rate, {
          per_min_minor: 300,
          matched_prefix: "254",
          source: "rate",
          frozen_at: call.created_at
        })
        assert.deepInclude(charge.rate.row!, { prefix: "254", country: "KE", per_min_minor: 300, effective_to: null })
        assert.deepStrictEqual(
          charge.holds.map(({ amount_minor, captured_minor, status }) => [status, amount_minor, captured_minor]),
          [["captured", 300, 300]]
        )
        const [entry] = charge.entries
        assert.deepStrictEqual(
          [charge.entries.length, entry!.amount_minor, entry!.lines.reduce((sum, line) => sum + line.amount_minor, 0)],
          [1, -300, 0]
        )

        const read = Effect.map(ask({ path: `${path}/timeline`, key }), ({ body }) => body as Timeline)
        const { entries } = yield* until("attempt of the webhook", read, ({ entries }) =>
          entries.some(({ kind }) => kind === "webhook.attempt")
        )
        const mine = entries.filter(({ call_id }) => call_id === call.id).map(({ cause, kind }) => `${kind} < ${cause}`)
        for (const line of [
          "call.ringing < request: originate",
          "hold.placed < call: its first minute",
          "call.progress < pbx: leg.ringing",
          "call.answered < pbx: leg.answered",
          "callback.asked < pbx: leg.answered",
          "callback.answered < callback: answered",
          "call.completed < callback: hangup",
          "charge.booked < call: its end",
          "hold.captured < call: its end",
          "pbx.command < call: its beginning",
          "pbx.command < call: its end",
          "webhook.queued < webhook: call.completed",
          "webhook.attempt < webhook: call.completed"
        ])
          assert.include(mine, line)
        assert.strictEqual(mine[0], "hold.placed < call: its first minute")
        const commands = entries.filter(({ call_id, kind }) => call_id === call.id && kind === "pbx.command")
        assert.deepStrictEqual(
          commands.map(({ detail }) => detail["command"]),
          ["originate", "hangup"]
        )
        for (const { at, detail } of commands)
          assert.isAtLeast(Date.parse(detail["acknowledged_at"] as string), Date.parse(at))
        const [attempt] = entries.filter(({ kind }) => kind === "callback.attempt")
        assert.deepInclude(attempt!.detail, { reason: "answered", attempt: 1, http_status: 200, error: null })
        assert.deepInclude(attempt!.detail["request"] as object, { call_id: call.id, reason: "answered" })
        assert.deepStrictEqual(attempt!.detail["response"], {
          actions: [{ dial: { number: "+99900000002" } }, { hangup: {} }]
        })
        const actions = entries.filter(({ kind }) => kind.startsWith("action."))
        assert.deepStrictEqual(
          actions.map(({ detail, kind }) => [kind, detail["verb"]]),
          [
            ["action.started", "dial"],
            ["action.finished", "dial"],
            ["action.started", "hangup"]
          ]
        )
        assert.deepInclude(actions[1]!.detail["result"] as object, { status: "busy" })
        const idOf = new Map(entries.map((entry) => [entry.id, entry]))
        assert.strictEqual(idOf.size, entries.length)
        const causes = entries.map(({ caused_by, kind }) => `${kind} < ${caused_by && idOf.get(caused_by)!.kind}`)
        for (const line of [
          "call.answered < pbx.command",
          "callback.asked < call.answered",
          "callback.attempt < callback.asked",
          "callback.answered < callback.attempt",
          "action.started < callback.answered",
          "call.ringing < action.started",
          "pbx.command < action.started",
          "charge.booked < pbx.command",
          "call.completed < charge.booked",
          "webhook.queued < call.completed",
          "webhook.attempt < webhook.queued"
        ])
          assert.include(causes, line)
        const leg = entries.filter(({ call_id }) => call_id !== call.id)
        assert.include(
          leg.map(({ cause, kind }) => `${kind} < ${cause}`),
          `call.ringing < dial: ${call.id}`
        )
        assert.include(
          leg.map(({ cause, kind }) => `${kind} < ${cause}`),
          "call.busy < pbx: leg.hangup"
        )
        const times = entries.map(({ at }) => Date.parse(at))
        assert.deepStrictEqual(
          times,
          [...times].sort((a, b) => a - b)
        )

        const answered = entries.find(({ call_id, kind }) => call_id === call.id && kind === "call.answered")!
        const before = new Date(Date.parse(answered.at) - 1).toISOString()
        const past = (yield* ask({ path: `${path}/timeline?at=${before}`, key })).body as Timeline
        assert.isFalse(past.entries.some(({ kind }) => kind === "call.answered"))
        assert.deepInclude(past.as_of!.call, { id: call.id, status: "ringing", kind: "api", answered_at: null })
        assert.deepStrictEqual(
          past.as_of!.holds.map(({ status }) => status),
          ["open"]
        )
        assert.strictEqual(past.as_of!.balance_minor, entry!.balance_after_minor + 300)
        const now = (yield* ask({ path: `${path}/timeline?at=${new Date().toISOString()}`, key })).body as Timeline
        assert.deepInclude(now.as_of!.call, { status: "completed", cost_minor: 300 })
        assert.deepStrictEqual(
          now.as_of!.legs.map(({ status }) => status),
          ["busy"]
        )
        assert.deepStrictEqual([now.as_of!.holds, now.as_of!.balance_minor], [[], entry!.balance_after_minor])
      }),
    20_000
  )

  it.effect(
    "has the same timeline in pages, each leading to the next",
    () =>
      Effect.gen(function* () {
        const { call, key } = yield* wholeCall
        const path = `/v1/calls/${call.id}/timeline`
        const read = (query: string) => ask({ path: `${path}?${query}`, key })
        const complete = Effect.map(read("limit=200"), ({ body }) => body as Timeline)
        const whole = yield* until("attempt of the webhook", complete, ({ entries }) =>
          entries.some(({ kind }) => kind === "webhook.attempt")
        )
        assert.deepStrictEqual([whole.has_more, whole.next_cursor], [false, null])
        const entries: Array<Timeline["entries"][number]> = []
        let cursor: string | null = null
        do {
          const answer = yield* read(cursor === null ? "limit=4" : `limit=4&cursor=${cursor}`)
          const page = answer.body as Timeline
          entries.push(...page.entries)
          cursor = page.next_cursor
          assert.strictEqual(page.has_more, cursor !== null)
          assert.strictEqual(answer.headers.get("x-next-cursor"), cursor)
          if (cursor !== null) {
            assert.lengthOf(page.entries, 4)
            assert.include(answer.headers.get("link"), `<${path}?limit=4&cursor=`)
          }
        } while (cursor !== null)
        assert.deepStrictEqual(entries, [...whole.entries])

        const first = (yield* read("limit=1")).body as Timeline
        const other = yield* ask({ path: "/v1/calls?limit=1", key })
        for (const query of [
          `cursor=${first.next_cursor}&at=${new Date().toISOString()}`,
          `cursor=${other.headers.get("x-next-cursor") ?? "x"}`
        ]) {
          const { code, status } = yield* read(query)
          assert.deepStrictEqual([status, code], [400, "validation.invalid_cursor"])
        }
        assert.strictEqual((yield* read("limit=0")).code, "validation.bad_request")
      }),
    20_000
  )

  it.effect(
    "are shown only to the call's workspace, by either of its ids",
    () =>
      Effect.gen(function* () {
        const { api_key: key, number, other_workspace } = yield* DemoFile
        const body = { from: number.number, to: never, voice_callback_url: "http://127.0.0.1:9/voice" }
        const call = (yield* ask({ path: "/v1/calls/originate", key, body })).body as CallRecord
        for (const part of ["charge", "timeline"]) {
          assert.strictEqual((yield* ask({ path: `/v1/calls/${call.session_id}/${part}`, key })).status, 200)
          const foreign = yield* ask({ path: `/v1/calls/${call.id}/${part}`, key: other_workspace.api_key })
          assert.deepStrictEqual([foreign.status, foreign.code], [404, "calls.not_found"])
        }
        const charge = (yield* ask({ path: `/v1/calls/${call.id}/charge`, key })).body as ChargeBreakdown
        assert.deepInclude(charge, { cost_minor: null, formula: "The call has not ended.", entries: [] })
        yield* ask({ path: `/v1/calls/${call.id}/terminate`, method: "POST", key })
        const ended = yield* until(
          "charge",
          Effect.map(ask({ path: `/v1/calls/${call.id}/charge`, key }), ({ body }) => body as ChargeBreakdown),
          ({ cost_minor }) => cost_minor !== null
        )
        assert.deepInclude(ended, {
          status: "canceled",
          cost_minor: 0,
          formula: "Only calls that were answered are charged.",
          entries: []
        })
        const bad = yield* ask({ path: `/v1/calls/${call.id}/timeline?at=yesterday`, key })
        assert.deepStrictEqual([bad.status, bad.code], [400, "validation.bad_request"])
      }),
    20_000
  )
})
