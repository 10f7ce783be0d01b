// However Asterisk answers a command, the call ends exactly once, with its channel, and leaves nothing in memory.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { PbxAction } from "../../../../src/domain/pbx/PbxCommand.ts"
import { type AriCase, ariCases, toldOf } from "../../../support/AriCases.ts"
import { type Line, makeAriReplay } from "../../../support/AriReplay.ts"
import { conversation } from "../../../support/Conversation.ts"
import { recordingId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const usual = ariCases.find(({ name }) => name === "the-far-end-hangs-up")!
const recorded: ReadonlyArray<Line> = readFileSync(join(import.meta.dirname, "fixtures", `${usual.name}.jsonl`), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
const isAnswer = (line: Line): boolean =>
  "event" in line &&
  line.event["type"] === "ChannelStateChange" &&
  (line.event["channel"] as { readonly state: string }).state === "Up"
const upTo = 1 + recorded.findIndex(isAnswer)
/** Up to the entry of the new channel into the application. */
const created = recorded.slice(
  0,
  recorded.findIndex((line) => "request" in line && line.request.endsWith("/dial"))
)

/** The events of a call in which the command fails, until shortly after the end of the call. */
const told = (of: AriCase, lines: ReadonlyArray<Line>) =>
  Effect.gen(function* () {
    let step: (index: number) => Effect.Effect<void> = () => Effect.void
    const asterisk = yield* makeAriReplay(lines, (index) => step(index))
    const where = { url: asterisk.url, username: "trunkline", password: "secret", app: "trunkline", sounds: "unused" }
    return yield* conversation(of, where, (does, heard) =>
      Effect.gen(function* () {
        step = does
        yield* asterisk.play
        const isOver = () => heard.events.some(({ type }) => type === "leg.hangup")
        const seen = Effect.sync(() => toldOf(heard.events))
        yield* until("end of the call", seen, isOver, { every_ms: 1 })
        // Nothing is known to come after the end of a call, so there is nothing to wait for.
        yield* Effect.sleep("30 millis")
        return toldOf(heard.events)["HD_1"] ?? []
      })
    )
  }).pipe(Effect.scoped)

const commands: ReadonlyArray<[string, PbxAction]> = [
  ["POST /channels/HD_1/mute", { kind: "mute", on: true }],
  ["POST /channels/HD_1/moh", { kind: "hold", on: true }],
  ["POST /channels/HD_1/dtmf", { kind: "send_digits", digits: "1" }],
  [
    "POST /channels/HD_1/snoop/snoop-r1.both",
    { kind: "record.start", recording_id: recordingId("r1"), channels: 1, from: "answer" }
  ],
  ["DELETE /channels/HD_1", { kind: "hangup", cause: "normal_clearing" }]
]
const silence = 0
const faults = [silence, 400, 404, 409, 500]

describe("a command that Asterisk fails to carry out", () => {
  it.live.each(commands.flatMap(([request, action]) => faults.map((status) => [request, status, action] as const)))(
    "%s: %i",
    ([request, status, action]) =>
      Effect.gen(function* () {
        const of = { ...usual, steps: [...usual.steps, { after: "HD_1 leg.answered", session: "HD_1", action }] }
        const said = yield* told(of, [
          ...recorded.slice(0, upTo),
          { command: 1 },
          { request, status },
          ...recorded.slice(upTo)
        ])
        assert.deepStrictEqual(said.slice(0, 3), ["session.created", "leg.ringing 180", "leg.answered 200"])
        assert.lengthOf(
          said.filter((line) => line.startsWith("leg.hangup 200 16 ")),
          1
        )
        // Events of a recording may come after the end of the call.
        assert.match(
          said.findLast((line) => !line.startsWith("recording."))!,
          /^leg\.hangup/
        )
      })
  )

  it.live.each([silence, 400, 500, 503].map((status) => [status] as const))(
    "POST /channels/create: %i ends the call",
    ([status]) =>
      Effect.gen(function* () {
        const said = yield* told(usual, [{ command: 0 }, { request: "POST /channels/create", status }])
        assert.deepStrictEqual(said, ["session.created", "leg.hangup 503 38 carrier"])
      })
  )

  it.live.each([silence, 500, 503].map((status) => [status] as const))(
    "POST /channels/HD_1/dial: %i ends the call",
    ([status]) =>
      Effect.gen(function* () {
        const said = yield* told(usual, [...created, { request: "POST /channels/HD_1/dial", status }])
        assert.deepStrictEqual(said, ["session.created", "leg.hangup 503 38 carrier"])
      })
  )

  it.live("POST /channels/HD_1/dial: without a response, a call that rings goes on", () =>
    Effect.gen(function* () {
      const dialled = recorded.slice(created.length)
      const answered = dialled.findIndex(isAnswer)
      const [heard, later] = [dialled.slice(0, answered), dialled.slice(answered)]
      const said = yield* told(usual, [
        ...created,
        ...heard.filter((line) => "event" in line),
        { request: "POST /channels/HD_1/dial", status: silence },
        ...later
      ])
      assert.deepStrictEqual(said, usual.told["HD_1"])
    })
  )
})
