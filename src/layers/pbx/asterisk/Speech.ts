// Texts and customers' files as audio that Asterisk can play. Files are cached under a hash of their content.
import { Effect, Result, type Scope } from "effect"
import { createHash } from "node:crypto"
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Agent } from "undici"
import { type TargetPolicy, targetUrl } from "../../../domain/targets/TargetUrl.ts"
import { guardedConnector } from "../../http-client/GuardedConnector.ts"
import { speak, toTelephony, toWav, voiceOf } from "./AudioTools.ts"
import { NoSound } from "./NoSound.ts"

export interface Speech {
  /** Returns the path of the file without its extension, as Asterisk's `sound:` wants it. */
  readonly say: (
    text: string,
    voice: string | undefined,
    language: string | undefined
  ) => Effect.Effect<string, NoSound>
  /** The same for a WAV or MP3 file of at most 20 MiB. */
  readonly fetch: (url: string) => Effect.Effect<string, NoSound>
}

export interface SpeechOptions {
  /** Where the files are cached. */
  readonly folder: string
  /** Which addresses files may be fetched from. */
  readonly policy: TargetPolicy
}

const fileMax_bytes = 20 * 1024 * 1024
const fetchTimeout_ms = 15_000

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new NoSound({ reason: "the audio could not be stored", cause }) })

const exists = (path: string) =>
  Effect.promise(() =>
    stat(path).then(
      () => true,
      () => false
    )
  )

const nameOf = (...parts: ReadonlyArray<string>) => createHash("sha256").update(JSON.stringify(parts)).digest("hex")

/** Returns the cached file of this name, or makes it with `make`. The file appears only once it is complete. */
const cached = (folder: string, name: string, make: (raw: string) => Effect.Effect<void, NoSound>) =>
  Effect.gen(function* () {
    const path = join(folder, name)
    if (yield* exists(`${path}.wav`)) return path
    yield* attempt(() => mkdir(folder, { recursive: true }))
    const raw = `${path}.${process.pid}.${performance.now()}.raw`
    const partial = `${raw}.wav`
    yield* make(raw).pipe(
      Effect.andThen(toTelephony(raw, partial)),
      Effect.andThen(attempt(() => rename(partial, `${path}.wav`))),
      Effect.ensuring(
        Effect.promise(() => Promise.allSettled([rm(raw, { force: true }), rm(partial, { force: true })]))
      )
    )
    return path
  })

const download = async (agent: Agent, url: URL, signal: AbortSignal): Promise<Buffer> => {
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "GET",
    signal: AbortSignal.any([signal, AbortSignal.timeout(fetchTimeout_ms)])
  })
  if (response.statusCode !== 200) throw new Error(`The server responded with ${response.statusCode}.`)
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > fileMax_bytes) throw new Error("The file is larger than 20 MiB.")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const makeSpeech = ({ folder, policy }: SpeechOptions): Effect.Effect<Speech, never, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(
        () => new Agent({ connect: guardedConnector({ policy, connect_timeout_ms: 5_000 }), connections: 8 })
      ),
      (agent) => Effect.promise(() => agent.destroy())
    )
    return {
      say: (text, voice, language) => {
        const speaker = voiceOf(voice, language)
        return cached(folder, nameOf("say", speaker, text), (raw) => speak(speaker, text, raw))
      },
      fetch: (given) =>
        Effect.gen(function* () {
          const url = targetUrl(given, policy)
          if (Result.isFailure(url)) return yield* new NoSound({ reason: url.failure.message })
          const bytes = yield* Effect.tryPromise({
            try: (signal) => download(agent, url.success, signal),
            catch: (cause) => new NoSound({ reason: "the file could not be fetched", cause })
          })
          const type = bytes.subarray(0, 4).toString("latin1") === "RIFF" ? "wav" : "mp3"
          return yield* cached(folder, nameOf("file", createHash("sha256").update(bytes).digest("hex")), (raw) =>
            attempt(() => writeFile(raw, bytes)).pipe(
              Effect.andThen(toWav(type, raw, `${raw}.in`)),
              Effect.andThen(attempt(() => rename(`${raw}.in`, raw)))
            )
          )
        })
    }
  })
