// scripts/asterisk/up and down, as an operator runs them.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { folder, freePorts } from "./support/Peers.ts"

const run = (script: "up" | "down", home: string, env: NodeJS.ProcessEnv = {}) =>
  Effect.promise(
    () =>
      new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
        const path = join(import.meta.dirname, "../../scripts/asterisk", script)
        const child = spawn(path, [home], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] })
        let output = ""
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
        child.once("exit", (code) => resolve({ code, output }))
      })
  )

const makeHome = Effect.gen(function* () {
  const home = yield* folder
  const ports = { SIP_PORT: String(yield* freePorts()), HTTP_PORT: String(yield* freePorts()) }
  const env = { ...ports, TLS_PORT: String(yield* freePorts()), AMI_PORT: String(yield* freePorts()) }
  yield* Effect.addFinalizer(() => run("down", home))
  return { home, env, pid: Effect.promise(async () => Number(await readFile(join(home, "pid"), "utf8"))) }
})

const responds = (output: string) =>
  Effect.promise(async () => {
    const settings = new Map(output.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
    const name = `${settings.get("ARI_USERNAME")}:${settings.get("ARI_PASSWORD")}`
    const authorization = `Basic ${Buffer.from(name).toString("base64")}`
    const { status } = await fetch(`${settings.get("ARI_URL")}/asterisk/info`, { headers: { authorization } })
    return status
  })

describe("scripts/asterisk/up", () => {
  it.live.each(["SIGKILL", "SIGTERM"] as const)("starts Asterisk right after it received %s", (signal) =>
    Effect.gen(function* () {
      const { env, home, pid } = yield* makeHome
      assert.strictEqual((yield* run("up", home, env)).code, 0)
      const first = yield* pid
      process.kill(first, signal)
      const again = yield* run("up", home, env)
      assert.strictEqual(again.code, 0, again.output)
      assert.notStrictEqual(yield* pid, first)
      assert.strictEqual(yield* responds(again.output), 200)
      assert.include(again.output, `SIP_PORT=${env.SIP_PORT}`)
    }).pipe(Effect.scoped)
  )

  it.live("says why where Asterisk does not start", () =>
    Effect.gen(function* () {
      const { env, home } = yield* makeHome
      const other = yield* makeHome
      assert.strictEqual((yield* run("up", home, env)).code, 0)
      const { code, output } = yield* run("up", other.home, env)
      assert.strictEqual(code, 1, output)
      assert.include(output, `port ${env.HTTP_PORT}`)
      assert.notInclude(output, "ARI_URL=")
    }).pipe(Effect.scoped)
  )
})
