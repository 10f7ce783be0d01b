import { assert, describe, it } from "@effect/vitest"
import { muLawOf, muLawSilence, sampleOf } from "../../../src/domain/sounds/MuLaw.ts"

describe("µ-law", () => {
  it.each([
    [0, 0xff],
    [-1, 0x7f],
    [32_767, 0x80],
    [-32_768, 0x00]
  ])("encodes %d as %d (ITU-T G.711)", (sample, code) => {
    assert.strictEqual(muLawOf(sample), code)
  })

  it("decodes silence to nothing, and each code to a sample that has this code", () => {
    assert.strictEqual(sampleOf(muLawSilence), 0)
    for (let code = 0; code < 256; code++) {
      // There are two zeroes.
      if (code !== 0x7f) assert.strictEqual(muLawOf(sampleOf(code)), code)
    }
  })
})
