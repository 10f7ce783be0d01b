// The samples in every language do, against an engine, what their first lines say.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { rotateVoiceSecret, runCommand } from "../support/Example.ts"
import { freePort } from "../support/Ports.ts"
import { makeProgram, type Program } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

type Command = readonly [string, ...ReadonlyArray<string>]

interface Language {
  readonly interpreter: Command
  /** The command that runs a sample with arguments, or one that listens at a port. */
  readonly program: (name: string, ...args: ReadonlyArray<string>) => Command
  readonly server: (name: string, port: string) => Command
}

const samples = "examples/samples"
const built = mkdtempSync(join(tmpdir(), "trunkline-samples-"))
afterAll(() => rmSync(built, { recursive: true, force: true }))

const inTypeScript = (name: string, ...args: ReadonlyArray<string>): Command => [
  process.execPath,
  "--conditions=trunkline-source",
  `${samples}/typescript/${name}.ts`,
  ...args
]
const inPython = (name: string, ...args: ReadonlyArray<string>): Command => [
  "python3",
  `${samples}/python/${name.replaceAll("-", "_")}.py`,
  ...args
]
const inGo = (name: string, ...args: ReadonlyArray<string>): Command => {
  const binary = join(built, name)
  const { status, stderr } = spawnSync("go", ["build", "-o", binary, `${samples}/go/${name}/main.go`], {
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stderr)
  return [binary, ...args]
}

const languages: Readonly<Record<string, Language>> = {
  typescript: { interpreter: [process.execPath, "--version"], program: inTypeScript, server: inTypeScript },
  python: { interpreter: ["python3", "--version"], program: inPython, server: inPython },
  php: {
    interpreter: ["php", "--version"],
    program: (name, ...args) => ["php", `${samples}/php/${name}.php`, ...args],
    server: (name, port) => ["php", "-S", `127.0.0.1:${port}`, `${samples}/php/${name}.php`]
  },
  go: { interpreter: ["go", "version"], program: inGo, server: inGo }
}

const isInstalled = ([command, ...args]: Command): boolean => spawnSync(command, args).error === undefined

class Engine extends Context.Service<Engine, Program>()("Engine") {
  static readonly layer = Layer.effect(
    Engine,
    Effect.tap(makeProgram(), (program) => program.start)
  ).pipe(Layer.provideMerge(TestDatabase.layer))
}

const variables = ({ base_url, demo }: Program) => ({ TRUNKLINE_URL: base_url, TRUNKLINE_API_KEY: demo().api_key })

const originate = Effect.fnUntraced(function* (body: object) {
  const program = yield* Engine
  const { json, status, text } = yield* program.ask("/v1/calls/originate", {
    body: { from: program.demo().number.number, ...body }
  })
  assert.strictEqual(status, 201, text)
  return json<CallRecord>().id
})

const busyCall = originate({ to: "+99900000002", actions: [{ hangup: {} }] })

const postUnsigned = (url: string) =>
  Effect.promise(async () => {
    const headers = { "x-service-signature": `t=${Math.floor(Date.now() / 1_000)},v1=00` }
    return (await fetch(url, { method: "POST", body: `{"reason":"forged","event_kind":"forged"}`, headers })).status
  })

layer(Engine.layer, { timeout: 60_000, excludeTestServices: true })("the samples", (it) => {
  for (const [language, { interpreter, program: run, server: serve }] of Object.entries(languages)) {
    const isThere = isInstalled(interpreter)
    const sample = (title: string, test: Effect.Effect<void, unknown, Engine>) =>
      it.effect.skipIf(!isThere)(
        `in ${language} ${title}${isThere ? "" : ` (skipped: no ${interpreter[0]})`}`,
        () => test,
        180_000
      )

    sample(
      "place a call, and say why the engine refuses one",
      Effect.gen(function* () {
        const program = yield* Engine
        const from = program.demo().number.number
        const placed = yield* runCommand(run("place-a-call", from, "+99900000001"), variables(program))
        assert.strictEqual(yield* placed.exited, 0, placed.output())
        const [, id] = /^(\S+) ringing\n$/.exec(placed.output()) ?? []
        const { json } = yield* program.ask(`/v1/calls/${id}`)
        assert.strictEqual(json<CallRecord>().to, "+99900000001")
        const refused = yield* runCommand(run("place-a-call", from, "+99900000007"), variables(program))
        assert.strictEqual(yield* refused.exited, 1, refused.output())
        assert.match(refused.output(), /^calls\.\w+: \w/)
      }).pipe(Effect.scoped)
    )

    sample(
      "answer a callback, and refuse one that is not signed",
      Effect.gen(function* () {
        const program = yield* Engine
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}/`
        const menu = yield* runCommand(serve("answer-a-callback", String(port)), {
          PORT: String(port),
          VOICE_SECRET: yield* rotateVoiceSecret(program)
        })
        yield* menu.printed(`127.0.0.1:${port}`)
        const id = yield* originate({ to: "+99900000010", voice_callback_url: url })
        yield* menu.printed("gather_completed")
        const read = Effect.map(program.ask(`/v1/calls/${id}`), ({ json }) => json<CallRecord>())
        const call = yield* until("call with a leg", read, ({ child_call_ids }) => child_call_ids.length > 0)
        const leg = yield* program.ask(`/v1/calls/${call.child_call_ids[0]}`)
        assert.strictEqual(leg.json<CallRecord>().to, "+254711000001")
        yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
        assert.strictEqual(yield* postUnsigned(url), 400)
        assert.notInclude(menu.output(), "forged")
      }).pipe(Effect.scoped)
    )

    sample(
      "verify a webhook, and refuse a forged one",
      Effect.gen(function* () {
        const program = yield* Engine
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}/`
        const created = yield* program.ask("/v1/webhooks", { body: { url, events: ["call.busy"] } })
        const { id, secret } = created.json<{ readonly id: string; readonly secret: string }>()
        const receiver = yield* runCommand(serve("verify-a-webhook", String(port)), {
          PORT: String(port),
          WEBHOOK_SECRET: secret
        })
        yield* receiver.printed(`127.0.0.1:${port}`)
        yield* busyCall
        yield* receiver.printed("call.busy ")
        assert.strictEqual(yield* postUnsigned(url), 400)
        assert.notInclude(receiver.output(), "forged")
        yield* program.ask(`/v1/webhooks/${id}`, { method: "DELETE" })
      }).pipe(Effect.scoped)
    )

    sample(
      "follow a call to its end",
      Effect.gen(function* () {
        const program = yield* Engine
        const id = yield* originate({ to: "+99900000001", actions: [{ pause: { seconds: 60 } }] })
        const follower = yield* runCommand(run("follow-a-call", id), variables(program))
        // The call ends when it is followed, however long the sample took to start.
        yield* follower.printed("call.answered")
        yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
        assert.strictEqual(yield* follower.exited, 0, follower.output())
        const kinds = follower.output().trim().split("\n")
        assert.deepStrictEqual(kinds.slice(-2), ["call.completed", "end"])
        assert.include(["call.ringing", "call.answered"], kinds[0])
      }).pipe(Effect.scoped)
    )

    sample(
      "page through the list of calls",
      Effect.gen(function* () {
        const program = yield* Engine
        for (let count = 0; count < 5; count++) yield* busyCall
        const listed = yield* runCommand(run("list-calls", "2"), variables(program))
        assert.strictEqual(yield* listed.exited, 0, listed.output())
        const all = yield* program.ask("/v1/calls?limit=200")
        assert.deepStrictEqual(
          listed
            .output()
            .trim()
            .split("\n")
            .map((line) => line.split(" ")[0]),
          all.json<ReadonlyArray<CallRecord>>().map(({ id }) => id)
        )
      }).pipe(Effect.scoped)
    )
  }
})
