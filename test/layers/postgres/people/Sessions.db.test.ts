import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { systemOrigin } from "../../../../src/domain/access/Origin.ts"
import { session_idle_ms } from "../../../../src/domain/access/SessionLife.ts"
import { Sessions } from "../../../../src/domain/ports/access/Sessions.ts"
import { SignIns } from "../../../../src/domain/ports/access/SignIns.ts"
import { Tokens } from "../../../../src/domain/ports/access/Tokens.ts"
import { HmacTokens } from "../../../../src/layers/keyring/HmacTokens.ts"
import { ChangeFeed } from "../../../../src/layers/postgres/cache/ChangeFeed.ts"
import * as PgSessions from "../../../../src/layers/postgres/people/PgSessions.ts"
import * as PgSignIns from "../../../../src/layers/postgres/people/PgSignIns.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { userId, workspaceId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const [user_id, workspace_id] = ["0199a000-0000-7000-8000-0000000000b1", "0199a000-0000-7000-8000-0000000000a1"]
const idOf = (n: number) => `0199a000-0000-7000-8000-0000000000c${n}`
const tokens = HmacTokens([new Uint8Array(32).fill(1)])

/** What one of several processes has in memory of sessions. */
const process = Effect.map(
  Layer.build(
    Layer.fresh(
      PgSessions.layer(new Set(["ann@example.com"])).pipe(Layer.provide(ChangeFeed.layer), Layer.provide(tokens))
    )
  ),
  (context) => Context.get(context, Sessions)
)

const member = (generation: number) => ({
  email: "ann@example.com",
  role: "admin",
  read_only: false,
  joined_at: 0,
  generation
})

const seeded = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`INSERT INTO workspaces ${sql.insert({
    id: workspace_id,
    name: "w",
    tenant_pbx_id: "w",
    gateway_id: "g",
    voice_secret: "",
    created_at: new Date(0),
    member_ids: `{${user_id}}`,
    state: JSON.stringify({ generation: 1, members: { [user_id]: member(1) } })
  })}`
  const { register } = yield* SignIns
  yield* register({ id: userId(user_id), email: "ann@example.com", at: 0 })
})

const opened = (n: number) =>
  Effect.gen(function* () {
    const { hash } = yield* Tokens
    const { openSession } = yield* SignIns
    yield* openSession(userId(user_id), {
      id: idOf(n),
      token_hash: hash(`token ${n}`),
      at: yield* now,
      origin: { ip: null, user_agent: null, request_id: null }
    })
    return Redacted.make(`token ${n}`)
  })
const now = Effect.clockWith((clock) => clock.currentTimeMillis)

/** Waits until no process finds it: they learn of changes in the database with a delay. */
const untilGone = (finds: ReadonlyArray<Sessions["Service"]["find"]>, token: Redacted.Redacted) =>
  Effect.forEach(finds, (find) => until("end of the session", find(token), (session) => session === undefined))

const world = PgSignIns.layer.pipe(
  Layer.provideMerge(tokens),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Logger.layer([]))
)

describe("a session", () => {
  it.live("is known once it was looked up, and so is a token that none has", () =>
    Effect.gen(function* () {
      yield* seeded
      const { find, knows } = yield* process
      const wrong = Redacted.make("wrong")
      yield* until("a cache that is used", Effect.andThen(find(wrong), knows(wrong)), (known) => known)
      const token = yield* opened(0)
      assert.isFalse(yield* knows(token))
      assert.isDefined(yield* find(token))
      assert.isTrue(yield* knows(token))
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.live("is known to every process, and ends in all of them within a second", () =>
    Effect.gen(function* () {
      yield* seeded
      const sql = yield* PgClient.PgClient
      const { endSession } = yield* SignIns
      const finds = [(yield* process).find, (yield* process).find]
      const token = yield* opened(0)
      for (const find of finds) {
        assert.deepStrictEqual(yield* find(token), {
          id: idOf(0),
          user_id: userId(user_id),
          email: "ann@example.com",
          operator: true,
          membership: { workspace_id: workspaceId(workspace_id), role: "admin", read_only: false }
        })
      }
      assert.isTrue(yield* endSession(userId(user_id), idOf(0), systemOrigin, 0))
      assert.isFalse(yield* endSession(userId(user_id), idOf(0), systemOrigin, 0))
      yield* untilGone(finds, token)

      const other = yield* opened(1)
      for (const find of finds) assert.isDefined(yield* find(other))
      yield* sql`UPDATE workspaces SET state = ${JSON.stringify({ generation: 2, members: { [user_id]: member(2) } })}::json WHERE id = ${workspace_id}`
      yield* untilGone(finds, other)

      const last = yield* opened(2)
      for (const find of finds) assert.isDefined(yield* find(last))
      yield* sql`UPDATE workspaces SET state = ${JSON.stringify({ generation: 3, members: {} })}::json, member_ids = '{}' WHERE id = ${workspace_id}`
      yield* untilGone(finds, last)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.live("is not kept alive by a look", () =>
    Effect.gen(function* () {
      yield* seeded
      const sql = yield* PgClient.PgClient
      const { look } = yield* process
      const token = yield* opened(4)
      const nearlyIdle = new Date((yield* now) - session_idle_ms + 2_000)
      yield* sql`UPDATE sessions SET last_seen_at = ${nearlyIdle} WHERE id = ${idOf(4)}`
      assert.strictEqual((yield* look(token))?.id, idOf(4))
      yield* untilGone([look], token)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.live("is not trusted from memory while the database does not answer", () =>
    Effect.gen(function* () {
      yield* seeded
      const sql = yield* PgClient.PgClient
      const { find } = yield* process
      const token = yield* opened(3)
      assert.isDefined(yield* find(token))
      yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`
      yield* sql`DELETE FROM sessions`
      yield* untilGone([find], token)
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
