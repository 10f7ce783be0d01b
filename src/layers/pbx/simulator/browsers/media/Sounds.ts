// Audio of the simulated PBX as a telephone carries it: µ-law at 8 kHz.
import { muLawOf } from "../../../../../domain/sounds/MuLaw.ts"
import type { Tone } from "../PhoneMedia.ts"

export const rate = 8_000
const amplitude = 8_000

export const tonesOf = (tones: ReadonlyArray<Tone>): Uint8Array =>
  Uint8Array.from(
    tones.flatMap(({ hz, ms }) =>
      Array.from({ length: Math.round((ms * rate) / 1000) }, (_, index) =>
        muLawOf(
          hz.length === 0
            ? 0
            : Math.round(
                (amplitude / hz.length) *
                  hz.reduce((sum, each) => sum + Math.sin((2 * Math.PI * each * index) / rate), 0)
              )
        )
      )
    )
  )

const dataMark = "data"

/**
 * A WAV file of one channel with 16-bit samples, taken down to 8 kHz by averaging. Undefined if it is no such file. A
 * program that writes to a pipe cannot say how long the data are: they go to the end of the file.
 */
export const audioOfWav = (wav: Buffer): Uint8Array | undefined => {
  if (wav.length < 44 || wav.toString("latin1", 0, 4) !== "RIFF" || wav.readUInt16LE(22) !== 1) return undefined
  const from = wav.readUInt32LE(24)
  const data_at = wav.indexOf(dataMark, 36, "latin1") + 8
  if (data_at < 8 || from < rate || wav.readUInt16LE(34) !== 16) return undefined
  const samples = Math.floor((wav.length - data_at) / 2)
  return Uint8Array.from({ length: Math.floor((samples * rate) / from) }, (_, index) => {
    const begin = Math.floor((index * from) / rate)
    const end = Math.min(samples, Math.max(begin + 1, Math.floor(((index + 1) * from) / rate)))
    let sum = 0
    for (let at = begin; at < end; at++) sum += wav.readInt16LE(data_at + at * 2)
    return muLawOf(Math.round(sum / (end - begin)))
  })
}

/** What is heard in the place of a text where no program speaks: two tones a word, as long as the word. */
export const babble = (text: string): Uint8Array =>
  tonesOf(
    text
      .split(/\s+/)
      .filter((word) => word !== "")
      .flatMap((word, index) => [
        { hz: [index % 2 === 0 ? 440 : 520], ms: Math.min(600, 60 * word.length) },
        { hz: [], ms: 80 }
      ])
  )

/** A quiet tune for a party on hold. */
export const holdMusic: Uint8Array = tonesOf(
  [262, 330, 392, 330, 294, 349, 440, 349].flatMap((hz) => [
    { hz: [hz, hz * 2], ms: 380 },
    { hz: [], ms: 120 }
  ])
)
