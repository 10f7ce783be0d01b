import { assert, describe, it } from "@effect/vitest"
import {
  beginDetection,
  type DetectionOptions,
  endOfSound_ms,
  judge,
  type Judgement,
  withSpeech
} from "../../../src/domain/pbx/MachineDetection.ts"

/** Sounds from and to, in milliseconds after the answer. */
type Sounds = ReadonlyArray<readonly [number, number]>

/** The result and its time. It judges at every change of sound, and whenever `judge_at` says so. */
const verdict = (sounds: Sounds, options: DetectionOptions): readonly [Judgement["result"], number] => {
  let detection = beginDetection(options, 0)
  const changes = sounds.flatMap(([from, to]) => [
    { now: from, _tag: "SpeechBegan", at: from } as const,
    { now: to + endOfSound_ms, _tag: "SpeechEnded", at: to, lasted_ms: to - from } as const
  ])
  let now = 0
  for (;;) {
    const judged = judge(detection, now)
    if ("result" in judged) return [judged.result, now]
    const [next] = changes
    assert.isAbove(judged.judge_at, now, "it must make progress")
    if (next === undefined || next.now > judged.judge_at) now = judged.judge_at
    else {
      now = next.now
      changes.shift()
      detection = withSpeech(detection, next)
    }
  }
}

const detect = (timeout_seconds: number): DetectionOptions => ({ mode: "detect", timeout_seconds })
const toTheEnd = (timeout_seconds: number): DetectionOptions => ({ mode: "detect_message_end", timeout_seconds })

describe("answering machine detection", () => {
  it.each<readonly [string, Sounds, DetectionOptions, Judgement["result"], number]>([
    ["takes a word and silence for a person", [[400, 1_200]], detect(30), "human", 2_400],
    [
      "takes a word and silence for a person when it waits for the end of a message",
      [[400, 1_200]],
      toTheEnd(30),
      "human",
      2_400
    ],
    [
      "takes two short words for a person",
      [
        [200, 600],
        [1_400, 1_900]
      ],
      detect(30),
      "human",
      3_100
    ],
    [
      "ignores a click after the word",
      [
        [400, 1_200],
        [1_700, 1_740]
      ],
      detect(30),
      "human",
      2_400
    ],
    [
      "ignores a click of the line as it opens",
      [
        [0, 20],
        [900, 1_500]
      ],
      detect(30),
      "human",
      2_700
    ],
    ["takes an endless sentence for a machine", [[500, 9_000]], detect(30), "machine", 3_200],
    [
      "takes sentences with short pauses for a machine",
      [
        [300, 1_100],
        [1_500, 2_200],
        [2_600, 4_000]
      ],
      detect(30),
      "machine",
      3_000
    ],
    ["takes a sentence that ends just in time for a person", [[0, 2_200]], detect(30), "human", 3_400],
    ["reports a machine at the end of its message", [[300, 6_000]], toTheEnd(30), "machine", 7_500],
    [
      "reports a machine after the tone that follows its message",
      [
        [300, 6_000],
        [7_000, 7_400]
      ],
      toTheEnd(30),
      "machine",
      8_900
    ],
    ["reports a machine at the timeout if its message has not ended", [[300, 20_000]], toTheEnd(10), "machine", 9_750],
    ["reports unknown if nothing is heard", [], detect(30), "unknown", 5_000],
    [
      "reports unknown if only clicks are heard",
      [
        [0, 20],
        [2_000, 2_050]
      ],
      detect(30),
      "unknown",
      5_000
    ],
    ["reports unknown if the timeout cuts off a word", [[4_500, 4_900]], detect(5), "unknown", 4_750]
  ])("%s", (_, sounds, options, result, at) => {
    assert.deepStrictEqual(verdict(sounds, options), [result, at])
  })

  it("is more confident about a word than about a sentence, and has no confidence in silence", () => {
    const confidence = (spoken_ms: number) => {
      const said = withSpeech(beginDetection(detect(30), 0), {
        _tag: "SpeechEnded",
        at: 500 + spoken_ms,
        lasted_ms: spoken_ms
      })
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
