// Programs that make and convert audio: espeak-ng and SoX. The kernel limits the time and the size of what they write.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { soundMax_seconds } from "../../../../domain/sounds/AudioFile.ts"
import { NoSound } from "./NoSound.ts"

const timeout_seconds = 20
/**
 * Ten minutes of what Asterisk plays are 9.6 MB, and the longest text is spoken into 9 MB. But espeak-ng also makes a
 * shared-memory file of 64 MiB for a sound card, even where it does not use one, and the limit applies to that too.
 */
export const outputMax_bytes = 72 * 1024 * 1024

/**
 * The limits are those of POSIX `sh`: blocks of 512 bytes, and seconds. The program and its arguments are parameters of
 * the shell, never part of its command.
 */
const limited = `ulimit -f ${outputMax_bytes / 512} && ulimit -t ${timeout_seconds} && exec "$@"`

/** Runs a program. Fails if it cannot be started, returns an error status, or exceeds a limit. */
export const runProgram = (name: string, args: ReadonlyArray<string>, input?: string): Effect.Effect<void, NoSound> =>
  Effect.callback<void, NoSound>((resume) => {
    const child = spawn("sh", ["-c", limited, "sh", name, ...args], {
      stdio: [input === undefined ? "ignore" : "pipe", "ignore", "pipe"],
      timeout: timeout_seconds * 1000,
      killSignal: "SIGKILL"
    })
    const fail = (reason: string, cause?: unknown) =>
      resume(Effect.fail(new NoSound({ error: "sound_failed", reason, cause })))
    let errors = ""
    child.stderr?.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-300)))
    child.once("error", (cause) => fail(`${name} could not be run`, cause))
    child.once("close", (code, signal) =>
      code === 0 ? resume(Effect.void) : fail(`${name} failed: ${signal ?? code} ${errors}`)
    )
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Speaks the text into a WAV file. `voice` is from `voiceOf`. */
export const speak = (voice: string, text: string, file: string): Effect.Effect<void, NoSound> =>
  runProgram("espeak-ng", ["-v", voice, "-w", file, "--stdin"], text)

/** Converts a WAV or MP3 file to what Asterisk plays: 8 kHz, 16 bit, mono, and no more than the longest sound. */
export const toTelephony = (type: "wav" | "mp3", from: string, to: string): Effect.Effect<void, NoSound> =>
  runProgram("sox", [
    "-V1",
    "-t",
    type,
    from,
    "-r",
    "8000",
    "-c",
    "1",
    "-b",
    "16",
    "-t",
    "wav",
    to,
    "trim",
    "0",
    `${soundMax_seconds}`
  ])
