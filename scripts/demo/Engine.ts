// The engine of the demo: the one that runs on this data folder, or one that the demo starts.
import { Data, Effect, Schedule, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Demo } from "../../src/layers/postgres/seed/SeedFile.ts"

export class EngineUnusable extends Data.TaggedError("EngineUnusable")<{ readonly message: string }> {}

export interface Engine {
  readonly demo: Demo
  readonly started_here: boolean
}

const start_patience = { schedule: Schedule.spaced("100 millis"), times: 600 }
/** The engine gives requests in flight 10 s. */
const stop_patience = "20 seconds"

const attempt = <A>(message: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: () => new EngineUnusable({ message }) })

/** The demo file that the data folder's engine wrote when it started. Fails unless the engine is ready. */
const findReady = (data_dir: string): Effect.Effect<Demo, EngineUnusable> =>
  attempt(`No engine is ready on ${data_dir}.`, async () => {
    const demo = JSON.parse(await readFile(join(data_dir, "demo.json"), "utf8")) as Demo
    const headers = { authorization: `Bearer ${demo.api_key}` }
    for (const path of ["/readyz", "/v1/wallet/balance"]) {
      const response = await fetch(demo.base_url + path, { headers, signal: AbortSignal.timeout(5_000) })
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    }
    return demo
  })

const freePort = attempt(
  "There is no free port.",
  () =>
    new Promise<number>((resolve, reject) => {
      const probe = createServer().once("error", reject)
      probe.listen(0, "127.0.0.1", () => {
        const { port } = probe.address() as AddressInfo
        probe.close(() => resolve(port))
      })
    })
)

const exited = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    const done = () => resume(Effect.void)
    child.once("exit", done)
    return Effect.sync(() => child.off("exit", done))
  })

const stop = (child: ChildProcess) =>
  Effect.suspend(() => {
    child.kill("SIGTERM")
    return exited(child)
  }).pipe(Effect.timeoutOrElse({ duration: stop_patience, orElse: () => Effect.sync(() => child.kill("SIGKILL")) }))

/** Starts the engine in a separate process group, so that Ctrl-C reaches it only through this process, once. */
const start = Effect.fnUntraced(function* (data_dir: string) {
  const port = process.env["PORT"] ?? String(yield* freePort)
  let output = ""
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const main = join(import.meta.dirname, "../../src/main.ts")
      const env = { ...process.env, PORT: port, DATA_DIR: data_dir }
      const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"], detached: true })
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          output = (output + chunk.toString()).slice(-4_000)
        })
      }
      return child
    }),
    stop
  )
  const died = Effect.flatMap(exited(child), () =>
    Effect.fail(new EngineUnusable({ message: `The engine did not start. Its output:\n\n${output}` }))
  )
  return yield* Effect.raceFirst(Effect.retry(findReady(data_dir), start_patience), died)
})

/** The demo calls phones of the simulated network. On a real one it would ring strangers. */
export const needsSimulator = ({ base_url, pbx_gateway }: Demo): Effect.Effect<void, EngineUnusable> =>
  pbx_gateway === "simulator"
    ? Effect.void
    : Effect.fail(
        new EngineUnusable({
          message:
            `The demo calls simulated phones, but the engine at ${base_url} has PBX_GATEWAY=${pbx_gateway}. ` +
            "Run it with PBX_GATEWAY=simulator and another DATA_DIR. docs/asterisk.md shows how to call with Asterisk."
        })
      )

export const findOrStart = (data_dir: string): Effect.Effect<Engine, EngineUnusable, Scope.Scope> =>
  findReady(data_dir).pipe(
    Effect.map((demo): Engine => ({ demo, started_here: false })),
    Effect.catch(() => Effect.map(start(data_dir), (demo): Engine => ({ demo, started_here: true })))
  )
