import { assert, describe, it } from "@effect/vitest"
import { wavHeader } from "../../../../../../src/domain/recordings/Wav.ts"
import { muLawOf, muLawSilence } from "../../../../../../src/domain/sounds/MuLaw.ts"
import { audioOfWav, babble, tonesOf } from "../../../../../../src/layers/pbx/simulator/browsers/media/Sounds.ts"

const wav = (samples: ReadonlyArray<number>, rate: number, channels: 1 | 2 = 1) =>
  Buffer.concat([
    wavHeader({ channels, rate, data_bytes: samples.length * 2 }),
    Buffer.from(Int16Array.from(samples).buffer)
  ])

describe("sounds of the simulated PBX", () => {
  it("last as long as they say, and are silent without a frequency", () => {
    const audio = tonesOf([
      { hz: [425], ms: 100 },
      { hz: [], ms: 50 }
    ])
    assert.strictEqual(audio.length, 1_200)
    assert.isTrue(audio.subarray(800).every((code) => code === muLawSilence))
    assert.isTrue(audio.subarray(0, 800).some((code) => code !== muLawSilence))
  })

  it("take a WAV file down to 8 kHz", () => {
    const samples = Array.from({ length: 220 }, () => 1_000)
    assert.deepStrictEqual(audioOfWav(wav(samples, 22_050)), new Uint8Array(79).fill(muLawOf(1_000)))
  })

  it.each([
    ["no WAV", Buffer.alloc(100)],
    ["two channels", wav([0, 0], 8_000, 2)],
    ["a rate below 8 kHz", wav([0, 0], 4_000)],
    ["nothing", Buffer.alloc(0)]
  ])("are not made of %s", (_, file) => {
    assert.isUndefined(audioOfWav(file))
  })

  it("have a tone and a pause for each word where nobody speaks", () => {
    assert.strictEqual(babble("Hello you").length, ((300 + 80 + 180 + 80) * 8_000) / 1_000)
    assert.strictEqual(babble("").length, 0)
  })
})
