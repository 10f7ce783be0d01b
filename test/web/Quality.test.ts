import { assert, describe, it } from "@effect/vitest"
import { problemsOf, problemsToTell, type Quality, qualityOf } from "../../src/web/Quality.ts"

const good: Quality = { rtt_ms: 40, jitter_ms: 5, received: 1_000, lost: 0, sent: 1_000, level: 0.1 }
const later = (more: Partial<Quality>): Quality => ({ ...good, received: 1_100, ...more })
const kinds = (now: Quality, before: Quality | undefined = good) => problemsOf(now, before).map(({ kind }) => kind)

describe("the quality of a call", () => {
  it("is read from the browser's statistics", () => {
    const report = new Map<string, Readonly<Record<string, unknown>>>([
      ["C", { type: "codec", mimeType: "audio/opus" }],
      [
        "I",
        {
          type: "inbound-rtp",
          kind: "audio",
          codecId: "C",
          jitter: 0.012,
          packetsReceived: 100,
          packetsLost: 3,
          audioLevel: 0.25
        }
      ],
      ["O", { type: "outbound-rtp", kind: "audio", codecId: "C", packetsSent: 90 }],
      ["V", { type: "inbound-rtp", kind: "video", packetsReceived: 9_999 }],
      ["P", { type: "candidate-pair", nominated: true, currentRoundTripTime: 0.08 }],
      ["Q", { type: "candidate-pair", nominated: false, currentRoundTripTime: 9 }]
    ])
    assert.deepStrictEqual(qualityOf(report), {
      codec: "audio/opus",
      rtt_ms: 80,
      jitter_ms: 12,
      received: 100,
      lost: 3,
      sent: 90,
      level: 0.25
    })
  })

  it("is nothing yet at the beginning", () => {
    assert.deepStrictEqual(qualityOf(new Map()), { jitter_ms: 0, received: 0, lost: 0, sent: 0, level: 0 })
  })

  it("is warned of beyond its limits, and not at them", () => {
    assert.deepStrictEqual(kinds(later({})), [])
    assert.deepStrictEqual(kinds(later({ received: 1_095, lost: 5 })), [])
    assert.deepStrictEqual(kinds(later({ received: 1_094, lost: 6 })), ["loss"])
    assert.deepStrictEqual(kinds(later({ jitter_ms: 50, rtt_ms: 400 })), [])
    assert.deepStrictEqual(kinds(later({ jitter_ms: 51, rtt_ms: 401 })), ["jitter", "rtt"])
    assert.deepStrictEqual(kinds(later({ received: 1_000 })), ["no_audio"])
    assert.deepStrictEqual(problemsOf(good, undefined), [])
  })

  it("is measured since the last measurement", () => {
    assert.deepStrictEqual(kinds(later({ lost: 500 }), { ...good, lost: 500 }), [])
    // Late packets make the browser's count of losses fall.
    assert.deepStrictEqual(kinds(later({ lost: 0 }), { ...good, lost: 5 }), [])
  })

  it("is warned of every thirty seconds, each problem for itself", () => {
    const jitter = { kind: "jitter", value: 60 } as const
    const rtt = { kind: "rtt", value: 500 } as const
    const first = problemsToTell([jitter], new Map(), 1_000)
    assert.deepStrictEqual(first.warnings, [jitter])
    const second = problemsToTell([jitter, rtt], first.told, 30_999)
    assert.deepStrictEqual(second.warnings, [rtt])
    assert.deepStrictEqual(problemsToTell([jitter, rtt], second.told, 31_000).warnings, [jitter])
  })
})
