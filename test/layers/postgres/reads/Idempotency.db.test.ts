import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Idempotency } from "../../../../src/domain/ports/access/Idempotency.ts"
import * as PgIdempotency from "../../../../src/layers/postgres/reads/PgIdempotency.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { workspaceId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const workspace_id = workspaceId("00000000-0000-8000-8000-0000000000e1")
const scope = (n: number) => ({ workspace_id, method: "POST", route: "/v1/calls/originate", key: `key-${n}` })

const keep = (n: number, created_at: number) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql`INSERT INTO idempotency_keys ${sql.insert({
      ...scope(n),
      fingerprint: `f${n}`,
      status: 201,
      body: `{"n": ${n}}`,
      headers: '{"location":"/x"}',
      created_at: new Date(created_at)
    })}`
  })

layer(Layer.provideMerge(PgIdempotency.layer, TestDatabase.layer), { timeout: "30 seconds" })("kept answers", (it) => {
  it.effect("are found by their whole scope, in bulk", () =>
    Effect.gen(function* () {
      const { find } = yield* Idempotency
      const now = yield* Clock.currentTimeMillis
      for (const n of [1, 3, 5]) yield* keep(n, now)
      const found = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => find(scope(n)), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        found.map((kept) => kept?.fingerprint),
        ["f1", undefined, "f3", undefined, "f5"]
      )
      assert.deepStrictEqual(found[0], {
        fingerprint: "f1",
        status: 201,
        body: '{"n": 1}',
        headers: { location: "/x" }
      })
      for (const part of [
        { workspace_id: "00000000-0000-8000-8000-0000000000e2" },
        { method: "PUT" },
        { route: "/v1/calls" },
        { key: "KEY-1" }
      ]) {
        assert.isUndefined(yield* find({ ...scope(1), ...part }))
      }
    })
  )

  it.effect("fail together when the database does not answer, and are found when it does", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { find } = yield* Idempotency
      yield* sql`ALTER TABLE idempotency_keys RENAME TO away`
      const failures = yield* Effect.forEach([1, 2], (n) => Effect.flip(find(scope(n))), { concurrency: 2 })
      assert.deepStrictEqual(
        failures.map((failure) => failure._tag),
        ["ReadFailed", "ReadFailed"]
      )
      yield* sql`ALTER TABLE away RENAME TO idempotency_keys`
      assert.isDefined(yield* find(scope(1)))
    })
  )

  it.effect("expire after a day", () =>
    Effect.gen(function* () {
      const { find } = yield* Idempotency
      const now = yield* Clock.currentTimeMillis
      yield* keep(8, now - 24 * 3_600_000 - 1)
      yield* keep(9, now)
      yield* TestClock.adjust("10 minutes")
      yield* until("removal", find(scope(8)), (kept) => kept === undefined, { every_ms: 0 })
      assert.isDefined(yield* find(scope(9)))
    })
  )

  it.effect("have a fingerprint that is SHA-256 in hex", () =>
    Effect.gen(function* () {
      const { fingerprint } = yield* Idempotency
      assert.strictEqual(fingerprint("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    })
  )
})
