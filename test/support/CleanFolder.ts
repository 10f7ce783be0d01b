// A folder as a new user has it: nothing is in it, the home folder is empty, and no setting of the test's process
// reaches what runs there.
import { Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { until } from "./Until.ts"

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly ran: Promise<Ran>
  /** What it has printed up to now. */
  readonly output: () => string
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Where npm keeps what it has fetched. Nothing else of the user's home is used. */
export const npmCache = (): string => execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim()

export interface CleanFolder {
  readonly path: string
  /** Runs a program in it, or in a folder below it. Its processes are killed when the scope closes. */
  readonly begin: (command: string, args: ReadonlyArray<string>, options?: Options) => Running
  readonly run: (command: string, args: ReadonlyArray<string>, options?: Options) => Effect.Effect<Ran>
}

interface Options {
  readonly in?: string
  readonly env?: Readonly<Record<string, string>>
}

/** `npm` and `node` are those of the test, the latter in the version of package.json. */
const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter)

const start = (command: string, args: ReadonlyArray<string>, cwd: string, env: Record<string, string>): Running => {
  // A group of its own, because a shell may stand between this process and the program.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()))
  child.stderr.on("data", (part: Buffer) => (stderr += part.toString()))
  return {
    ran: new Promise((resolve, reject) =>
      child.on("error", reject).on("close", (code) => resolve({ code, stdout, stderr }))
    ),
    output: () => `${stdout}${stderr}`,
    kill: (signal) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal)
      } catch {
        // All of its processes have ended.
      }
    }
  }
}

export const cleanFolder = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    // Open to the user that PostgreSQL runs as when a root engine starts it.
    Effect.sync(() => {
      const made = mkdtempSync(join(tmpdir(), "trunkline-clean-"))
      chmodSync(made, 0o755)
      return made
    }),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const running: Array<Running> = []
  yield* Effect.addFinalizer(() => Effect.sync(() => running.forEach(({ kill }) => kill("SIGKILL"))))
  const home = join(root, "home")
  mkdirSync(home)
  const npm = { npm_config_cache: npmCache(), npm_config_update_notifier: "false", npm_config_prefer_offline: "true" }
  const begin: CleanFolder["begin"] = (command, args, options = {}) => {
    const env = { PATH: path, HOME: home, ...npm, ...options.env }
    const begun = start(command, args, options.in ?? root, env)
    running.push(begun)
    return begun
  }
  const run: CleanFolder["run"] = (...given) => Effect.promise(() => begin(...given).ran)
  return { path: root, begin, run } satisfies CleanFolder
})

/** What an address answers to a program that names no type, as curl does; undefined without an answer. */
export const fetched = (url: string): Effect.Effect<Response | undefined> =>
  Effect.promise(() => fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined))

/** Waits until an engine serves. Its program may have ended instead: then what it said is what was seen last. */
export const serves = (base: string, { output }: Running) =>
  until(
    `engine at ${base}`,
    Effect.map(fetched(`${base}/readyz`), (answer) => (answer?.ok === true ? "ready" : output())),
    (seen) => seen === "ready",
    { within_ms: 120_000, every_ms: 100 }
  ).pipe(Effect.asVoid)

/** The size of what is in a folder, in bytes. */
export const sizeOf = (folder: CleanFolder, path: string) =>
  Effect.map(folder.run("du", ["-sb", path]), ({ stdout }) => Number(stdout.split("\t", 1)[0]))
