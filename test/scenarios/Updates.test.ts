import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import type { Origin } from "../../src/domain/access/Origin.ts"
import type { Call } from "../../src/domain/calls/state/Call.ts"
import type { UpdateCallRequest } from "../../src/domain/calls/verbs/UpdateCallRequest.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { instant, type Phone } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { ended, look, pass, place, scenario } from "../support/Scenario.ts"
import { type CallId, toCallId, toSessionId } from "../../src/domain/BrandedIds.ts"

const patient: Phone = instant
const doing = (...actions: ReadonlyArray<VoiceAction>): EngineOptions => ({
  phones: () => patient,
  callback: () => Effect.succeed(actions)
})
const to = "+254711000000"
const talk: VoiceAction = { say: { text: "x".repeat(3_000) } }
const update = (id: string, request: UpdateCallRequest) =>
  Effect.flatMap(Calls, (calls) => calls.update(workspace.id, toCallId(id), request))
const line = (session_id: string) => Effect.flatMap(PbxSimulator, ({ look }) => look(toSessionId(session_id)))
const steps = (id: CallId) =>
  Effect.flatMap(CallReads, (reads) =>
    Effect.map(reads.events(workspace.id, id, 0, 200), (events) =>
      events.flatMap(({ payload }) => (payload as { readonly step?: string }).step ?? [])
    )
  )

const origin: Origin = {
  actor: { type: "api_key", id: "key", label: "key" },
  ip: "192.0.2.1",
  user_agent: null,
  request_id: "request"
}

describe("a call that is updated while it talks", () => {
  scenario(
    "is muted and held once each, and its metadata is merged",
    doing(talk),
    Effect.gen(function* () {
      const { id, session_id } = yield* place(to, { metadata: { a: "1" } })
      yield* pass(1)
      const { metadata } = yield* update(session_id, { mute: true, hold: true, metadata: { b: "2" } })
      assert.deepStrictEqual(metadata, { a: "1", b: "2" })
      yield* update(id, { mute: true })
      yield* pass(1)
      assert.deepInclude(yield* line(session_id), { muted: true, held: true })
      yield* update(id, { mute: false })
      yield* update(id, { hold: false })
      yield* update(id, { mute: true })
      yield* pass(1)
      assert.deepInclude(yield* line(session_id), { muted: true, held: false })
      assert.deepStrictEqual(yield* steps(id), ["ringing", "muted", "held", "unmuted", "resumed", "muted"])
    })
  )

  scenario(
    "replaces its actions at once",
    doing(talk, talk),
    Effect.gen(function* () {
      const { id } = yield* place(to)
      yield* pass(1)
      yield* update(id, { actions: [{ say: { text: "Time is up." } }, { hangup: {} }] })
      yield* pass(2)
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "normal_clearing",
        hangup_source: "workspace",
        duration_seconds: 2
      })
    })
  )

  scenario(
    "hangs up its dialled legs",
    doing({ dial: { numbers: ["+254711000001", "+254711000002"] } }),
    Effect.gen(function* () {
      const { id } = yield* place(to)
      yield* pass(1)
      yield* update(id, { actions: [{ pause: { seconds: 1 } }] })
      yield* pass(3)
      const { child_call_ids } = yield* look(id)
      assert.lengthOf(child_call_ids, 2)
      const legs = yield* Effect.forEach(child_call_ids, look)
      assert.isTrue(legs.every(({ status }) => status === "completed" || status === "canceled"))
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
      assert.strictEqual(yield* Effect.flatMap(TestEngine, ({ held_minor }) => held_minor), 0)
    })
  )

  scenario(
    "does not change if the update is invalid",
    doing(talk),
    Effect.gen(function* () {
      const { id } = yield* place("+254711000000")
      const early = yield* Effect.flip(update(id, { mute: true }))
      assert.strictEqual(early._tag, "calls.not_in_progress")
      yield* pass(1)
      const wrong = yield* Effect.flip(update(id, { mute: true, actions: [{ hangup: {} }, { say: { text: "" } }] }))
      assert.deepInclude(wrong, { _tag: "validation.bad_request" })
      assert.deepInclude((wrong as { details: ReadonlyArray<object> }).details[0], { field: "/actions/1/say/text" })
      const late = yield* Effect.flip(update(id, { actions: [{ reject: {} }] }))
      assert.deepInclude((late as { details: ReadonlyArray<object> }).details[0], { field: "/actions/0/reject" })
      const full = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, ""]))
      yield* update(id, { metadata: full })
      const more = yield* Effect.flip(update(id, { mute: true, metadata: { one: "more" } }))
      assert.deepInclude((more as { details: ReadonlyArray<object> }).details[0], { field: "/metadata" })
      const large = yield* Effect.flip(
        update(id, {
          metadata: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, "é".repeat(512)]))
        })
      )
      assert.strictEqual(large._tag, "validation.payload_too_large")
      assert.deepStrictEqual(yield* steps(id), ["ringing"])
      const nobody = yield* Effect.flip(update("HD_nothing", { mute: true }))
      assert.strictEqual(nobody._tag, "calls.not_found")
    })
  )

  scenario(
    "leaves exactly one audit entry when it is terminated",
    doing(talk),
    Effect.gen(function* () {
      const { id } = yield* place(to)
      yield* pass(1)
      const terminate = Effect.flatMap(Calls, (calls) =>
        calls.terminate(workspace.id, id, { origin, reason: "Changed my mind" })
      )
      yield* terminate
      yield* pass(1)
      yield* terminate
      const { journal } = yield* TestEngine
      const lines = journal.tables.audit.filter(({ target_id }) => target_id === id)
      assert.lengthOf(lines, 1)
      assert.deepInclude(lines[0], { action_kind: "call.terminated", ip: "192.0.2.1", request_id: "request" })
      assert.deepStrictEqual(JSON.parse(lines[0]!.after!), { status: "answered", reason: "Changed my mind" })
    })
  )
})

describe("the log of live streams", () => {
  const watchesOf = (id: string) =>
    Effect.map(
      TestEngine,
      ({ journal }) => (JSON.parse(journal.tables.snapshot("Call", id)!.state) as Call).watches ?? []
    )

  scenario(
    "has the streams that closed before the end of the call and those that stayed",
    {
      callback: () => Effect.succeed([{ pause: { seconds: 10 } }])
    },
    Effect.gen(function* () {
      const calls = yield* Calls
      const { id } = yield* place("+99900000001")
      yield* pass(3)
      yield* Effect.scoped(
        Effect.andThen(
          calls.recordViewer(id, "early", () => false),
          pass(2)
        )
      )
      const stays = yield* Scope.make()
      let over = false
      yield* Scope.provide(
        calls.recordViewer(id, "late", () => over),
        stays
      )
      yield* pass(30)
      over = true
      yield* Scope.close(stays, Exit.void)
      yield* Effect.scoped(calls.recordViewer(id, "too late", () => false))
      yield* pass(1)
      const watches = yield* watchesOf(id)
      assert.deepStrictEqual(
        watches.map(({ by, closed_at, opened_at }) => [by, closed_at === null ? null : closed_at - opened_at]),
        [
          ["early", 2_000],
          ["late", null]
        ]
      )
    })
  )
})
