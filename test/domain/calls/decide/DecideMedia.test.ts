import { expect, it } from "@effect/vitest"
import { actionReported } from "../../../../src/domain/calls/decide/ScriptSteps.ts"
import type { VerbPayload } from "../../../../src/domain/calls/verbs/VoiceVerbs.ts"
import type { PbxEventData } from "../../../../src/domain/pbx/PbxEvent.ts"
import { doing, minute_at, pbxEvent } from "../Fixtures.ts"

type Gather = VerbPayload<"gather">

const action_url = "https://app.example/next"
const speech: Gather = { input: ["speech"], action_url }
const both: Gather = { input: ["dtmf", "speech"], min_digits: 4, action_url }
const digits: Gather = { min_digits: 4, action_url }
const said = { speech: "Yes.", confidence: 0.8, result: "complete" }

const rows: ReadonlyArray<readonly [condition: string, gather: Gather, report: PbxEventData | null, result: object]> = [
  ["enough digits", digits, { digits: "1234", result: "complete" }, { status: "complete", digits: "1234" }],
  ["too few digits", digits, { digits: "12", result: "timeout" }, { status: "too_few", digits: "12" }],
  ["no digit", digits, { result: "timeout" }, { status: "timeout", digits: "" }],
  ["speech", speech, said, { status: "complete", digits: "", speech: "Yes.", confidence: 0.8 }],
  [
    "speech instead of the four digits",
    both,
    said,
    { status: "complete", digits: "", speech: "Yes.", confidence: 0.8 }
  ],
  [
    "speech without a confidence",
    speech,
    { speech: "Yes.", result: "complete" },
    { status: "complete", digits: "", speech: "Yes.", confidence: null }
  ],
  [
    "digits where speech was possible",
    both,
    { digits: "1234", result: "complete" },
    { status: "complete", digits: "1234", speech: null, confidence: null }
  ],
  [
    "too few digits where speech was possible",
    both,
    { digits: "12", result: "timeout" },
    { status: "too_few", digits: "12", speech: null, confidence: null }
  ],
  [
    "silence",
    speech,
    { result: "timeout", confidence: 0.1 },
    { status: "timeout", digits: "", speech: null, confidence: null }
  ],
  [
    "a PBX without speech recognition",
    speech,
    { result: "unavailable" },
    { status: "unavailable", digits: "", speech: null, confidence: null }
  ],
  ["an empty report", both, {}, { status: "timeout", digits: "", speech: null, confidence: null }],
  ["no report at all", both, null, { status: "timeout", digits: "", speech: null, confidence: null }]
]

it.each(rows)("sends the callback the result of a gather that ends with %s", (_, gather, report, result) => {
  const action = { gather }
  const event = report === null ? null : pbxEvent("gather.finished", 3, report)
  expect(actionReported(doing(action), action, event, minute_at)).toMatchObject({
    _tag: "CallbackAsked",
    question: { reason: "gather_completed", url: action_url, result }
  })
})
