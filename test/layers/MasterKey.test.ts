// A change of the master key as an operator makes it: by the settings of an engine on the same database and files.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../../src/domain/ports/Directory.ts"
import { RecordingStore } from "../../src/domain/ports/RecordingStore.ts"
import { DemoFile, engineIn, folder } from "../support/Engine.ts"
import { ask } from "../support/HttpTester.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string]

const of = { workspace_id: "w1", recording_id: "r1" }
const audio = Buffer.from("what was said")

const heard = Effect.flatMap(RecordingStore, (store) =>
  Effect.map(Effect.flatMap(store.read(of, audio.length, { start: 0, end: audio.length }), Stream.runCollect), (parts) =>
    Buffer.concat(parts).toString()))

const voiceSecret = Effect.gen(function*() {
  const directory = yield* Directory
  return (yield* directory.workspace((yield* DemoFile).workspace_id))!.voice_secret
})

/** Ids of the keys that the secrets of subscriptions are sealed with. */
const sealedWith = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ state: object }>`SELECT state FROM webhook_subscriptions ORDER BY created_at`
  return rows.map(({ state }) => /"([0-9a-f]{8})\.[\w-]{40,}"/.exec(JSON.stringify(state))![1]!)
})

const subscribe = Effect.gen(function*() {
  const { api_key: key } = yield* DemoFile
  return yield* ask({ path: "/v1/webhooks", key, body: { url: "https://example.com/hook", events: ["topup.*"] } })
})

const page = (cursor = "") =>
  Effect.flatMap(DemoFile, ({ api_key: key }) => ask({ path: `/v1/audit?limit=1${cursor && `&cursor=${cursor}`}`, key }))

layer(TestDatabase.layer, { excludeTestServices: true, timeout: "60 seconds" })("a master key", (it) => {
  it.effect("is replaced: what the old one sealed is opened while it is named, and not after", () =>
    Effect.gen(function*() {
      const data_dir = yield* folder
      const started = <A, E, R>(environment: Record<string, string>, test: Effect.Effect<A, E, R>) =>
        Effect.provide(test, Layer.fresh(engineIn(data_dir, environment)).pipe(Layer.provide(Logger.layer([]))))

      const before = yield* started({ MASTER_KEY: first }, Effect.gen(function*() {
        const store = yield* RecordingStore
        yield* store.save(of, audio.length, Stream.make(audio))
        yield* subscribe
        yield* subscribe
        const cursor = (yield* page()).headers.get("x-next-cursor") ?? ""
        return { voice: yield* voiceSecret, keys: yield* sealedWith, cursor }
      }))
      assert.isAbove(before.cursor.length, 0)

      const replaced = { MASTER_KEY: second, MASTER_KEY_PREVIOUS: first }
      const after = yield* started(replaced, Effect.gen(function*() {
        assert.strictEqual(yield* heard, audio.toString())
        assert.strictEqual(yield* voiceSecret, before.voice)
        assert.strictEqual((yield* page(before.cursor)).status, 200)
        yield* subscribe
        return yield* sealedWith
      }))
      assert.deepStrictEqual(after.slice(0, -1), before.keys)
      assert.notStrictEqual(after.at(-1), before.keys[0])

      yield* started({ MASTER_KEY: second }, Effect.gen(function*() {
        assert.strictEqual((yield* Effect.flip(heard))._tag, "StoreFailed")
        assert.strictEqual((yield* page(before.cursor)).code, "validation.invalid_cursor")
        assert.isTrue((yield* Effect.exit(voiceSecret))._tag === "Failure")
      }))
    }).pipe(Effect.scoped))
})
