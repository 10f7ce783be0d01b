// Programs that make and convert audio: espeak-ng and SoX.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { NoSound } from "./NoSound.ts"

const timeout_ms = 20_000

/** Runs a program without a shell. Fails if it cannot be started, returns an error status, or takes over 20 seconds. */
const runProgram = (name: string, args: ReadonlyArray<string>, input?: string) =>
  Effect.callback<void, NoSound>((resume) => {
    const child = spawn(name, args, {
      stdio: [input === undefined ? "ignore" : "pipe", "ignore", "pipe"],
      timeout: timeout_ms
    })
    let errors = ""
    child.stderr?.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-300)))
    child.once("error", (cause) => resume(Effect.fail(new NoSound({ reason: `${name} could not be run`, cause }))))
    child.once("close", (code) =>
      resume(code === 0 ? Effect.void : Effect.fail(new NoSound({ reason: `${name} failed: ${errors}` })))
    )
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** espeak-ng's suffixes for kinds of voices. */
const variants: Readonly<Record<string, string>> = { female: "+f3", woman: "+f3", male: "+m3", man: "+m3" }

/** The espeak-ng voice of a language tag (`en-US`, `sw`) and a kind of voice. Unknown languages are read as English. */
export const voiceOf = (voice: string | undefined, language: string | undefined): string => {
  const code = (language ?? "en-US").toLowerCase()
  const known = /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/.test(code) ? code : "en-us"
  const base = known.startsWith("en-") ? known : known.replace(/-.*$/, "")
  return base + (variants[voice?.toLowerCase() ?? ""] ?? "")
}

/** Speaks the text into a WAV file. `voice` is from `voiceOf`. */
export const speak = (voice: string, text: string, file: string): Effect.Effect<void, NoSound> =>
  runProgram("espeak-ng", ["-v", voice, "-w", file, "--stdin"], text)

/** Converts a WAV or MP3 file to WAV. */
export const toWav = (type: "wav" | "mp3", from: string, to: string): Effect.Effect<void, NoSound> =>
  runProgram("sox", ["-V1", "-t", type, from, "-t", "wav", to])

/** Converts a WAV file to what Asterisk plays: 8 kHz, 16 bit, mono. */
export const toTelephony = (from: string, to: string): Effect.Effect<void, NoSound> =>
  runProgram("sox", ["-V1", from, "-r", "8000", "-c", "1", "-b", "16", "-t", "wav", to])
