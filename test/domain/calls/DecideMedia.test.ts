import { expect, it } from "@effect/vitest"
import { gathered, nothingEntered } from "../../../src/domain/calls/DecideMedia.ts"
import type { Gather } from "../../../src/domain/calls/VoiceAction.ts"
import { minute_at } from "./Fixtures.ts"

const action_url = "https://app.example/next"
const words: Gather = { input: ["speech"], action_url }
const both: Gather = { input: ["dtmf", "speech"], min_digits: 4, action_url }
const keys: Gather = { min_digits: 4, action_url }
const said = { speech: "Yes.", confidence: 0.8, result: "complete" }

it.each<[string, Gather, Partial<typeof nothingEntered>, object]>([
  ["enough keys", keys, { digits: "1234", result: "complete" }, { status: "complete", digits: "1234" }],
  ["too few keys", keys, { digits: "12", result: "timeout" }, { status: "too_few", digits: "12" }],
  ["no key", keys, { result: "timeout" }, { status: "timeout", digits: "" }],
  ["words", words, said, { status: "complete", digits: "", speech: "Yes.", confidence: 0.8 }],
  ["words, and no digit of the four", both, said, { status: "complete", digits: "", speech: "Yes.", confidence: 0.8 }],
  [
    "words that it is not sure of at all",
    words,
    { ...said, confidence: null },
    { status: "complete", digits: "", speech: "Yes.", confidence: null }
  ],
  [
    "keys beside which words were waited for",
    both,
    { digits: "1234", result: "complete" },
    { status: "complete", digits: "1234", speech: null, confidence: null }
  ],
  [
    "too few of those",
    both,
    { digits: "12", result: "timeout" },
    { status: "too_few", digits: "12", speech: null, confidence: null }
  ],
  [
    "nothing said",
    words,
    { result: "timeout", confidence: 0.1 },
    { status: "timeout", digits: "", speech: null, confidence: null }
  ],
  [
    "nobody who understands",
    words,
    { result: "unavailable" },
    { status: "unavailable", digits: "", speech: null, confidence: null }
  ],
  ["nothing told of it", both, {}, { status: "timeout", digits: "", speech: null, confidence: null }]
])("a gather with %s", (_, gather, entered, result) => {
  expect(gathered(gather, { ...nothingEntered, ...entered }, minute_at)).toMatchObject({
    _tag: "Asked",
    question: { reason: "gather_completed", url: action_url, result }
  })
})
