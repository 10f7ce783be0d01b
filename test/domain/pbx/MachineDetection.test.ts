import { assert, describe, it } from "@effect/vitest"
import {
  type DetectionWish,
  hear,
  judge,
  type Judgement,
  listenFor,
  notice_ms
} from "../../../src/domain/pbx/MachineDetection.ts"

/** From and to, in milliseconds after the answer. */
type Sounds = ReadonlyArray<readonly [number, number]>

/** Whom it takes the sounds for, and when: it looks again when it said so, and at whatever is heard. */
const verdict = (sounds: Sounds, wish: DetectionWish): readonly [Judgement["result"], number] => {
  let detection = listenFor(wish, 0)
  const heard = sounds.flatMap(([from, to]) => [
    { now: from, _tag: "SpeechBegan", at: from } as const,
    { now: to + notice_ms, _tag: "SpeechEnded", at: to, lasted_ms: to - from } as const
  ])
  let now = 0
  for (;;) {
    const judged = judge(detection, now)
    if ("result" in judged) return [judged.result, now]
    const [next] = heard
    assert.isAbove(judged.look_at, now, "it would look for ever")
    if (next === undefined || next.now > judged.look_at) now = judged.look_at
    else {
      now = next.now
      heard.shift()
      detection = hear(detection, next)
    }
  }
}

const detect = (timeout_seconds: number): DetectionWish => ({ mode: "detect", timeout_seconds })
const toTheEnd = (timeout_seconds: number): DetectionWish => ({ mode: "detect_message_end", timeout_seconds })

describe("who has answered", () => {
  it.each<readonly [string, Sounds, DetectionWish, Judgement["result"], number]>([
    ["a word and silence", [[400, 1_200]], detect(30), "human", 2_400],
    ["the same, with the end of a message wanted", [[400, 1_200]], toTheEnd(30), "human", 2_400],
    [
      "a word before a second one",
      [
        [200, 600],
        [1_400, 1_900]
      ],
      detect(30),
      "human",
      3_100
    ],
    [
      "a click after the word",
      [
        [400, 1_200],
        [1_700, 1_740]
      ],
      detect(30),
      "human",
      2_400
    ],
    [
      "a line that clicks as it opens",
      [
        [0, 20],
        [900, 1_500]
      ],
      detect(30),
      "human",
      2_700
    ],
    ["a sentence that does not end", [[500, 9_000]], detect(30), "machine", 3_200],
    [
      "sentences with pauses between them",
      [
        [300, 1_100],
        [1_500, 2_200],
        [2_600, 4_000]
      ],
      detect(30),
      "machine",
      3_000
    ],
    ["a sentence that ends just in time", [[0, 2_200]], detect(30), "human", 3_400],
    ["a message and its end", [[300, 6_000]], toTheEnd(30), "machine", 7_500],
    [
      "a message, and a tone after it",
      [
        [300, 6_000],
        [7_000, 7_400]
      ],
      toTheEnd(30),
      "machine",
      8_900
    ],
    ["a message that outlasts the time to wait", [[300, 20_000]], toTheEnd(10), "machine", 9_750],
    ["nothing", [], detect(30), "unknown", 5_000],
    [
      "clicks",
      [
        [0, 20],
        [2_000, 2_050]
      ],
      detect(30),
      "unknown",
      5_000
    ],
    ["a word when the time to wait is over", [[4_500, 4_900]], detect(5), "unknown", 4_750]
  ])("%s", (_, sounds, wish, result, at) => {
    assert.deepStrictEqual(verdict(sounds, wish), [result, at])
  })

  it("is surer of a word than of a sentence, and of nothing where nothing was heard", () => {
    const confidence = (spoken_ms: number) => {
      const said = hear(listenFor(detect(30), 0), { _tag: "SpeechEnded", at: 500 + spoken_ms, lasted_ms: spoken_ms })
      const judged = judge(said, 9_000)
      return "result" in judged ? [judged.result, judged.confidence] : []
    }
    assert.deepStrictEqual(
      [confidence(800), confidence(2_000), confidence(50)],
      [
        ["human", 0.95],
        ["human", 0.75],
        ["unknown", 0]
      ]
    )
  })
})
