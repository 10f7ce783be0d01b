import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { CallId, ConferenceId, SessionId } from "../../src/domain/BrandedIds.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { ConferenceCommands, type ParticipantChange } from "../../src/domain/conferences/ConferenceCommand.ts"
import type { ConferenceAction } from "../../src/domain/conferences/ConferenceAction.ts"
import { toConferenceId } from "../../src/domain/BrandedIds.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { instant } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { charges, ended, look, pass, place, scenario } from "../support/Scenario.ts"

const bye: VoiceAction = { say: { text: "Bye." } }

/** A callback that lets each call join as the call's own number says, and tells what it was asked. */
const world = (joins: Readonly<Record<string, ConferenceAction>>) => {
  const asked: Array<Readonly<Record<string, unknown>>> = []
  const options: EngineOptions = {
    phones: () => instant,
    callback: ({ body }) => {
      const question = JSON.parse(body) as { readonly reason: string; readonly to: string }
      asked.push(question)
      const conference = joins[question.to]
      return Effect.succeed(question.reason === "answered" && conference !== undefined ? [{ conference }] : [bye])
    }
  }
  return { asked, options }
}

const published = Effect.map(TestEngine, ({ journal }) =>
  journal.tables.events.flatMap(({ kind, payload }) =>
    kind.startsWith("conference.") ? [JSON.parse(payload) as Readonly<Record<string, unknown>>] : []
  )
)
const publishedKinds = Effect.map(published, (events) => events.map(({ kind }) => kind))
const conferenceId = Effect.map(published, (events): ConferenceId =>
  toConferenceId(String(events.at(-1)!["conference_id"]))
)

const ask = Effect.map(ActorSystem, (system) => system.ask)
const lookAt = (session_id: SessionId) =>
  Effect.map(
    Effect.flatMap(PbxSimulator, (pbx) => pbx.look(session_id)),
    (view) => view!
  )
const hears = (session_id: SessionId) => Effect.map(lookAt(session_id), (session) => session.hears)

const [ada, bea, cyd] = ["+254711000001", "+254711000002", "+254711000003"] as const

describe("conferences", () => {
  const plain = world({
    [ada]: { name: "room", action_url: "https://app.test/next" },
    [bea]: { name: "room" },
    [cyd]: { name: "room" }
  })
  scenario(
    "connect all of their calls, which are each charged once",
    plain.options,
    Effect.gen(function* () {
      const calls = [yield* place(ada), yield* place(bea), yield* place(cyd)]
      yield* pass(30)
      for (const { session_id } of calls)
        assert.sameMembers(
          [...(yield* hears(session_id))],
          calls.map((call) => call.session_id).filter((id) => id !== session_id)
        )
      yield* (yield* ask)(ConferenceCommands.Remove, yield* conferenceId, {
        workspace_id: workspace.id,
        call_id: calls[0]!.id
      })
      yield* pass(30)
      assert.deepInclude(plain.asked.at(-1)!, { reason: "conference_completed" })
      assert.deepInclude(plain.asked.at(-1)!["result"] as object, {
        status: "removed",
        name: "room",
        duration_seconds: 30
      })
      ended(yield* look(calls[0]!.id), { status: "completed" })
      yield* Effect.flatMap(PbxSimulator, (pbx) => pbx.remoteHangup(calls[1]!.session_id))
      yield* pass(1)
      assert.deepStrictEqual(yield* hears(calls[2]!.session_id), [])
      yield* Effect.flatMap(PbxSimulator, (pbx) => pbx.remoteHangup(calls[2]!.session_id))
      yield* pass(5)
      assert.deepStrictEqual(yield* publishedKinds, [
        "conference.participant_joined",
        "conference.started",
        "conference.participant_joined",
        "conference.participant_joined",
        "conference.participant_left",
        "conference.participant_left",
        "conference.participant_left",
        "conference.ended"
      ])
      assert.strictEqual((yield* charges).length, 3)
    })
  )

  const hosted = world({
    [ada]: { name: "room", start_on_enter: false },
    [bea]: { name: "room", end_on_exit: true, muted: true }
  })
  scenario(
    "wait for a host, and end with it",
    hosted.options,
    Effect.gen(function* () {
      const guest = yield* place(ada)
      yield* pass(5)
      assert.isTrue((yield* lookAt(guest.session_id)).conference!.waiting)
      const host = yield* place(bea)
      yield* pass(5)
      assert.deepStrictEqual(yield* hears(host.session_id), [guest.session_id])
      assert.deepStrictEqual(yield* hears(guest.session_id), [])
      yield* Effect.flatMap(Calls, (calls) => calls.terminate(workspace.id, host.id))
      yield* pass(5)
      ended(yield* look(guest.id), { status: "completed", hangup_cause: "actions_ended" })
      assert.deepInclude((yield* published).at(-1)!, { kind: "conference.ended", ended_by: "host_left" })
    })
  )

  const controlled = world({ [ada]: { name: "room" }, [bea]: { name: "room" }, [cyd]: { name: "room" } })
  scenario(
    "mute, deafen, hold and coach, and announce",
    controlled.options,
    Effect.gen(function* () {
      const [a, b, c] = [yield* place(ada), yield* place(bea), yield* place(cyd)]
      yield* pass(2)
      const send = yield* ask
      const id = yield* conferenceId
      const change = (call_id: CallId, change: ParticipantChange) =>
        Effect.andThen(send(ConferenceCommands.Change, id, { workspace_id: workspace.id, call_id, change }), pass(2))
      yield* change(a.id, { muted: true })
      assert.deepStrictEqual(yield* hears(b.session_id), [c.session_id])
      yield* change(a.id, { muted: false, deaf: true })
      assert.deepStrictEqual(yield* hears(a.session_id), [])
      assert.sameMembers([...(yield* hears(b.session_id))], [a.session_id, c.session_id])
      yield* change(a.id, { deaf: false, hold: true })
      assert.deepStrictEqual(yield* hears(b.session_id), [c.session_id])
      yield* change(a.id, { hold: false, coach: b.id })
      assert.sameMembers([...(yield* hears(b.session_id))], [a.session_id, c.session_id])
      assert.deepStrictEqual(yield* hears(c.session_id), [b.session_id])
      const media = { kind: "say", text: "One minute left.", loop: 1 } as const
      yield* send(ConferenceCommands.Announce, id, { workspace_id: workspace.id, media })
      yield* pass(2)
      for (const { session_id } of [a, b, c]) assert.strictEqual((yield* lookAt(session_id)).said, media.text)
      yield* send(ConferenceCommands.End, id, { workspace_id: workspace.id })
      yield* pass(10)
      for (const { id } of [a, b, c]) ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
    })
  )

  const full = world({
    [ada]: { name: "room", max_participants: 2 },
    [bea]: { name: "room", max_participants: 2 },
    [cyd]: { name: "room", max_participants: 2, action_url: "https://app.test/next" }
  })
  scenario(
    "tell the next call that they are full",
    full.options,
    Effect.gen(function* () {
      for (const to of [ada, bea, cyd]) yield* Effect.andThen(place(to), pass(2))
      assert.deepInclude(full.asked.at(-1)!["result"] as object, { status: "full" })
      yield* (yield* ask)(ConferenceCommands.End, yield* conferenceId, { workspace_id: workspace.id })
      yield* pass(10)
    })
  )

  const many = world(
    Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [
        `+2547110001${String(n).padStart(2, "0")}`,
        { name: `room ${n}`, action_url: "https://app.test/next", time_limit: 60 }
      ])
    )
  )
  scenario(
    "are at most 20 of one workspace at once",
    { ...many.options, money: 10_000_000 },
    Effect.gen(function* () {
      for (let n = 0; n < 21; n++) yield* place(`+2547110001${String(n).padStart(2, "0")}`)
      yield* pass(5)
      const refused = many.asked.filter(({ reason }) => reason === "conference_completed")
      assert.strictEqual(refused.length, 1)
      assert.deepInclude(refused[0]!["result"] as object, { status: "limit_reached", conference_id: null })
      yield* pass(70)
      const over = many.asked.filter(({ reason }) => reason === "conference_completed")
      assert.strictEqual(over.length, 21)
      assert.deepInclude(over[1]!["result"] as object, { status: "time_limit" })
    })
  )

  const poor = world({ [ada]: { name: "room" }, [bea]: { name: "room" } })
  scenario(
    "lose participants whose money ends, and go on with the others until their time has come",
    { ...poor.options, money: 1_500 },
    Effect.gen(function* () {
      const calls = [yield* place(ada), yield* place(bea)]
      yield* pass(600)
      for (const { id } of calls) ended(yield* look(id), { status: "completed", hangup_cause: "balance_exhausted" })
      assert.strictEqual((yield* charges).length, 2)
      assert.strictEqual((yield* publishedKinds).at(-1), "conference.ended")
    })
  )

  const names = ["red", "blue"] as const
  const callers = Array.from({ length: 24 }, (_, n) => `+2547110002${String(n).padStart(2, "0")}`)
  const crowd = world(
    Object.fromEntries(
      callers.map((to, n) => [to, { name: names[n % 2]!, max_participants: 8, end_on_exit: n % 7 === 6 }])
    )
  )
  for (const seed of [1, 2, 3, 4, 5])
    scenario(
      `keep their participants and their charges right in a random history (seed ${seed})`,
      { ...crowd.options, money: 9_000 },
      Effect.gen(function* () {
        let state = seed * 7919
        const random = (below: number) => {
          state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
          return Math.floor((state / 2_147_483_648) * below)
        }
        const calls: Array<{ readonly id: CallId; readonly session_id: SessionId }> = []
        const pbx = yield* PbxSimulator
        for (let turn = 0; turn < 60; turn++) {
          const any = calls[random(Math.max(1, calls.length))]
          const choice = random(6)
          if (any === undefined || choice < 2)
            yield* Effect.match(place(callers[random(callers.length)]!), {
              onFailure: () => {},
              onSuccess: (call) => void calls.push(call)
            })
          else if (choice === 2) yield* pbx.remoteHangup(any.session_id)
          else if (choice === 3)
            yield* Effect.ignore(
              Effect.flatMap(Calls, ({ update }) => update(workspace.id, any.id, { actions: [bye] }))
            )
          else if (choice === 4) yield* pass(random(40))
          const last = (yield* published).at(-1)
          if (choice === 5 && last !== undefined)
            yield* Effect.ignore(
              (yield* ask)(ConferenceCommands.Remove, toConferenceId(String(last["conference_id"])), {
                workspace_id: workspace.id,
                call_id: any!.id
              })
            )
        }
        yield* pass(3)
        for (const { session_id } of calls) {
          const heard = (yield* pbx.look(session_id))?.hears ?? []
          for (const other of heard) assert.include((yield* lookAt(other)).hears, session_id)
          assert.isAtMost(heard.length, 7)
        }
        for (const { session_id } of calls) yield* pbx.remoteHangup(session_id)
        yield* pass(400)
        const events = yield* published
        for (const of of Map.groupBy(events, ({ conference_id }) => conference_id).values()) {
          const count = (kind: string) => of.filter((event) => event["kind"] === `conference.${kind}`).length
          assert.strictEqual(count("participant_joined"), count("participant_left"))
          assert.strictEqual(count("ended"), 1)
          assert.deepStrictEqual(of.at(-1)!["participant_count"], 0)
        }
        const charged = (yield* charges).map(({ reference_id }) => reference_id)
        assert.strictEqual(new Set(charged).size, charged.length)
        const records = yield* Effect.forEach(calls, ({ id }) => look(id))
        for (const record of records) assert.strictEqual(record.status, "completed")
        assert.sameMembers(charged as Array<string>, calls.map(({ id }) => id) as Array<string>)
      })
    )
})
