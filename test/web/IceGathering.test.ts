import { assert, describe, it } from "@effect/vitest"
import { type Gathered, type GatheringVerdict, judgeGathering } from "../../src/web/IceGathering.ts"

const gathered = (candidates: number, waited_ms: number, more: Partial<Gathered> = {}): Gathered => ({
  candidates,
  relays: 0,
  waited_ms,
  complete: false,
  ...more
})

describe("the gathering of ICE candidates", () => {
  const table: ReadonlyArray<readonly [name: string, what: Gathered, wantsRelay: boolean, verdict: GatheringVerdict]> =
    [
      ["waits for the first candidate", gathered(0, 0), false, { wait_ms: 5_000 }],
      ["but not for ever", gathered(0, 5_000), false, "fail"],
      ["fails at once if there are none", gathered(0, 10, { complete: true }), true, "fail"],
      ["waits for others after the first", gathered(1, 100), false, { wait_ms: 400 }],
      ["sends what there is after half a second", gathered(2, 500), false, "send"],
      ["sends when all are there", gathered(2, 10, { complete: true }), true, "send"],
      ["waits longer for a relay", gathered(2, 500), true, { wait_ms: 1_500 }],
      ["but not for one that does not answer", gathered(2, 2_000), true, "send"],
      ["sends when the relay has answered", gathered(3, 300, { relays: 1 }), true, "send"]
    ]
  it.each(table)("%s", (_, what, wantsRelay, verdict) => {
    assert.deepStrictEqual(judgeGathering(what, wantsRelay), verdict)
  })
})
