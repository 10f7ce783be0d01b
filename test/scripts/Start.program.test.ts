// `npm start`: npm runs the engine through a shell, and whoever stops it knows only the process of npm.
import { describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../support/Ports.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

const root = join(import.meta.dirname, "../..")

const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(tmpdir(), "trunkline-start-"))
    await chmod(path, 0o755)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** `npm start` in a process group of its own, which is killed as a whole when the scope closes. */
const npmStart = (env: NodeJS.ProcessEnv) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("npm", ["start"], { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
      const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
        child.once("exit", (code, signal) => resolve(code ?? signal))
      )
      const run = { output: "", ended, child }
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => (run.output += chunk.toString()))
      return run
    }),
    ({ child }) =>
      Effect.sync(() => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
        } catch {
          // The whole group has ended.
        }
      })
  )

const answers = (url: string) =>
  Effect.promise(() =>
    fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false
    )
  )

describe("npm start", () => {
  it.live.each(["SIGTERM", "SIGINT"] as const)(
    "stops the engine when npm receives %s",
    (signal) =>
      Effect.gen(function* () {
        const port = yield* freePort
        const { url } = yield* TestDatabase.TestDatabase
        const run = yield* npmStart({
          PATH: process.env["PATH"],
          HOME: process.env["HOME"],
          DATABASE_URL: Redacted.value(url),
          DATA_DIR: yield* folder,
          LOG_LEVEL: "warn",
          PORT: String(port)
        })
        const health = `http://127.0.0.1:${port}/healthz`
        yield* until("answer of the engine", answers(health), (ok) => ok)
        run.child.kill(signal)
        yield* Effect.promise(() => run.ended)
        const left = Effect.map(answers(health), (ok) => ok && run.output)
        yield* until("end of the engine after that of npm", left, (output) => output === false, { every_ms: 100 })
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    90_000
  )
})
