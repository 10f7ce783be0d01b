// A change of the master key as an operator makes it: by the settings of an engine on the same database and files.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { Directory } from "../../src/domain/ports/access/Directory.ts"
import { RecordingStore } from "../../src/domain/ports/calls/RecordingStore.ts"
import { keysOf } from "../../src/domain/KeysOf.ts"
import { type SealedKind, sealedMembers, sealedPaths } from "../../src/domain/state/SealedRow.ts"
import { tables } from "../../src/layers/postgres/database/Tables.ts"
import { DemoFile, engineIn, folder } from "../support/Engine.ts"
import { ask } from "../support/HttpTester.ts"
import { as, cookieOf } from "../support/People.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { recordingId, workspaceId } from "../support/Ids.ts"
import { until } from "../support/Until.ts"

const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string]

const of = { workspace_id: workspaceId("w1"), recording_id: recordingId("r1") }
const audio = Buffer.from("what was said")

const heard = Effect.flatMap(RecordingStore, (store) =>
  Effect.map(
    Effect.flatMap(store.read(of, audio.length, { start: 0, end: audio.length }), Stream.runCollect),
    (parts) => Buffer.concat(parts).toString()
  )
)

const voiceSecret = Effect.gen(function* () {
  const directory = yield* Directory
  return (yield* directory.workspace((yield* DemoFile).workspace_id))!.voice_secret
})

/** What the documentation says to run, as it is printed there. */
const printed = (kind: "sh" | "sql"): string =>
  new RegExp(`### Changing the master key[^]*?\\n +\`\`\`${kind}\\n([^]*?)\`\`\``).exec(
    readFileSync("docs/operations.md", "utf8")
  )![1]!

const idOf = (key: string): string =>
  execFileSync("bash", ["-c", printed("sh")], { env: { ...process.env, MASTER_KEY: key }, encoding: "utf8" }).trim()

/** The kinds of rows that have something which another key than this one sealed. */
const left = (key: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql.unsafe<{ readonly what: string }>(
      printed("sql").trim().replace(/;$/, "").replaceAll("KEY", idOf(key))
    )
    return [...new Set(rows.map(({ what }) => what))].sort()
  })

const subscribe = Effect.gen(function* () {
  const { api_key: key } = yield* DemoFile
  return yield* ask({ path: "/v1/webhooks", key, body: { url: "https://example.com/hook", events: ["topup.*"] } })
})

/** Something of each kind that is kept for good, and an answer that shows a secret. */
const furnish = Effect.gen(function* () {
  const { api_key: key, number, operator_session, owner_session } = yield* DemoFile
  const credential = yield* ask({ path: `/v1/numbers/${number.id}/sip-credentials`, key, body: { extension: "1001" } })
  const rotated = yield* ask({
    path: `/v1/numbers/${number.id}/sip-credentials/${(credential.body as { readonly id: string }).id}/rotate`,
    key,
    body: { grace_seconds: 3600 },
    headers: { "idempotency-key": "rotate-1" }
  })
  const subscription = (yield* subscribe).body as { readonly id: string }
  const turned = yield* Effect.forEach(
    [`/v1/webhooks/${subscription.id}/rotate-secret`, "/v1/workspace/rotate-voice-secret"],
    (path) => as(`session=${owner_session}`, { method: "POST", path, headers: { "idempotency-key": path } })
  )
  const trunk = { auth_mode: "digest", host: "sip.example.com", username: "u", password: "p" }
  const made = yield* as(`session=${owner_session}`, {
    path: "/v1/workspace",
    body: { name: "With a trunk", currency: "KES" }
  })
  const connected = yield* as(cookieOf(made), { path: "/v1/sip-trunk", body: trunk })
  const provider = yield* ask({
    path: "/v1/admin/providers",
    headers: { cookie: `session=${operator_session}` },
    body: { name: "Carrier", sip: { host: "sip.example.com", username: "u", password: "p" } }
  })
  assert.deepStrictEqual(
    [credential, rotated, ...turned, made, connected, provider].map(({ status }) => status),
    [201, 200, 200, 200, 201, 201, 201]
  )
})

/** Where a value has texts that a key sealed: paths, with `*` for the items of a list. */
const sealedIn = (value: unknown, path: string): ReadonlyArray<string> => {
  if (typeof value === "string") return /^[0-9a-f]{8}\.[\w-]{38,}$/.test(value) ? [path] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => sealedIn(part, `${path}.${Array.isArray(value) ? "*" : name}`))
}

/** The same of every row of every table. */
const sealedAnywhere = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(Object.keys(tables), (table) =>
    Effect.map(sql.unsafe<{ readonly row: object }>(`SELECT to_json(t) AS row FROM ${table} t`), (rows) =>
      rows.flatMap(({ row }) => sealedIn(row, table))
    )
  )
  return [...new Set(found.flat())].sort()
})

const tableOf: Readonly<Record<SealedKind, string>> = {
  Workspace: "workspaces",
  Subscription: "webhook_subscriptions",
  SipCredentials: "sip_credentials",
  SipTrunk: "sip_trunks",
  Provider: "number_providers"
}
/** Every place that is sealed anew. */
const listed = keysOf(sealedMembers).flatMap((kind) => sealedPaths(kind).map((path) => `${tableOf[kind]}.${path}`))

/** A password that the PBX has not taken yet, and that of a trunk that carries calls, which may be soon. */
const isElsewhere = (place: string): boolean => /\.rotation\.password$|\.serving\./.test(place)

/** Ids of the keys that the secrets of subscriptions are sealed with. */
const sealedWith = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ state: object }>`SELECT state FROM webhook_subscriptions ORDER BY created_at`
  return rows.map(({ state }) => /"([0-9a-f]{8})\.[\w-]{40,}"/.exec(JSON.stringify(state))![1]!)
})

const page = (cursor = "") =>
  Effect.flatMap(DemoFile, ({ api_key: key }) =>
    ask({ path: `/v1/audit?limit=1${cursor && `&cursor=${cursor}`}`, key })
  )

layer(TestDatabase.layer, { excludeTestServices: true, timeout: "60 seconds" })("a master key", (it) => {
  it.effect(
    "is replaced: what the old one sealed is opened while it is named, and what is kept for good is sealed anew",
    () =>
      Effect.gen(function* () {
        const data_dir = yield* folder
        const started = <A, E, R>(environment: Record<string, string>, test: Effect.Effect<A, E, R>) =>
          Effect.provide(test, Layer.fresh(engineIn(data_dir, environment)).pipe(Layer.provide(Logger.layer([]))))

        const before = yield* started(
          { MASTER_KEY: first },
          Effect.gen(function* () {
            const store = yield* RecordingStore
            yield* store.save(of, audio.length, Stream.make(audio))
            yield* subscribe
            yield* subscribe
            yield* furnish
            assert.deepStrictEqual(yield* left(first), [])
            const places = yield* sealedAnywhere
            assert.deepStrictEqual(
              places.filter((place) => !listed.includes(place)),
              []
            )
            assert.includeMembers(
              [...places],
              listed.filter((place) => !isElsewhere(place))
            )
            const cursor = (yield* page()).headers.get("x-next-cursor") ?? ""
            return { voice: yield* voiceSecret, keys: yield* sealedWith, cursor }
          })
        )
        assert.isAbove(before.cursor.length, 0)

        const kinds = ["number_providers", "sip_credentials", "sip_trunks", "webhook_subscriptions", "workspaces"]
        assert.includeMembers(yield* left(second), ["kept answers", ...kinds])
        const replaced = { MASTER_KEY: second, MASTER_KEY_PREVIOUS: first }
        const after = yield* started(
          replaced,
          Effect.gen(function* () {
            assert.strictEqual(yield* heard, audio.toString())
            assert.strictEqual(yield* voiceSecret, before.voice)
            assert.strictEqual((yield* page(before.cursor)).status, 200)
            yield* subscribe
            // Kept answers are not sealed anew: they are gone after a day.
            yield* until("kept answers alone", left(second), (found) => found.join() === "kept answers")
            assert.strictEqual(yield* voiceSecret, before.voice)
            return yield* sealedWith
          })
        )
        assert.deepStrictEqual(
          after,
          before.keys.concat("").map(() => idOf(second))
        )

        yield* started(
          { MASTER_KEY: second },
          Effect.gen(function* () {
            assert.strictEqual((yield* Effect.flip(heard))._tag, "StoreFailed")
            assert.strictEqual((yield* page(before.cursor)).code, "validation.invalid_cursor")
            assert.strictEqual(yield* voiceSecret, before.voice)
          })
        )
      }).pipe(Effect.scoped)
  )
})
