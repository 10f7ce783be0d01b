// The commands that play something to a session, one row for each: what a browser hears, and how long it takes on a
// simulated phone, which hears nothing. `playback.finished` reports the end of all of them.
import type { ActionOf, PbxAction } from "../../../domain/pbx/PbxCommand.ts"
import type { Sound, Tone } from "./browsers/PhoneMedia.ts"

export interface Playback {
  readonly sound: Sound
  /** How often the sound is played. */
  readonly times: number
  /** How long all of it takes on a simulated phone. */
  readonly duration_ms: number
  /** The text, if it is speech. */
  readonly said?: string
}

const say_min_ms = 500
const say_character_ms = 60
/** The length of every audio file. */
const file_ms = 2_000
/** The length of every key on a simulated phone. */
export const tone_ms = 100
const dtmf_ms = 100
const dtmfPause_ms = 70
const rows = [697, 770, 852, 941]
const columns = [1209, 1336, 1477, 1633]
const keypad = ["123A", "456B", "789C", "*0#D"]

/** How long a simulated phone takes to hear or to say a text. */
export const speech_ms = (text: string): number => Math.max(say_min_ms, text.length * say_character_ms)

/** The two tones of a key (ITU-T Q.23). `w` and `W` are pauses of half a second and a second. */
const tonesOfKey = (key: string): ReadonlyArray<Tone> => {
  if (key === "w" || key === "W") return [{ hz: [], ms: key === "w" ? 500 : 1000 }]
  const row = keypad.findIndex((each) => each.includes(key))
  const hz = [rows[row], columns[keypad[row]?.indexOf(key) ?? -1]].filter((each) => each !== undefined)
  return [
    { hz, ms: dtmf_ms },
    { hz: [], ms: dtmfPause_ms }
  ]
}

/** In the place of a customer's file, which the simulator does not fetch. */
const tune: ReadonlyArray<Tone> = [523, 659, 784, 1047].map((hz) => ({ hz: [hz], ms: 500 }))

interface SoundActions {
  readonly say: ActionOf<"say">
  readonly play: ActionOf<"play">
  readonly send_digits: ActionOf<"send_digits">
}
export type SoundAction = SoundActions[keyof SoundActions]

const playbacks: { readonly [Kind in keyof SoundActions]: (action: SoundActions[Kind]) => Playback } = {
  say: ({ language, loop, text, voice }) => ({
    sound: { kind: "speech", text, voice, language },
    times: loop,
    duration_ms: speech_ms(text) * loop,
    said: text
  }),
  play: ({ loop }) => ({
    sound: { kind: "tones", tones: tune },
    times: loop,
    duration_ms: file_ms * loop
  }),
  send_digits: ({ digits }) => ({
    sound: { kind: "tones", tones: [...digits].flatMap(tonesOfKey) },
    times: 1,
    duration_ms: digits.length * tone_ms
  })
}

export const isSound = (action: PbxAction): action is SoundAction => Object.hasOwn(playbacks, action.kind)

export const playbackOf = <Kind extends keyof SoundActions>(
  action: SoundActions[Kind] & { readonly kind: Kind }
): Playback => playbacks[action.kind](action)
