// Texts as speech, by espeak-ng if it is installed, else as tones. The last texts are remembered.
import { execFile } from "node:child_process"
import { audioOfWav, babble } from "./Sounds.ts"

export interface Spoken {
  readonly text: string
  /** As espeak-ng names them, for example `en-us+f3`. */
  readonly voice: string
}

const remembered_max = 32
const timeout_ms = 20_000
/** Ten minutes of what espeak-ng writes. */
const wav_max_bytes = 32 * 1024 * 1024
const text_max = 4_000

/** Runs espeak-ng. Undefined if there is none, or if it fails. */
const espeak = ({ text, voice }: Spoken): Promise<Uint8Array | undefined> =>
  new Promise((resolve) => {
    const child = execFile(
      "espeak-ng",
      ["-v", voice, "-s", "150", "--stdin", "--stdout"],
      { encoding: "buffer", timeout: timeout_ms, maxBuffer: wav_max_bytes, killSignal: "SIGKILL" },
      (error, wav) => resolve(error === null ? audioOfWav(wav) : undefined)
    )
    child.stdin?.on("error", () => {})
    child.stdin?.end(text)
  })

export class SpeakText {
  private readonly remembered = new Map<string, Promise<Uint8Array>>()

  speak(spoken: Spoken): Promise<Uint8Array> {
    const text = spoken.text.slice(0, text_max)
    const key = `${spoken.voice} ${text}`
    const known = this.remembered.get(key)
    if (known !== undefined) return known
    const audio = espeak({ ...spoken, text }).then((made) => made ?? babble(text))
    this.remembered.set(key, audio)
    const [oldest] = this.remembered.keys()
    if (this.remembered.size > remembered_max && oldest !== undefined) this.remembered.delete(oldest)
    return audio
  }
}
