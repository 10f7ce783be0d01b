// Text and files as sound that Asterisk can play: 8 kHz, 16 bit, one channel. Kept by their content.
import { Data, Effect, Result, type Scope } from "effect"
import { createHash } from "node:crypto"
import { spawn } from "node:child_process"
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Agent } from "undici"
import { type TargetPolicy, targetUrl } from "../../../domain/targets/TargetUrl.ts"
import { guardedConnector } from "../../http-client/GuardedConnector.ts"

export class NoSound extends Data.TaggedError("NoSound")<{ readonly reason: string; readonly cause?: unknown }> {}

export interface Speech {
  /** The path of the file, without its ending, as Asterisk's `sound:` wants it. */
  readonly say: (
    text: string,
    voice: string | undefined,
    language: string | undefined
  ) => Effect.Effect<string, NoSound>
  readonly fetch: (url: string) => Effect.Effect<string, NoSound>
}

const file_max = 20 * 1024 * 1024
const tool_timeout_ms = 20_000
const fetch_timeout_ms = 15_000

/** espeak-ng's voices: a language (`en-us`, `sw`), and a variant for who speaks. */
const variants: Readonly<Record<string, string>> = { female: "+f3", woman: "+f3", male: "+m3", man: "+m3" }

export const voiceOf = (voice: string | undefined, language: string | undefined): string => {
  const code = (language ?? "en-US").toLowerCase()
  const known = /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/.test(code) ? code : "en-us"
  const base = known.startsWith("en-") ? known : known.split("-", 1)[0]!
  return base + (variants[voice?.toLowerCase() ?? ""] ?? "")
}

/** A program with its arguments as they are: no shell reads them. */
const tool = (name: string, args: ReadonlyArray<string>, input?: string) =>
  Effect.callback<void, NoSound>((resume) => {
    const child = spawn(name, args, {
      stdio: [input === undefined ? "ignore" : "pipe", "ignore", "pipe"],
      timeout: tool_timeout_ms
    })
    let complaint = ""
    child.stderr?.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-300)))
    child.once("error", (cause) => resume(Effect.fail(new NoSound({ reason: `${name} could not be run`, cause }))))
    child.once("close", (code) =>
      resume(code === 0 ? Effect.void : Effect.fail(new NoSound({ reason: `${name} failed: ${complaint}` })))
    )
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new NoSound({ reason: "the sound could not be stored", cause }) })

const exists = (path: string) =>
  Effect.promise(() =>
    stat(path).then(
      () => true,
      () => false
    )
  )

export const makeSpeech = (options: {
  readonly folder: string
  readonly policy: TargetPolicy
}): Effect.Effect<Speech, never, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Agent({
            connect: guardedConnector({ policy: options.policy, connect_timeout_ms: 5_000 }),
            connections: 8
          })
      ),
      (agent) => Effect.promise(() => agent.destroy())
    )

    /** Makes the file under the name of its content unless it is there; half a file is never seen. */
    const kept = (name: string, make: (raw: string) => Effect.Effect<void, NoSound>) =>
      Effect.gen(function* () {
        const path = join(options.folder, name)
        if (yield* exists(`${path}.wav`)) return path
        yield* attempt(() => mkdir(options.folder, { recursive: true }))
        const raw = `${path}.${process.pid}.${performance.now()}.raw`
        const partial = `${raw}.wav`
        yield* make(raw).pipe(
          Effect.andThen(tool("sox", ["-V1", raw, "-r", "8000", "-c", "1", "-b", "16", "-t", "wav", partial])),
          Effect.andThen(attempt(() => rename(partial, `${path}.wav`))),
          Effect.ensuring(
            Effect.promise(() => Promise.allSettled([rm(raw, { force: true }), rm(partial, { force: true })]))
          )
        )
        return path
      })

    const nameOf = (...parts: ReadonlyArray<string>) => createHash("sha256").update(JSON.stringify(parts)).digest("hex")

    const read = async (url: URL, signal: AbortSignal): Promise<Buffer> => {
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "GET",
        signal: AbortSignal.any([signal, AbortSignal.timeout(fetch_timeout_ms)])
      })
      if (response.statusCode !== 200) throw new Error(`The server answered ${response.statusCode}.`)
      const chunks: Array<Buffer> = []
      let size = 0
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > file_max) throw new Error("The file is larger than 20 MiB.")
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    }

    return {
      say: (text, voice, language) => {
        const speaker = voiceOf(voice, language)
        return kept(nameOf("say", speaker, text), (raw) =>
          tool("espeak-ng", ["-v", speaker, "-w", raw, "--stdin"], text)
        )
      },
      fetch: (given) =>
        Effect.gen(function* () {
          const url = targetUrl(given, options.policy)
          if (Result.isFailure(url)) return yield* new NoSound({ reason: url.failure.message })
          const bytes = yield* Effect.tryPromise({
            try: (signal) => read(url.success, signal),
            catch: (cause) => new NoSound({ reason: "the file could not be fetched", cause })
          })
          const type = bytes.subarray(0, 4).toString("latin1") === "RIFF" ? "wav" : "mp3"
          return yield* kept(nameOf("file", createHash("sha256").update(bytes).digest("hex")), (raw) =>
            attempt(() => writeFile(raw, bytes)).pipe(
              Effect.andThen(tool("sox", ["-V1", "-t", type, raw, "-t", "wav", `${raw}.in`])),
              Effect.andThen(attempt(() => rename(`${raw}.in`, raw)))
            )
          )
        })
    }
  })
