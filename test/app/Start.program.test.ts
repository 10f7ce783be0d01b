// What the program prints if it cannot start.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeProgram } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const refusal = (env: Record<string, string>) => {
  const { PATH = "" } = process.env
  const { status, stderr } = spawnSync(process.execPath, ["src/main.ts"], {
    env: { PATH, ...env },
    encoding: "utf8",
    timeout: 60_000
  })
  return { status, stderr: stderr.trim() }
}

describe("a start whose port is taken", () => {
  it("says so before it makes a database", async () => {
    const taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const { port } = taken.address() as AddressInfo
    const folder = await mkdtemp(join(tmpdir(), "trunkline-"))
    const { status, stderr } = refusal({ PORT: String(port), DATA_DIR: join(folder, "data") })
    taken.close()
    assert.strictEqual(
      stderr,
      `trunkline stopped: Port ${port} on 127.0.0.1 is taken. Stop what listens there, or set PORT.`
    )
    assert.deepStrictEqual([status, existsSync(join(folder, "data", "postgres"))], [1, false])
    await rm(folder, { recursive: true })
  }, 60_000)
})

layer(TestDatabase.layer)("a start whose database refuses", (it) => {
  it.effect(
    "names the server, the user and what the server said, and does not try again",
    () =>
      Effect.gen(function* () {
        const url = new URL(Redacted.value((yield* TestDatabase.TestDatabase).url))
        const server = `PostgreSQL at ${url.hostname}:${url.port} refused user`
        url.pathname = "/nobodys"
        const missing = refusal({ PORT: "0", DATABASE_URL: url.href })
        assert.strictEqual(
          missing.stderr,
          `trunkline stopped: ${server} "${url.username}" on database "nobodys": database "nobodys" does not exist. ` +
            "Create the database, or correct its name in DATABASE_URL."
        )
        assert.strictEqual(missing.status, 1)
        url.username = "nobody"
        const unknown = refusal({ PORT: "0", DATABASE_URL: url.href })
        assert.match(unknown.stderr, /refused user "nobody" on database "nobodys": .*"nobody"/)
        assert.notInclude(unknown.stderr, url.password || "no password")
      }),
    120_000
  )
})

layer(TestDatabase.layer, { excludeTestServices: true })("a start in development", (it) => {
  it.effect(
    "prints a command that places a call",
    () =>
      Effect.gen(function* () {
        const program = yield* makeProgram()
        yield* program.start
        const [command = ""] = /curl -s [^]*?}'$/m.exec(program.output()) ?? []
        const { stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8", timeout: 30_000 })
        assert.strictEqual((JSON.parse(stdout) as { status?: string }).status, "ringing", stdout)
        assert.strictEqual(program.output().split(program.demo().api_key).length, 2)
      }).pipe(Effect.scoped),
    60_000
  )
})

describe("a start with wrong settings", () => {
  it("ends with a sentence for each, which names the variable and what is allowed, and no name of the program's own", () => {
    const { PATH } = process.env
    const { status, stderr, stdout } = spawnSync(process.execPath, ["src/main.ts"], {
      env: { PATH, PORT: "80800", LOG_LEVEL: "loud", OPERATOR_EMAILS: "boss@example.com,nobody" },
      encoding: "utf8",
      timeout: 60_000
    })
    assert.deepStrictEqual(stderr.trim().split("\n"), [
      "trunkline stopped: PORT is not valid. Allowed: a port, 0 to 65535.",
      'OPERATOR_EMAILS is not valid: "nobody". Allowed: e-mail addresses, separated by commas.',
      "LOG_LEVEL is not valid. Allowed: trace, debug, info, warn, error, none."
    ])
    assert.deepStrictEqual([status, stdout], [1, ""])
  }, 60_000)
})
