import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { instant, type Phone, phoneOf } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, TestEngine, workspace } from "../../src/testing.ts"
import { ended, kinds, look, pass, place, scenario } from "../support/Scenario.ts"
import { type CallId, toCallId } from "../../src/domain/BrandedIds.ts"

type Body = Readonly<Record<string, unknown>>

/** A callback that answers with one document after the other, and then with no actions. */
const saying = (...documents: ReadonlyArray<ReadonlyArray<VoiceAction>>) => {
  const asked: Array<Body> = []
  const options: EngineOptions = {
    callback: ({ body }) => Effect.succeed(documents[asked.push(JSON.parse(body)) - 1] ?? [])
  }
  return { asked, options }
}

const next = "https://app.test/next"
/** A phone that stays until it is hung up. */
const patient: Phone = instant

const steps = (id: CallId) =>
  Effect.flatMap(CallReads, (reads) =>
    Effect.map(reads.events(workspace.id, id, 0, 200), (events) =>
      events.map(({ payload }) => (payload as Body)["step"])
    )
  )

describe("the actions of a call", () => {
  const menu = saying(
    [{ gather: { num_digits: 6, action_url: next, prompt: { say: { text: "Your code, please." } } } }],
    [{ say: { text: "Thanks." } }]
  )
  scenario(
    "gather the pressed keys up to the finish key, and report them",
    menu.options,
    Effect.gen(function* () {
      const { id } = yield* place("+99900000010")
      yield* pass(10)
      assert.deepInclude(menu.asked[1], { reason: "gather_completed", result: { status: "complete", digits: "1234" } })
      assert.lengthOf(
        (yield* kinds(id)).filter((kind) => kind === "call.dtmf"),
        5
      )
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
    })
  )

  const spoken = saying([
    { gather: { input: ["dtmf", "speech"], language: "en-KE", num_digits: 4, min_digits: 4, action_url: next } }
  ])
  scenario(
    "gather speech, and report it",
    spoken.options,
    Effect.gen(function* () {
      const { id } = yield* place("+99900000011")
      yield* pass(10)
      const result = { status: "complete", digits: "", speech: "I would like to speak to somebody.", confidence: 0.94 }
      assert.deepInclude(spoken.asked[1], { reason: "gather_completed", result })
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
    })
  )

  const pressed = saying(
    [{ gather: { input: ["speech", "dtmf"], action_url: next } }],
    [{ gather: { input: ["speech"], timeout: 2, action_url: next } }]
  )
  scenario(
    "gather keys although speech is also expected, and time out if a phone says nothing",
    pressed.options,
    Effect.gen(function* () {
      yield* place("+99900000010")
      yield* pass(15)
      assert.deepInclude(pressed.asked[1], {
        result: { status: "complete", digits: "1234", speech: null, confidence: null }
      })
      assert.deepInclude(pressed.asked[2], {
        result: { status: "timeout", digits: "", speech: null, confidence: null }
      })
    })
  )

  const unheard = saying([{ gather: { timeout: 3, action_url: next } }])
  scenario(
    "wait for a key until the timeout",
    { ...unheard.options, phones: () => patient },
    Effect.gen(function* () {
      yield* place("+254711000000")
      yield* pass(2)
      assert.lengthOf(unheard.asked, 1)
      yield* pass(2)
      assert.deepInclude(unheard.asked[1], { reason: "gather_completed", result: { status: "timeout", digits: "" } })
    })
  )

  const varied = saying(
    [
      { tag: { metadata: { seen: "yes" } } },
      { play: { url: "https://app.test/a.wav" } },
      { pause: { seconds: 2 } },
      { send_digits: { digits: "12w3" } },
      { redirect: { url: next } },
      { say: { text: "never said" } }
    ],
    [{ hangup: { reason: "busy" } }]
  )
  scenario(
    "are carried out in order, and a redirect fetches new ones",
    { ...varied.options, phones: () => patient },
    Effect.gen(function* () {
      const { id } = yield* place("+254711000000")
      yield* pass(3)
      assert.lengthOf(varied.asked, 1)
      yield* pass(3)
      assert.deepInclude(varied.asked[1], { reason: "redirect", metadata: { seen: "yes" }, sequence: 3 })
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "user_busy",
        hangup_source: "workspace",
        metadata: { seen: "yes" }
      })
    })
  )

  const message = saying(
    [{ record: { max_length: 60, action_url: next } }],
    [{ record: { max_length: 2, action_url: next } }],
    [{ say: { text: "Thanks." } }]
  )
  scenario(
    "record until silence or the maximum length, and report the duration",
    { ...message.options, phones: () => patient },
    Effect.gen(function* () {
      const { id } = yield* place("+254711000000")
      yield* pass(12)
      const [one, two] = message.asked.slice(1).map(({ reason, result }): Body => ({ reason, ...(result as Body) }))
      assert.deepInclude(one, { reason: "record_completed", status: "recorded", duration_seconds: 8 })
      assert.deepInclude(two, { reason: "record_completed", status: "recorded", duration_seconds: 2 })
      yield* pass(5)
      const { journal } = yield* TestEngine
      const kept = journal.tables.events.filter(
        ({ subject_id, kind }) => subject_id === id && kind === "call.recording_available"
      )
      assert.lengthOf(kept, 2)
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
    })
  )

  const late = saying([{ say: { text: "Hi." } }, { reject: {} }])
  scenario(
    "cannot reject an answered call: the document is invalid",
    late.options,
    Effect.gen(function* () {
      const { id } = yield* place("+254711000000")
      yield* pass(3)
      ended(yield* look(id), { status: "completed", hangup_cause: "voice_action_invalid" })
    })
  )

  const many = saying([
    { tag: { metadata: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, ""])) } },
    { tag: { metadata: { one: "more" } } }
  ])
  scenario(
    "tag a call with no more values than allowed",
    many.options,
    Effect.gen(function* () {
      const { id } = yield* place("+254711000000")
      yield* pass(3)
      assert.include(yield* steps(id), "tag_refused")
      assert.notProperty((yield* look(id)).metadata, "one")
    })
  )
})

describe("machine detection", () => {
  const detecting = (machine_detection: "detect" | "detect_message_end") => ({
    machine_detection,
    machine_detection_timeout_seconds: 5
  })

  const machine = saying([{ hangup: {} }])
  scenario(
    "asks the callback after a machine has been detected",
    machine.options,
    Effect.gen(function* () {
      const { id } = yield* place("+99900000006", detecting("detect"))
      yield* pass(1)
      assert.lengthOf(machine.asked, 0)
      yield* pass(2)
      assert.deepInclude(machine.asked[0], { reason: "answered", answered_by: "machine" })
      assert.include(yield* kinds(id), "call.machine_detected")
      ended(yield* look(id), { status: "completed", hangup_cause: "machine_detected", answered_by: "machine" })
    })
  )

  const told: ReadonlyArray<readonly [string, ReadonlyArray<ReadonlyArray<VoiceAction>>, string]> = [
    [
      "after a tag, a pause and a redirect",
      [
        [{ tag: { metadata: { by: "machine" } } }, { pause: { seconds: 2 } }, { redirect: { url: next } }],
        [{ hangup: {} }]
      ],
      "machine_detected"
    ],
    ["once a message was left", [[{ say: { text: "Call us back." } }, { hangup: {} }]], "normal_clearing"],
    [
      "in a later answer, after something was played",
      [[{ play: { url: "https://app.test/a.wav" } }, { redirect: { url: next } }], [{ hangup: {} }]],
      "normal_clearing"
    ],
    ["with another reason", [[{ hangup: { reason: "busy" } }]], "user_busy"]
  ]
  for (const [when, documents, cause] of told) {
    scenario(
      `calls a hang-up on a machine ${when} ${cause}`,
      saying(...documents).options,
      Effect.gen(function* () {
        const { id } = yield* place("+99900000006", detecting("detect"))
        yield* pass(12)
        ended(yield* look(id), {
          status: "completed",
          hangup_cause: cause as "machine_detected",
          answered_by: "machine"
        })
      })
    )
  }

  const human = saying([])
  scenario(
    "detects a person in the same way",
    human.options,
    Effect.gen(function* () {
      yield* place("+99900000001", detecting("detect_message_end"))
      yield* pass(5)
      assert.deepInclude(human.asked[0], { answered_by: "human" })
    })
  )

  const unknown = saying([])
  const deaf = (to: string): Phone => ({
    ...phoneOf(to),
    steps: [
      { kind: "answers", after_ms: 0 },
      { kind: "is_a_machine", after_ms: 60_000 }
    ]
  })
  scenario(
    "gives up after its timeout",
    { ...unknown.options, phones: deaf },
    Effect.gen(function* () {
      yield* place("+254711000000", detecting("detect"))
      yield* pass(4)
      assert.lengthOf(unknown.asked, 0)
      yield* pass(2)
      assert.deepInclude(unknown.asked[0], { answered_by: "unknown" })
    })
  )
})

describe("a phone that sends no sound any more", () => {
  const silent: Phone = {
    steps: [
      { kind: "answers", after_ms: 0 },
      { kind: "falls_silent", after_ms: 10_000 }
    ]
  }
  const waiting = () =>
    saying([{ pause: { seconds: 60 } }, { pause: { seconds: 60 } }, { pause: { seconds: 60 } }]).options
  const held = (id: string) =>
    Effect.flatMap(Calls, (calls) => calls.update(workspace.id, toCallId(id), { hold: true }))

  scenario(
    "is hung up after a minute, if the PBX watches media",
    { ...waiting(), phones: () => silent, media_timeout: true },
    Effect.gen(function* () {
      const { id } = yield* place("+254711000000")
      yield* pass(69)
      assert.strictEqual((yield* look(id)).status, "answered")
      yield* pass(3)
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "media_timeout",
        hangup_source: "platform",
        duration_seconds: 70
      })
    })
  )

  scenario(
    "is hung up after two minutes on hold",
    { ...waiting(), phones: () => silent, media_timeout: true },
    Effect.gen(function* () {
      const { id } = yield* place("+254711000000")
      yield* pass(1)
      yield* held(id)
      yield* pass(128)
      assert.strictEqual((yield* look(id)).status, "answered")
      yield* pass(4)
      ended(yield* look(id), { status: "completed", hangup_cause: "media_timeout", duration_seconds: 130 })
    })
  )

  scenario(
    "stays connected if the PBX does not watch media, which is the default",
    { ...waiting(), phones: () => silent },
    Effect.gen(function* () {
      const { id } = yield* place("+254711000000")
      yield* pass(200)
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended", duration_seconds: 180 })
    })
  )
})
