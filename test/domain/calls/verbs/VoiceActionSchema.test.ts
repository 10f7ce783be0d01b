import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import { readVoiceActions } from "../../../../src/domain/calls/verbs/ParseVoiceActions.ts"
import { voiceActionSchema } from "../../../../src/domain/calls/verbs/VoiceActionSchema.ts"
import { bytesOf, Choices } from "../../../properties/model/Choices.ts"

const published = new Ajv2020({ strict: true, strictTypes: false, allErrors: false }).compile(
  JSON.parse(JSON.stringify(voiceActionSchema))
)
const reads = (document: unknown): boolean => Result.isSuccess(readVoiceActions(document))

const numbers = ["+254700000001", "+254700000002", "+1", "0700", "", 7, null, `+${"1".repeat(16)}`]
const texts = ["Hello.", "", "x".repeat(65), "x".repeat(3_000), "x".repeat(3_001), 5, null]
const counts = [1, 5, 0, -1, 1.5, 60, 61, 64, 65, 100, 101, 600, 601, 14_400, 14_401, "1", null]
const urls = [
  "https://example.com/a",
  "http://example.com",
  "ftp://example.com",
  "example.com",
  "https://",
  `https://e.com/${"x".repeat(2048)}`,
  1
]
const digits = ["12#", "wW*A", "", "E", "1".repeat(65), 12]
const maps = [
  {},
  { a: "b" },
  { a: 1 },
  { ["k".repeat(41)]: "" },
  { a: "v".repeat(513) },
  Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, ""])),
  "a",
  null,
  []
]
const headers = [
  { "X-Order": "7" },
  { "x-a": "" },
  { Order: "7" },
  { "X-": "a" },
  { "X-A": "é" },
  { "X-A": "a\r\nB: c" },
  "a"
]
const flags = [true, false, "true", 0, null]

const prompts = [
  { say: { text: "Press." } },
  { play: { url: "https://example.com/a" } },
  { say: {} },
  { dial: { number: "+254700000001" } },
  {},
  "say"
]

/** Every member there is, with values that are right and wrong. */
const members: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  text: texts,
  voice: texts,
  language: texts,
  loop: counts,
  url: urls,
  seconds: counts,
  digits,
  metadata: maps,
  reason: ["normal", "busy", "rejected", "bored", 1],
  input: [["dtmf"], ["speech"], [], ["dtmf", "dtmf"], "dtmf"],
  num_digits: counts,
  min_digits: counts,
  finish_on_key: ["#", "*", "", "##", "a", 1],
  timeout: counts,
  inter_digit_timeout: counts,
  action_url: urls,
  prompt: prompts,
  number: numbers,
  sip: [
    "sip:1001@a.example",
    "sips:a@b:5061",
    "sip:a:b@c",
    "tel:+1",
    "sip:@a",
    "sip:a@",
    `sip:a@${"x".repeat(300)}`,
    1
  ],
  numbers: [
    ["+254700000001"],
    ["+254700000001", "+254700000001"],
    [],
    Array.from({ length: 11 }, (_, index) => `+2547000000${index + 10}`),
    ["0700"],
    "+254700000001"
  ],
  max_length: counts,
  silence_timeout: counts,
  play_beep: flags,
  callerId: numbers,
  time_limit: counts,
  record: ["record-from-answer", "do-not-record", "record-from-ringing-dual", "yes", true, false],
  sequential: flags,
  first_answer_wins: flags,
  ringback_url: urls,
  sip_headers: headers,
  stranger: [1]
}

const shapes: Readonly<Record<string, { readonly must: ReadonlyArray<string>; readonly may: ReadonlyArray<string> }>> =
  {
    say: { must: ["text"], may: ["voice", "language", "loop"] },
    play: { must: ["url"], may: ["loop"] },
    pause: { must: ["seconds"], may: [] },
    gather: {
      must: [],
      may: [
        "input",
        "language",
        "num_digits",
        "min_digits",
        "finish_on_key",
        "timeout",
        "inter_digit_timeout",
        "action_url",
        "prompt"
      ]
    },
    dial: {
      must: ["number"],
      may: [
        "callerId",
        "timeout",
        "time_limit",
        "record",
        "sequential",
        "first_answer_wins",
        "action_url",
        "ringback_url",
        "sip_headers",
        "metadata"
      ]
    },
    record: { must: [], may: ["max_length", "finish_on_key", "silence_timeout", "play_beep", "action_url"] },
    redirect: { must: ["url"], may: [] },
    reject: { must: [], may: ["reason"] },
    send_digits: { must: ["digits"], may: [] },
    tag: { must: ["metadata"], may: [] },
    hangup: { must: [], may: ["reason"] },
    sing: { must: [], may: [] }
  }

/** Mostly right, so that the wrong member of a document is often its only one. */
const pick = (choices: Choices, values: ReadonlyArray<unknown>) => (choices.oneIn(4) ? choices.of(values) : values[0])

const actionOf = (choices: Choices): unknown => {
  const [key, { may, must }] = choices.of(Object.entries(shapes))
  const names = [...must.filter(() => !choices.oneIn(12)), ...may.filter(() => choices.oneIn(3))]
  if (key === "dial" && choices.oneIn(3)) names.splice(0, 1, choices.of(["numbers", "sip"]))
  if (choices.oneIn(12)) names.push(choices.of(Object.keys(members)))
  const fields = Object.fromEntries(names.map((name) => [name, pick(choices, members[name]!)]))
  if (choices.oneIn(30))
    return choices.of([null, [], "say", { [key]: null }, { [key]: [] }, {}, { [key]: fields, hangup: {} }])
  return { [key]: fields }
}

const documentOf = (choices: Choices): unknown => {
  const actions = Array.from({ length: choices.below(3) + 1 }, () => actionOf(choices))
  if (choices.oneIn(40))
    return choices.of([
      null,
      [],
      {},
      { actions: {} },
      { actions, more: 1 },
      { actions: Array.from({ length: 101 }, () => ({ hangup: {} })) }
    ])
  return { actions }
}

describe("the published schema", () => {
  it("and the engine agree on 20,000 documents, of which many are right and many wrong", () => {
    let right = 0
    for (let seed = 0; seed < 20_000; seed++) {
      const document = documentOf(new Choices(bytesOf(seed, 200)))
      const read = reads(document)
      if (read) right++
      assert.strictEqual(published(document), read, JSON.stringify(document).slice(0, 600))
    }
    assert.isAbove(right, 4_000)
    assert.isBelow(right, 16_000)
  })

  it("and the engine agree on each value of each member", () => {
    for (const [key, { may, must }] of Object.entries(shapes)) {
      const fields = Object.fromEntries(must.map((name) => [name, members[name]![0]]))
      for (const name of [...must, ...may]) {
        for (const value of members[name]!) {
          const document = { actions: [{ [key]: { ...fields, [name]: value } }] }
          assert.strictEqual(published(document), reads(document), JSON.stringify(document).slice(0, 600))
        }
      }
    }
  })
})
