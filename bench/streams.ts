// Memory of the program for each open live stream.
import { Clock, Effect, type Redacted, Redacted as Secret } from "effect"
import { readFile } from "node:fs/promises"
import { type ClientRequest, request } from "node:http"
import { join } from "node:path"
import { Keyring } from "../src/domain/ports/engine/Keyring.ts"
import { JoseKeyring } from "../src/layers/keyring/JoseKeyring.ts"
import { folder, program } from "./Program.ts"
import type { BenchRow } from "./Row.ts"
import { toApiKeyId, type WorkspaceId } from "../src/domain/BrandedIds.ts"

const port = 18_081
/** The maximum for one key. */
const streams_of_a_key = 20
const at_once = 100

/** Resident memory of the process in KiB. */
const resident = (pid: number) =>
  Effect.promise(async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))![1]))

/** Additional keys, made as the engine makes them. */
const keysOf = (data_dir: string, workspace_id: WorkspaceId, count: number) =>
  Effect.gen(function* () {
    const current = JSON.parse(yield* Effect.promise(() => readFile(join(data_dir, "keys/signing-key.json"), "utf8")))
    const mint = Effect.gen(function* () {
      const { mint } = yield* Keyring
      const expires_at = (yield* Clock.currentTimeMillis) + 3_600_000
      const keys: Array<string> = []
      for (let n = 0; n < count; n++) {
        keys.push(
          Secret.value(
            yield* mint({
              key_id: toApiKeyId(crypto.randomUUID()),
              workspace_id,
              scopes: ["calls.read"],
              env: "live",
              unlimited: true,
              expires_at
            })
          )
        )
      }
      return keys
    })
    return yield* Effect.provide(mint, JoseKeyring({ issuer: "trunkline", audience: "trunkline:api", current }))
  })

/** Opens a stream and waits for its first data. */
export const openStream = (to: { readonly port: number; readonly key: string; readonly session: string }) =>
  Effect.callback<ClientRequest>((resume) => {
    const stream = request({
      host: "127.0.0.1",
      port: to.port,
      path: `/v1/calls/${to.session}/stream`,
      agent: false,
      headers: { authorization: `Bearer ${to.key}` }
    })
    stream.on("response", (response) => {
      if (response.statusCode !== 200)
        return resume(Effect.die(new Error(`A stream was refused: ${response.statusCode}`)))
      response.once("data", () => resume(Effect.succeed(stream)))
    })
    stream.on("error", (error) => resume(Effect.die(error)))
    stream.end()
  })

export const streamsBench = (options: {
  readonly url: Redacted.Redacted
  readonly streams: number
  /** How long to wait before memory is read. */
  readonly settle_ms: number
}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const data_dir = yield* folder
      const { demo, pid } = yield* program(options.url, data_dir, port)
      const warm = options.streams / 10
      const keys = yield* keysOf(data_dir, demo.workspace_id, Math.ceil((warm + options.streams) / streams_of_a_key))
      const hold = (from: number, to: number) =>
        Effect.acquireRelease(
          Effect.forEach(
            Array.from({ length: to - from }, (_, n) => from + n),
            (n) => openStream({ port, key: keys[Math.floor(n / streams_of_a_key)]!, session: `HD_bench_${n}` }),
            {
              concurrency: at_once
            }
          ),
          (streams) => Effect.sync(() => streams.forEach((stream) => stream.destroy()))
        )
      yield* hold(0, warm)
      yield* Effect.sleep(options.settle_ms)
      const before = yield* resident(pid)
      const begun = performance.now()
      yield* hold(warm, warm + options.streams)
      const open_ms = performance.now() - begun
      yield* Effect.sleep(options.settle_ms)
      const rows: ReadonlyArray<BenchRow> = [
        {
          name: `live streams opened, up to ${options.streams}`,
          value: options.streams / (open_ms / 1_000),
          unit: "/s"
        },
        {
          name: "… memory of the process for each",
          value: ((yield* resident(pid)) - before) / options.streams,
          unit: "KiB",
          goal: { most: 22 }
        }
      ]
      return rows
    })
  )
