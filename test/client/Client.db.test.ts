// The client against a running engine, and the page that describes it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import * as actions from "../../src/client/Actions.ts"
import * as client from "../../src/client/Client.ts"
import * as webhooks from "../../src/client/Webhooks.ts"
import { DemoFile, layer as engine } from "../support/Engine.ts"
import { origin } from "../support/HttpTester.ts"

const { ApiError, PermissionError, Trunkline } = client

const connect = Effect.gen(function* () {
  const { api_key, number, other_workspace, owner_session } = yield* DemoFile
  const baseUrl = yield* origin
  return {
    baseUrl,
    api_key,
    number,
    mine: new Trunkline({ apiKey: api_key, baseUrl }),
    other: new Trunkline({ apiKey: other_workspace.api_key, baseUrl }),
    owner: new Trunkline({ session: owner_session, baseUrl })
  }
})

const unexpected = () => assert.fail("It did not fail")

/** The blocks of the page, as functions of what they import and of the environment. */
const blocks = [...readFileSync("docs/client.md", "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) =>
  stripTypeScriptTypes(code).replaceAll(/import \{([^}]*)\} from "trunkline\/\w+"/g, "const {$1} = imported;")
)
const AsyncFunction = (async () => {}).constructor as new (
  ...text: ReadonlyArray<string>
) => (...values: ReadonlyArray<unknown>) => Promise<void>

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("the client of a running engine", (it) => {
  it.effect("places a call, follows it to its end, and finds it in the list, the statement and the stream", () =>
    Effect.gen(function* () {
      const { mine, number } = yield* connect
      yield* Effect.promise(async () => {
        const seen: Array<string> = []
        const stop = new AbortController()
        const all = (async () => {
          for await (const event of mine.events.stream({ kinds: "call.*" }, { signal: stop.signal })) {
            seen.push(event.event_kind)
            if (event.event_kind === "call.completed") break
          }
        })()
        const call = await mine.calls.originate({
          from: number.number,
          to: "+99900000001",
          actions: [{ say: { text: "Good morning." } }, { hangup: {} }]
        })
        const kinds: Array<string> = []
        for await (const { kind } of mine.calls.stream(call.id)) kinds.push(kind)
        assert.strictEqual(kinds.at(-1), "call.completed")
        const { cost_minor, status } = await mine.calls.waitUntil(call.id, "ended")
        assert.deepStrictEqual([status, cost_minor], ["completed", 300])
        await all
        assert.includeMembers(seen, ["call.answered", "call.completed"])
        const [listed] = await mine.calls.list({ limit: 1 }).toArray({ max: 1 })
        assert.strictEqual(listed?.id, call.id)
        const charges: Array<string> = []
        for await (const { reference_id } of mine.wallet.statements({ kind: "call_charge" })) charges.push(reference_id)
        assert.deepStrictEqual(charges, [call.id])
      })
    })
  )

  it.effect("repeats a request with the same key as the engine does, and tells errors by code and class", () =>
    Effect.gen(function* () {
      const { mine, number, other } = yield* connect
      yield* Effect.promise(async () => {
        const body = { from: number.number, to: "+99900000002", actions: [{ hangup: {} }] }
        const first = await mine.calls.originate(body, { idempotencyKey: "once" }).withResponse()
        const again = await mine.calls.originate(body, { idempotencyKey: "once" }).withResponse()
        assert.deepStrictEqual([first.replayed, again.replayed, again.data.id], [false, true, first.data.id])
        const stolen = await other.calls.get(first.data.id).then(unexpected, (error: unknown) => error)
        assert.instanceOf(stolen, ApiError)
        assert.strictEqual((stolen as InstanceType<typeof ApiError>).code, "calls.not_found")
      })
    })
  )

  it.effect("acts as the member of a session", () =>
    Effect.gen(function* () {
      const { baseUrl, owner } = yield* connect
      yield* Effect.promise(async () => {
        const made = await owner.keys.create({ label: "Client", scopes: ["wallet.read"], env: "test" })
        const narrow = new Trunkline({ apiKey: made.key, baseUrl })
        assert.deepInclude(await narrow.keys.current(), { label: "Client", env: "test", livemode: false })
        assert.strictEqual((await narrow.wallet.balance()).currency, "KES")
        const events = narrow.events.stream()[Symbol.asyncIterator]()
        const denied = await events.next().then(unexpected, (error: unknown) => error)
        assert.instanceOf(denied, PermissionError)
        await owner.keys.revoke(made.id)
        assert.includeMembers(
          (await owner.keys.list().toArray({ max: 50 })).map(({ id }) => id),
          [made.id]
        )
      })
    })
  )

  it.effect("runs every block of its page", () =>
    Effect.gen(function* () {
      const { api_key, baseUrl } = yield* connect
      const env = { TRUNKLINE_URL: baseUrl, TRUNKLINE_API_KEY: api_key }
      const printed: Array<string> = []
      const log = (...values: ReadonlyArray<unknown>) => printed.push(values.join(" "))
      for (const block of blocks) {
        const run = new AsyncFunction("imported", "process", "console", block)
        yield* Effect.promise(() => run({ ...actions, ...client, ...webhooks }, { env }, { log }))
      }
      assert.strictEqual(blocks.length, 9)
      assert.strictEqual(printed[0], "completed 300")
      assert.match(printed[1] ?? "", /^wrong number 4\d\d$/)
      assert.match(printed[2] ?? "", /^[1-9]\d* [1-9]\d* 1 (true|false)$/)
      assert.include(printed, "call.completed")
      assert.include(printed, "It cost 300.")
      assert.strictEqual(printed.at(-1), "KES 200 36")
    })
  )
})
