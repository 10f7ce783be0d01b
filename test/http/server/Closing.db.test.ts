import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { TrunkCommands } from "../../../src/domain/trunks/TrunkCommand.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"
import { proveNumber } from "../../support/ProveNumber.ts"
import * as MidMonth from "../../support/MidMonth.ts"
import { connected } from "../../support/OwnTrunk.ts"
import { as, founder, soon } from "../../support/People.ts"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { until } from "../../support/Until.ts"

const close = (cookie: string) => as(cookie, { path: "/v1/workspace/close", method: "POST" })

/** Money from an operator; a debit takes it out again. */
const adjust = (workspace_id: WorkspaceId, kind: string, amount_minor: number) =>
  Effect.flatMap(DemoFile, ({ operator_session }) =>
    as(`session=${operator_session}`, {
      path: `/v1/admin/wallets/${workspace_id}/adjustments`,
      body: { kind, amount_minor, currency: "KES", note: "n", reference: "r" }
    })
  )

const isWoundUp = (workspace_id: WorkspaceId) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{
      wound_up: boolean | null
    }>`SELECT (state->>'wound_up')::bool AS wound_up FROM workspaces WHERE id = ${workspace_id}`
    return row?.wound_up === true
  })

const woundUp = (workspace_id: WorkspaceId) => until("wound-up workspace", isWoundUp(workspace_id), (it) => it)

const held = (workspace_id: WorkspaceId) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql`
    SELECT id, status FROM numbers
    WHERE workspace_id = ${workspace_id} AND status IN ('active', 'past_due', 'suspended') OR reserved_for = ${workspace_id}`
  )

const available = Effect.gen(function* () {
  const { api_key: key } = yield* DemoFile
  const { body } = yield* ask({ path: "/v1/numbers/available?country=KE&limit=20", key })
  return (body as Array<{ inventory_id: string }>).map(({ inventory_id }) => inventory_id)
})

// On the 1st the storage of a closed workspace becomes free.
const engineInTheMiddleOfAMonth = layerWith({ RATE_LIMITS: "off" }).pipe(Layer.provideMerge(MidMonth.layer))

layer(engineInTheMiddleOfAMonth, { excludeTestServices: true, timeout: "60 seconds" })(
  "a workspace that is closed",
  (it) => {
    it.effect("releases its numbers, revokes its credentials and keys, and is charged no more", () =>
      Effect.gen(function* () {
        const mine = yield* founder("leaving@example.com")
        const { cookie, workspace_id } = mine
        yield* adjust(workspace_id, "manual_credit", 1_000_000)
        const [number] = yield* available
        assert.strictEqual((yield* as(cookie, { path: `/v1/numbers/${number}/claim`, method: "POST" })).status, 201)
        const credential = (yield* as(cookie, {
          path: `/v1/numbers/${number}/sip-credentials`,
          body: { extension: "1001" }
        })).body as { id: string }
        const { key } = (yield* as(cookie, { path: "/v1/api-keys", body: { label: "k", scopes: ["wallet.read"] } }))
          .body as { key: string }
        assert.strictEqual((yield* ask({ path: "/v1/wallet/balance", key })).status, 200)
        assert.deepInclude(
          (yield* as(cookie, { path: "/v1/storage/tier", method: "PUT", body: { tier_gb: 5 } })).body,
          { tier_mb: 5120 }
        )
        const balance = as(cookie, { path: "/v1/wallet/balance" })
        const { balance_minor } = (yield* balance).body as { balance_minor: number }

        assert.deepInclude((yield* close(cookie)).body, { status: "closed" })
        yield* woundUp(workspace_id)
        assert.deepStrictEqual(yield* held(workspace_id), [])
        assert.deepInclude((yield* as(cookie, { path: `/v1/numbers/${number}` })).body, { status: "released" })
        yield* soon(ask({ path: "/v1/wallet/balance", key }), "api_key.revoked")
        assert.deepInclude((yield* as(cookie, { path: "/v1/storage" })).body, {
          tier_mb: 5120,
          pending_tier_mb: 100,
          pending_reason: "downgrade"
        })
        assert.deepInclude((yield* balance).body, { balance_minor })
        const credentials = (yield* as(cookie, { path: `/v1/numbers/${number}/sip-credentials` })).body
        assert.deepInclude((credentials as ReadonlyArray<object>)[0], { id: credential.id, status: "revoked" })
        yield* soon(as(cookie, { path: "/v1/calls/originate", body: originateBody }), "account.suspended")

        const sql = yield* PgClient.PgClient
        const audit = yield* sql<{ kind: string; by: string }>`
        SELECT action_kind AS kind, actor->>'type' AS by FROM audit_entries WHERE workspace_id = ${workspace_id} ORDER BY sequence`
        const kinds = audit.map(({ by, kind }) => `${kind} ${by}`)
        for (const kind of [
          "workspace.closed user",
          "number.released system",
          "api_key.revoked system",
          "sip_credential.revoked system"
        ]) {
          assert.include(kinds, kind)
        }
        assert.strictEqual((yield* adjust(workspace_id, "manual_debit", balance_minor)).status, 201)
        assert.deepInclude((yield* balance).body, { balance_minor: 0 })
      })
    )

    it.effect("has its saved card forgotten", () =>
      Effect.gen(function* () {
        const { cookie, workspace_id } = yield* founder("carded@example.com")
        const card = Effect.map(
          as(cookie, { path: "/v1/wallet/auto-topup" }),
          ({ body }) => (body as { readonly card: unknown }).card
        )
        const body = { provider: "card", amount_minor: 50_000, currency: "KES", save_card: true }
        assert.strictEqual((yield* as(cookie, { path: "/v1/topups", body })).status, 201)
        yield* until("saved card", card, (saved) => saved !== null, { every_ms: 100 })
        yield* close(cookie)
        yield* woundUp(workspace_id)
        assert.isNull(yield* card)
        const sql = yield* PgClient.PgClient
        const removed = yield* sql`
          SELECT actor->>'type' AS by FROM audit_entries
          WHERE workspace_id = ${workspace_id} AND action_kind = 'wallet.card_removed'`
        assert.deepStrictEqual(removed, [{ by: "system" }])
      })
    )

    it.effect("loses the numbers that it brought, and its trunk", () =>
      Effect.gen(function* () {
        const { id, key } = yield* connected
        const system = yield* ActorSystem
        for (const number of ["+254711200001", "+254711200002"]) {
          yield* proveNumber(key, number)
          assert.strictEqual((yield* ask({ path: "/v1/numbers/byo", key, body: { number } })).status, 201)
        }
        yield* system.ask(WorkspaceCommands.Close, id, { origin: systemOrigin })
        yield* woundUp(id)
        assert.deepStrictEqual(yield* held(id), [])
        assert.strictEqual((yield* Effect.flip(system.ask(TrunkCommands.Get, id, {})))._tag, "sip_trunk.not_found")
      })
    )

    it.effect("has no number left, even if it was claiming some at that moment", () =>
      Effect.gen(function* () {
        for (const round of [1, 2, 3, 4]) {
          const { cookie, workspace_id } = yield* founder(`crossing${round}@example.com`)
          yield* adjust(workspace_id, "manual_credit", 1_000_000)
          const numbers = (yield* available).slice(0, 3)
          const claims = numbers.map((id) => as(cookie, { path: `/v1/numbers/${id}/claim`, method: "POST" }))
          const answers = yield* Effect.all(
            [...claims, Effect.andThen(Effect.sleep(round * 2), close(cookie)), ...claims],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            answers.filter(({ status }) => status >= 500).map(({ text }) => text),
            []
          )
          yield* woundUp(workspace_id)
          assert.deepStrictEqual(yield* held(workspace_id), [])
        }
      })
    )
  }
)
