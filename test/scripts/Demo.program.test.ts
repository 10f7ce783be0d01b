import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { invariants } from "../../src/layers/postgres/checks/Invariants.ts"
import { receiver } from "../support/Receiver.ts"

/** Open to the user that PostgreSQL runs as when a root engine starts it: all it leaves is in here. */
const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(tmpdir(), "trunkline-demo-"))
    await chmod(path, 0o755)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

interface Run {
  readonly code: number | null
  readonly output: string
}

const node = (script: string, data_dir: string, ...words: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<Run>((resolve) => {
        // None of the caller's configuration: vitest for one sets BASE_URL.
        const env = { PATH: process.env["PATH"], DATA_DIR: data_dir }
        const child = spawn(process.execPath, [script, ...words], { env, stdio: ["ignore", "pipe", "pipe"] })
        let output = ""
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
        child.once("exit", (code) => resolve({ code, output }))
      })
  )

describe("npm run demo", () => {
  it.live(
    "starts an engine, shows a complete call, and leaves a valid ledger and no process behind",
    () =>
      Effect.gen(function* () {
        const data_dir = yield* folder
        const { code, output } = yield* node("scripts/demo.ts", data_dir)
        assert.strictEqual(code, 0, output)
        const story = [
          "started for this demo",
          "KES 10,000.00",
          "  ringing  ",
          "  answered  ",
          "the engine asks what to do",
          "we answer: say",
          "  bridged  ",
          "  completed  ",
          "Balance now       KES 9,994.00, of which KES 0.00 is held"
        ]
        const places = story.map((part) => output.indexOf(part))
        assert.isTrue(
          places.every((place, index) => place > (places[index - 1] ?? -1)),
          output
        )
        for (const kind of ["call.ringing", "call.answered", "call.completed"]) {
          assert.include(output, `${kind}, signature verified`)
          assert.include(output, `${kind} of the second leg, signature verified`)
        }
        assert.notInclude(output, "NOT")
        assert.isFalse(existsSync(join(data_dir, "postgres/data/postmaster.pid")))
        const books = yield* node("src/cli/Main.ts", data_dir, "db", "check")
        assert.strictEqual(books.code, 0, books.output)
        assert.strictEqual(books.output.split("\n").filter((line) => line.startsWith("ok ")).length, invariants.length)
        assert.isFalse(existsSync(join(data_dir, "postgres/data/postmaster.pid")))
      }).pipe(Effect.scoped),
    90_000
  )

  it.live(
    "fails if the running engine does not answer as expected",
    () =>
      Effect.gen(function* () {
        const data_dir = yield* folder
        const engine = yield* receiver(({ method }, response) => {
          response.writeHead(method === "GET" ? 200 : 503).end(JSON.stringify({ balance_minor: 1, currency: "KES" }))
        })
        const base_url = `http://127.0.0.1:${engine.port}`
        const demo = (pbx_gateway: string) =>
          JSON.stringify({ base_url, pbx_gateway, api_key: "key", number: { id: "", number: "+254207900001" } })
        yield* Effect.promise(() => writeFile(join(data_dir, "demo.json"), demo("simulator")))
        const { code, output } = yield* node("scripts/demo.ts", data_dir)
        assert.strictEqual(code, 1)
        assert.include(output, "already running")
        assert.include(output, "POST /v1/webhooks: 503")
      }).pipe(Effect.scoped),
    30_000
  )

  it.live(
    "calls nobody through an engine whose phones are real, and says what it needs",
    () =>
      Effect.gen(function* () {
        const data_dir = yield* folder
        const asked: Array<string> = []
        const engine = yield* receiver(({ method }, response) => {
          if (method !== "GET") asked.push(method)
          response.writeHead(200).end(JSON.stringify({ balance_minor: 1, currency: "KES" }))
        })
        const base_url = `http://127.0.0.1:${engine.port}`
        const number = { id: "", number: "+254207900001" }
        const demo = JSON.stringify({ base_url, pbx_gateway: "asterisk", api_key: "key", number })
        yield* Effect.promise(() => writeFile(join(data_dir, "demo.json"), demo))
        const { code, output } = yield* node("scripts/demo.ts", data_dir)
        assert.strictEqual(code, 1)
        assert.include(output, "PBX_GATEWAY=asterisk. Run it with PBX_GATEWAY=simulator")
        assert.deepStrictEqual(asked, [])
      }).pipe(Effect.scoped),
    30_000
  )
})

describe("npm run check:db", () => {
  it.live(
    "does not create a database",
    () =>
      Effect.gen(function* () {
        const data_dir = yield* folder
        const { code, output } = yield* node("src/cli/Main.ts", data_dir, "db", "check")
        assert.strictEqual(code, 3)
        assert.include(output, `There is no database in ${data_dir} yet`)
        assert.isFalse(existsSync(join(data_dir, "postgres")))
      }).pipe(Effect.scoped),
    30_000
  )
})
