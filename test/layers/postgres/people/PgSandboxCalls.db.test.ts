import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CurrentTenant } from "../../../../src/domain/access/CurrentTenant.ts"
import { quotas } from "../../../../src/domain/access/Quota.ts"
import { toWorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { SandboxCalls } from "../../../../src/domain/ports/calls/SandboxCalls.ts"
import * as SharedCounts from "../../../../src/layers/postgres/cache/SharedCounts.ts"
import * as PgSandboxCalls from "../../../../src/layers/postgres/people/PgSandboxCalls.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const [ann, ben] = ["0199a000-0000-7000-8000-0000000000b1", "0199a000-0000-7000-8000-0000000000b2"]

const joined = (joined_at: number, role = "owner") => ({
  email: "x@example.com",
  role,
  read_only: false,
  joined_at,
  generation: 1
})

/** A workspace with these members, and its sandbox. Returns the id of the sandbox. */
const found = (nth: number, members: Readonly<Record<string, object>>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [live, sandbox] = [`0199a000-0000-7000-8000-0000000000a${nth}`, `7e577e57-0000-7000-8000-0000000000a${nth}`]
    const row = (id: string, state: object) => ({
      id,
      name: id,
      tenant_pbx_id: id,
      gateway_id: id.startsWith("7e577e57") ? "sandbox" : "g",
      voice_secret: "",
      created_at: new Date(0),
      state: JSON.stringify({ generation: 1, ...state })
    })
    yield* sql`INSERT INTO workspaces ${sql.insert([row(live, { members }), row(sandbox, { members: {}, sandbox_of: live })])}`
    return toWorkspaceId(sandbox)
  })

const tested = PgSandboxCalls.layer.pipe(Layer.provideMerge(SharedCounts.layer), Layer.provideMerge(TestDatabase.layer))

layer(tested, { excludeTestServices: true, timeout: "60 seconds" })("the calls of sandboxes", (it) => {
  it.effect("are counted for the person who owned their workspaces first, from every request", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { count } = yield* SandboxCalls
      const first = yield* found(1, { [ann]: joined(1), [ben]: joined(2) })
      const second = yield* found(2, { [ben]: joined(0, "admin"), [ann]: joined(5) })
      const other = yield* found(3, { [ben]: joined(1) })
      const nobodys = yield* found(4, {})
      // A request sees the rows of its own workspace alone.
      const asTenant = (id: typeof first) => Effect.provideService(count(id), CurrentTenant, id)
      yield* asTenant(first)
      yield* asTenant(second)
      assert.lengthOf(yield* sql`SELECT 1 FROM shared_counts WHERE quota = 'sandbox_calls'`, 1)
      // All but one of the day's calls have been placed.
      const { burst, per_second } = quotas.sandbox_calls
      yield* sql`UPDATE shared_counts SET full_at = ${Date.now() + ((burst - 1) / per_second) * 1_000}::float8`
      yield* asTenant(first)
      const refused = yield* Effect.flip(asTenant(second))
      assert.deepInclude(refused, { _tag: "calls.rate_limited", reason: "sandbox_calls_per_day" })
      assert.isAbove(refused.retry_after_seconds ?? 0, 60)
      yield* asTenant(other)
      yield* asTenant(nobodys)
    })
  )
})
