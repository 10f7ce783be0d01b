import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { wavHeader } from "../../../src/domain/recordings/Wav.ts"
import { audioOf } from "../../../src/domain/sounds/AudioFile.ts"

/** A WAV file of zeros. `encoding` and `length` are what the header says. */
const wav = (options: {
  readonly rate?: number
  readonly channels?: number
  readonly bits?: number
  readonly encoding?: number
  readonly data_bytes?: number
  readonly length?: number
}): Uint8Array => {
  const { bits = 16, channels = 1, data_bytes = 16_000, encoding = 1, length = data_bytes, rate = 8_000 } = options
  const header = wavHeader({ channels: 1, rate, data_bytes: length })
  const view = new DataView(header.buffer)
  view.setUint16(20, encoding, true)
  view.setUint16(22, channels, true)
  view.setUint16(34, bits, true)
  return Buffer.concat([header, Buffer.alloc(data_bytes)])
}

/** MP3 frames with these headers, each followed by silence up to `bytes`. */
const frames = (count: number, header: ReadonlyArray<number>, bytes: number): Uint8Array =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.from([...header, ...Buffer.alloc(bytes - 4)])))

/** MPEG 1, layer III, 128 kbit/s, 44.1 kHz, joint stereo: 26.1 ms. */
const usual = [0xff, 0xfb, 0x90, 0x44]
/** MPEG 2.5, layer III, 8 kbit/s, 8 kHz, mono: 72 ms in 72 bytes. */
const slow = [0xff, 0xe3, 0x18, 0xc4]
/** Bytes that are no frame. */
const junk = (kibibytes: number): Uint8Array => Buffer.alloc(kibibytes * 1_024, 0x55)
/** A WAV file with empty chunks before its own. */
const behind = (chunks: number, file: Uint8Array): Uint8Array => {
  const empty = Buffer.from([...Buffer.from("junk"), 0, 0, 0, 0])
  return Buffer.concat([file.subarray(0, 12), ...Array.from({ length: chunks }, () => empty), file.subarray(12)])
}
const tag = Buffer.from([...Buffer.from("ID3"), 4, 0, 0, 0, 0, 1, 0, ...Buffer.alloc(128, 0xff)])

describe("an audio file", () => {
  it.each<[string, Uint8Array, number, number, number]>([
    ["PCM with 16 bits", wav({}), 8_000, 1, 1],
    ["PCM with 24 bits in stereo", wav({ bits: 24, channels: 2, rate: 48_000, data_bytes: 288_000 }), 48_000, 2, 1],
    ["µ-law", wav({ encoding: 7, bits: 8, data_bytes: 8_000 }), 8_000, 1, 1],
    ["GSM", wav({ encoding: 0x31, bits: 0, data_bytes: 1_625 }), 8_000, 1, 1],
    ["ADPCM", wav({ encoding: 0x11, bits: 4, data_bytes: 4_000 }), 8_000, 1, 1],
    ["WAV without a length", wav({ length: 0 }), 8_000, 1, 1],
    ["WAV that says that it is longer than it is", wav({ length: 0xffff_ffff }), 8_000, 1, 1],
    ["MP3", frames(10, usual, 417), 44_100, 2, 0.26],
    [
      "MP3 behind a tag with bytes that look like frames",
      Buffer.concat([tag, frames(10, usual, 417)]),
      44_100,
      2,
      0.26
    ],
    ["MP3 with 60 KiB before its first frame", Buffer.concat([junk(60), frames(10, usual, 417)]), 44_100, 2, 0.26],
    ["MP3 with 60 KiB at its end", Buffer.concat([frames(10, usual, 417), junk(60)]), 44_100, 2, 0.26],
    ["WAV behind 900 chunks", behind(900, wav({})), 8_000, 1, 1],
    ["MP3 with a tag at its end", Buffer.concat([frames(10, slow, 72), Buffer.from("TAG title")]), 8_000, 1, 0.72]
  ])("is read: %s", (_, bytes, rate_hz, channels, seconds) => {
    const audio = Result.getOrThrow(audioOf(bytes))
    assert.deepInclude(audio, { rate_hz, channels })
    assert.closeTo(audio.duration_seconds, seconds, 0.01)
  })

  it.each<[string, Uint8Array, string]>([
    ["20 KB at 1 Hz, hours of audio", wav({ rate: 1, data_bytes: 20_000 }), "sound_unsupported"],
    ["a rate of 0", wav({ rate: 0 }), "sound_unsupported"],
    ["a rate of 4 GHz", wav({ rate: 4_000_000_000 }), "sound_unsupported"],
    ["no channels", wav({ channels: 0 }), "sound_unsupported"],
    ["6 channels", wav({ channels: 6 }), "sound_unsupported"],
    ["samples without bits", wav({ bits: 0 }), "sound_unsupported"],
    ["an encoding that nobody knows", wav({ encoding: 0x55 }), "sound_unsupported"],
    ["more than ten minutes of WAV", wav({ encoding: 7, bits: 8, data_bytes: 4_800_008 }), "sound_too_long"],
    ["more than ten minutes of MP3", frames(8_334, slow, 72), "sound_too_long"],
    ["a WAV header alone, cut off", wav({}).subarray(0, 30), "sound_unsupported"],
    ["MP3 with 70 KiB before its first frame", Buffer.concat([junk(70), frames(10, usual, 417)]), "sound_unsupported"],
    [
      "MP3 with 70 KiB between its frames",
      Buffer.concat([frames(10, usual, 417), junk(70), frames(10, usual, 417)]),
      "sound_unsupported"
    ],
    [
      "MP3 with a little between all its frames",
      Buffer.concat(Array.from({ length: 80 }, () => Buffer.concat([frames(2, usual, 417), junk(1)]))),
      "sound_unsupported"
    ],
    ["MP3 with a frame behind ten minutes", Buffer.concat([frames(8_334, slow, 72), junk(70)]), "sound_too_long"],
    ["WAV behind 2,000 chunks", behind(2_000, wav({})), "sound_unsupported"],
    ["text", Buffer.from("<html>not found</html>"), "sound_unsupported"],
    ["nothing", Buffer.alloc(0), "sound_unsupported"],
    ["a picture", Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.alloc(5_000)]), "sound_unsupported"]
  ])("is refused: %s", (_, bytes, error) => {
    const audio = audioOf(bytes)
    assert.strictEqual(Result.isFailure(audio) ? audio.failure.error : "read", error)
  })

  it("is read up to a duration of exactly ten minutes", () => {
    assert.isTrue(Result.isSuccess(audioOf(wav({ encoding: 7, bits: 8, data_bytes: 4_800_000 }))))
  })
})
