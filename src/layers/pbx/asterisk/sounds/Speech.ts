// Texts and customers' files as audio that Asterisk can play.
import { Effect, Result, type Scope } from "effect"
import { createHash } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { Agent } from "undici"
import { audioOf, soundFileMax_bytes } from "../../../../domain/sounds/AudioFile.ts"
import type { SoundLimits } from "../../../../domain/sounds/SoundQuota.ts"
import { type TargetPolicy, targetUrl } from "../../../../domain/targets/TargetUrl.ts"
import { guardedConnector } from "../../../http-client/GuardedConnector.ts"
import { voiceOf } from "../../SpeakerVoice.ts"
import { speak, toTelephony } from "./AudioTools.ts"
import { FairTurns } from "./FairTurns.ts"
import { NoSound } from "./NoSound.ts"
import { makeShared } from "./Shared.ts"
import { makeSoundStore, type Sound, soundName } from "./SoundStore.ts"

export interface Speech {
  /** Speaks a text for a workspace. */
  readonly say: (
    tenant_pbx_id: string,
    text: string,
    voice: string | undefined,
    language: string | undefined
  ) => Effect.Effect<Sound, NoSound>
  /** The same for a WAV or MP3 file of at most 20 MiB and ten minutes. */
  readonly fetch: (tenant_pbx_id: string, url: string) => Effect.Effect<Sound, NoSound>
}

export interface SpeechOptions {
  /** Where the files are stored. */
  readonly folder: string
  readonly limits: SoundLimits
  /** Which addresses files may be fetched from. */
  readonly policy: TargetPolicy
  /** Epoch milliseconds. */
  readonly now: () => number
}

const fetchTimeout_ms = 15_000
/** How long a sound may wait until it is downloaded, and again until it is converted. */
const wait_ms = 30_000
const waiting = { all: 1_000, workspace: 100 }
const downloads = { running: { all: 16, workspace: 4 }, waiting, wait_ms }
/** As many programs as there are cores, but at least two, so that one workspace cannot occupy all. */
const programs = Math.max(2, availableParallelism())
const conversions = { running: { all: programs, workspace: Math.floor(programs / 2) }, waiting, wait_ms }

const tooLarge = new NoSound({ error: "sound_too_large", reason: "the file has more than 20 MiB" })

const writing = (file: string, bytes: Uint8Array) =>
  Effect.tryPromise({
    try: () => writeFile(file, bytes),
    catch: (cause) => new NoSound({ error: "sound_failed", reason: "the audio could not be stored", cause })
  })

/** The name of the workspace's folder. */
const folderOf = (tenant_pbx_id: string): string =>
  createHash("sha256").update(tenant_pbx_id).digest("hex").slice(0, 32)

const download = async (agent: Agent, url: URL, signal: AbortSignal): Promise<Buffer> => {
  const { body, headers, statusCode } = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "GET",
    signal: AbortSignal.any([signal, AbortSignal.timeout(fetchTimeout_ms)])
  })
  body.on("error", () => {})
  try {
    if (statusCode !== 200) throw new Error(`The server responded with ${statusCode}.`)
    if (Number(headers["content-length"] ?? 0) > soundFileMax_bytes) throw tooLarge
    const chunks: Array<Buffer> = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > soundFileMax_bytes) throw tooLarge
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    body.destroy()
  }
}

const makeAgent = (policy: TargetPolicy) =>
  Effect.acquireRelease(
    Effect.sync(() => new Agent({ connect: guardedConnector({ policy, connect_timeout_ms: 5_000 }), connections: 8 })),
    (agent) => Effect.promise(() => agent.destroy())
  )

export const makeSpeech = (options: SpeechOptions): Effect.Effect<Speech, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { policy } = options
    const agent = yield* makeAgent(policy)
    const store = yield* makeSoundStore(options)
    const shared = yield* makeShared<Buffer, NoSound>()
    const downloading = new FairTurns(downloads)
    const converting = new FairTurns(conversions)

    /** `write` writes the file that is converted. */
    const converted = (
      owner: string,
      name: string,
      type: "wav" | "mp3",
      write: (raw: string) => Effect.Effect<void, NoSound>
    ) =>
      store.get(owner, name, (file) => {
        const raw = `${file}.raw`
        const making = Effect.andThen(write(raw), toTelephony(type, raw, file))
        return converting.run(
          owner,
          Effect.ensuring(making, Effect.ignore(Effect.tryPromise(() => rm(raw, { force: true }))))
        )
      })

    return {
      say: (tenant_pbx_id, text, voice, language) => {
        const speaker = voiceOf(voice, language)
        const name = soundName("say", speaker, text)
        return converted(folderOf(tenant_pbx_id), name, "wav", (raw) => speak(speaker, text, raw))
      },
      fetch: (tenant_pbx_id, given) =>
        Effect.gen(function* () {
          const owner = folderOf(tenant_pbx_id)
          const url = targetUrl(given, policy)
          if (Result.isFailure(url))
            return yield* new NoSound({ error: "sound_unreachable", reason: url.failure.message })
          const fetched = Effect.tryPromise({
            try: (signal) => download(agent, url.success, signal),
            catch: (cause) =>
              cause instanceof NoSound
                ? cause
                : new NoSound({ error: "sound_unreachable", reason: "the file could not be fetched", cause })
          })
          const bytes = yield* shared(`${owner} ${url.success.href}`, downloading.run(owner, fetched))
          const audio = audioOf(bytes)
          if (Result.isFailure(audio)) return yield* new NoSound(audio.failure)
          const name = soundName("file", createHash("sha256").update(bytes).digest("hex"))
          return yield* converted(owner, name, audio.success.type, (raw) => writing(raw, bytes))
        })
    }
  })
