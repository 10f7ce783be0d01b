// The command `trunkline` as a process of its own.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DemoFile } from "./Engine.ts"
import { origin } from "./HttpTester.ts"
import { until } from "./Until.ts"

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly ran: Promise<Ran>
  /** Waits until the process has printed the text. */
  readonly printed: (text: string) => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => void
}

const main = join(import.meta.dirname, "../../src/cli/Main.ts")

const start = (
  folder: string,
  environment: Record<string, string>,
  args: ReadonlyArray<string>,
  stdin = ""
): Running => {
  const { NODE_COMPILE_CACHE, PATH } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, HOME: folder, XDG_CONFIG_HOME: folder, ...environment }
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (part: Buffer) => {
    stdout += part
  })
  child.stderr.on("data", (part: Buffer) => {
    stderr += part
  })
  child.stdin.end(stdin)
  return {
    ran: new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr }))),
    printed: (text) =>
      until(
        `"${text}" in the output of trunkline ${args.join(" ")}`,
        Effect.sync(() => `${stdout}${stderr}`),
        (output) => output.includes(text)
      ).pipe(Effect.asVoid, Effect.runPromise),
    kill: (signal) => void child.kill(signal)
  }
}

/** The command in a folder of its own, with the demo key of the engine. */
export const shell = Effect.gen(function* () {
  const { api_key, number, operator_session, owner_session, read_only_api_key } = yield* DemoFile
  const base = yield* origin
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-cli-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const environment = { TRUNKLINE_URL: base, TRUNKLINE_API_KEY: api_key, TRUNKLINE_SESSION: owner_session }
  const begin = (...args: ReadonlyArray<string>) => start(folder, environment, args)
  const run = (...args: ReadonlyArray<string>) => Effect.promise(() => begin(...args).ran)
  const runIn = (changed: Record<string, string>, ...args: ReadonlyArray<string>) =>
    Effect.promise(() => start(folder, changed, args).ran)
  /** With nothing but a text on stdin. */
  const runWith = (stdin: string, ...args: ReadonlyArray<string>) =>
    Effect.promise(() => start(folder, {}, args, stdin).ran)
  return { api_key, base, begin, folder, number, operator_session, read_only_api_key, run, runIn, runWith }
})
