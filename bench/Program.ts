// The program as `npm start` runs it, for benchmarks over HTTP.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Database from "../src/layers/postgres/database/Database.ts"
import type { WorkspaceId } from "../src/domain/BrandedIds.ts"

export interface Program {
  readonly port: number
  readonly start_ms: number
  readonly pid: number
  readonly demo: {
    readonly api_key: string
    readonly workspace_id: WorkspaceId
    readonly tenant_pbx_id: string
    readonly number: { readonly number: string }
    /** Values of the cookie `session`. */
    readonly owner_session: string
    readonly operator_session: string
  }
}

interface ProgramOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of the checkout. Default: this one. */
  readonly root?: string
  readonly node?: ReadonlyArray<string>
}

const here = join(import.meta.dirname, "..")

const ended = (child: ChildProcess) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })

const served = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 12_000; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error("The engine was not ready within 60 s")
}

/** The program as `npm start` runs it, on the database and the folder of the benchmark. */
export const program = (
  url: Redacted.Redacted,
  data_dir: string,
  port: number,
  { node = [], root = here, settings = {} }: ProgramOptions = {}
): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.gen(function* () {
    const start = performance.now()
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, ["--max-semi-space-size=64", ...node, join(root, "src/main.ts")], {
          cwd: root,
          stdio: ["ignore", "ignore", "inherit"],
          env: {
            ...process.env,
            DATABASE_URL: Redacted.value(url),
            DATA_DIR: data_dir,
            PORT: String(port),
            RATE_LIMITS: "off",
            // Nothing is refused, so that a slow machine measures as much as a fast one.
            MAX_REQUESTS: "1000000",
            MAX_EVENT_LOOP_DELAY_MS: "1000000",
            ...settings
          }
        })
      ),
      ended
    )
    process.once("exit", () => child.kill("SIGKILL"))
    yield* Effect.promise(() => served(port))
    const start_ms = performance.now() - start
    const demo = yield* Effect.promise(async () => JSON.parse(await readFile(join(data_dir, "demo.json"), "utf8")))
    return { port, start_ms, pid: child.pid!, demo }
  })

/** Gives money and limits for all calls of the benchmark while no engine runs: the seeded ones are used up quickly. */
export const enrich = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql`UPDATE wallets SET balance_minor = 1000000000000,
      state = (state::jsonb || '{"balance_minor": 1000000000000}')::json`
    yield* liftLimits
  }).pipe(Effect.provide(Layer.fresh(Database.layer({ url }))))

/** Gives limits for all calls of a benchmark alone, while no engine runs: its money is in the books. */
export const liftLimits = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`UPDATE workspaces SET calling_policy = '{"max_concurrent_calls": 1000000, "calls_per_second": 1000000, "max_calls_per_destination_per_hour": null}'`
})

/** A temporary folder, removed after the benchmark. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-bench-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)
