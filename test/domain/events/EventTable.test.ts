import { assert, describe, it } from "@effect/vitest"
import { changeOf, stepsOf } from "../../../src/domain/Decision.ts"
import { Effect, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { toCallerIdId } from "../../../src/domain/BrandedIds.ts"
import { evolveCallerIds, initialCallerIds } from "../../../src/domain/callerids/CallerIds.ts"
import { recordCallerIds } from "../../../src/domain/callerids/RecordCallerIds.ts"
import { initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { type ChatApp, type ChatAppEvent, unusedChatApp } from "../../../src/domain/chatapp/ChatApp.ts"
import { evolveChatApp } from "../../../src/domain/chatapp/EvolveChatApp.ts"
import { recordChatApp } from "../../../src/domain/chatapp/RecordChatApp.ts"
import { evolveNumber } from "../../../src/domain/numbers/EvolveNumber.ts"
import type { NumberEvent, PhoneNumber } from "../../../src/domain/numbers/PhoneNumber.ts"
import { recordNumber } from "../../../src/domain/numbers/RecordNumber.ts"
import { defaultRouting } from "../../../src/domain/numbers/Routing.ts"
import { recordStorage } from "../../../src/domain/storage/RecordStorage.ts"
import { evolveStorage, freeStorage, type StorageEvent } from "../../../src/domain/storage/Storage.ts"
import { recordTopUp } from "../../../src/domain/topups/RecordTopUp.ts"
import { evolveTopUp, initialTopUp, type TopUpEvent } from "../../../src/domain/topups/TopUp.ts"
import { eventTable } from "../../../src/domain/events/EventTable.ts"
import { payloadSchema } from "../../support/EventPayloads.ts"
import { claim, numberIn, t0 } from "../numbers/Fixtures.ts"
import { CallbackFailure, engine, TestEngine, workspace } from "../../../src/testing.ts"
import { absentConference, type Conference } from "../../../src/domain/conferences/Conference.ts"
import { type ConferenceEvent, evolveConference } from "../../../src/domain/conferences/ConferenceEvent.ts"
import { conferenceEvents } from "../../../src/domain/conferences/RecordConference.ts"
import {
  afterAll,
  conference_id,
  guest,
  host,
  join,
  outcome,
  workspace_id as conferenceWorkspace
} from "../conferences/Fixtures.ts"
import { numberId, topUpId, workspaceId } from "../../support/Ids.ts"

/** Why the payload does not match the schema of its kind; undefined if it does. */
const complaint = (kind: string, payload: unknown): string | undefined => {
  const schema = payloadSchema(kind)
  if (schema === undefined) return `no kind ${kind}`
  const decoded = Schema.decodeUnknownResult(schema)(payload)
  return Result.isSuccess(decoded) ? undefined : `${kind}: ${decoded.failure.message}`
}

describe("the table of webhook events", () => {
  it("has one row per kind", () => {
    const kinds = eventTable.map(({ kind }) => kind)
    assert.strictEqual(new Set(kinds).size, kinds.length)
  })

  for (const { example, kind } of eventTable) {
    it(`has an example of ${kind} that its schema accepts`, () => assert.isUndefined(complaint(kind, example)))
  }
})

describe("events of calls in a running engine", () => {
  it.effect("match the schema of their kind", () =>
    Effect.gen(function* () {
      const calls = yield* Calls
      const { drain } = yield* ActorSystem
      const { credit, journal } = yield* TestEngine
      yield* credit(1_800)
      const place = (to: string, path = "voice") =>
        calls.originate(workspace.id, {
          to,
          from: workspace.number,
          voice_callback_url: `https://app.test/${path}`,
          metadata: { order: "4711" },
          client_reference: "r"
        })
      yield* place("+99900000001")
      for (const to of ["+99900000002", "+99900000003", "+99900000004"]) yield* place(to)
      yield* place("+254711000001", "broken")
      const { id } = yield* place("+99900000003")
      yield* calls.terminate(workspace.id, id)
      yield* drain
      for (let second = 0; second < 140; second++) yield* Effect.andThen(TestClock.adjust("1 second"), drain)

      const published = journal.tables.events.filter(({ fan_out }) => fan_out)
      for (const { kind, payload } of published) assert.isUndefined(complaint(kind, JSON.parse(payload)))
      assert.includeMembers(
        [...new Set(published.map(({ kind }) => kind))],
        [
          "call.ringing",
          "call.answered",
          "call.completed",
          "call.no_answer",
          "call.busy",
          "call.failed",
          "call.canceled",
          "call.callback_failed"
        ]
      )
      const [ringing] = published.filter(({ kind }) => kind === "call.ringing")
      const { status: _, ...without } = JSON.parse(ringing!.payload)
      assert.include(complaint("call.ringing", without), "status")
    }).pipe(
      Effect.provide(
        engine({
          callback: ({ url }) =>
            url.endsWith("broken")
              ? Effect.fail(
                  new CallbackFailure({
                    cause: "voice_action_invalid",
                    http_status: 200,
                    pointer: "/actions",
                    detail: "no"
                  })
                )
              : Effect.succeed([{ say: { text: "x".repeat(3_000) } }])
        })
      )
    )
  )
})

describe("events of other actors", () => {
  const at = Date.UTC(2026, 9, 1)
  const origin = systemOrigin
  const uuid = () => "0199a000-0000-7000-8000-0000000000ff"
  const workspace_id = workspaceId("0199a000-0000-7000-8000-0000000000a1")

  const stored = (events: ReadonlyArray<StorageEvent>) => {
    const before = freeStorage(workspace_id)
    return recordStorage(changeOf(evolveStorage, before, events, { uuid })).events
  }
  const toppedUp = (events: ReadonlyArray<TopUpEvent>) => {
    const before = initialTopUp(topUpId("t1"))
    return recordTopUp(changeOf(evolveTopUp, before, events, { id: "t1", now: at, uuid })).events
  }
  const chatted = (events: ReadonlyArray<ChatAppEvent>) => {
    const before: ChatApp = unusedChatApp(numberId("n1"))
    return recordChatApp(changeOf(evolveChatApp, before, events, { uuid })).events
  }
  const numbered = (before: PhoneNumber, event: NumberEvent) =>
    recordNumber(changeOf(evolveNumber, before, [event], { uuid })).events

  const started: TopUpEvent = {
    _tag: "Started",
    proof: null,
    origin,
    facts: {
      workspace_id,
      provider: "mobilemoney",
      amount_minor: 10_000,
      currency: "KES",
      phone_e164: "+254711000001",
      account_ref: "ABCDEFGHJK",
      created_at: at
    }
  }
  const provisioning: ChatAppEvent = { _tag: "Provisioning", at, workspace_id, number: "+254700000001" }

  const conferred = conferenceEvents(
    stepsOf<Conference, ConferenceEvent>(evolveConference, absentConference(conference_id), [
      ...outcome(absentConference(conference_id), join(host)).events,
      ...outcome(afterAll(absentConference(conference_id), [join(host)]), join(guest)).events,
      { _tag: "Changed", at, call_id: host, change: { coach: guest } },
      ...outcome(afterAll(absentConference(conference_id), [join(host), join(guest)]), {
        _tag: "End",
        workspace_id: conferenceWorkspace
      }).events
    ]),
    uuid
  )

  const caller_id = toCallerIdId("0199a000-0000-7000-8000-0000000000c1")
  const ofNumber = { id: caller_id, number: "+254722000001", origin, at }
  const identified = recordCallerIds(
    changeOf(
      evolveCallerIds,
      initialCallerIds(workspace_id),
      [
        { _tag: "Approved", ...ofNumber },
        { _tag: "Expired", id: caller_id, at },
        { _tag: "Revoked", ...ofNumber },
        { _tag: "Approved", ...ofNumber },
        { _tag: "Withdrawn", id: caller_id, origin, at }
      ],
      { uuid }
    )
  ).events

  const rows = [
    ...stored([
      {
        _tag: "TierChanged",
        at,
        tier_mb: 1024,
        price_minor: 59_900,
        charge_minor: 29_950,
        currency: "KES",
        reason: "customer",
        origin
      },
      { _tag: "UsageHigh", at, percent: 80 },
      { _tag: "Evicted", at, recordings: 2, freed_bytes: 1_000, used_bytes: 9_000 }
    ]),
    ...toppedUp([
      started,
      { _tag: "Proved", proof: { receipt: "R1", amount_minor: 10_000, from_suspense: false } },
      { _tag: "Credited", at }
    ]),
    ...toppedUp([started, { _tag: "Failed", at, code: "wrong_pin", message: "no" }]),
    ...chatted([
      provisioning,
      { _tag: "TrunkActive", at },
      { _tag: "TrunkFailed", at, reason: "no", provider_code: 138_015, next_retry_at: at, unanswered: false },
      { _tag: "SettingsWritten", at, workspace_id, number: "+254700000001", settings: initialSettings, origin }
    ]),
    ...conferred,
    ...identified,
    ...numbered(numberIn("available", { claim }), { _tag: "Claimed", at: t0 }),
    ...numbered(numberIn("past_due"), { _tag: "Renewed", at: t0 }),
    ...numbered(numberIn("active"), { _tag: "Unpaid", at: t0 }),
    ...numbered(numberIn("past_due"), { _tag: "Suspended", at: t0 }),
    ...numbered(numberIn("active"), { _tag: "RoutingChanged", at: t0, routing: defaultRouting, label: null, origin })
  ]

  for (const { kind, payload } of rows) {
    it(`match the schema of ${kind}`, () => assert.isUndefined(complaint(kind, JSON.parse(payload))))
  }

  it("include these kinds", () => {
    assert.sameMembers(
      rows.map(({ kind }) => kind),
      [
        "storage.tier_changed",
        "storage.usage_high",
        "storage.recordings_evicted",
        "topup.succeeded",
        "topup.failed",
        "chatapp.trunk_active",
        "chatapp.trunk_failed",
        "chatapp.settings_changed",
        "conference.participant_joined",
        "conference.started",
        "conference.participant_joined",
        "conference.participant_updated",
        "conference.participant_left",
        "conference.participant_left",
        "conference.ended",
        "caller_id.verified",
        "caller_id.expired",
        "caller_id.revoked",
        "caller_id.verified",
        "caller_id.withdrawn",
        "number.claimed",
        "number.renewed",
        "number.past_due",
        "number.suspended",
        "number.routing_changed"
      ]
    )
  })
})
