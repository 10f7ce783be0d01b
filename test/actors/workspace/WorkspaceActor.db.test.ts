import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as PerformWallet from "../../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../../src/actors/wallet/WalletOwner.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { Charges } from "../../../src/domain/ports/calls/Charges.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as PostgresJournal from "../../../src/layers/postgres/journal/Journal.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as WorkspaceActors from "../../support/WorkspaceActors.ts"
import { gatewayId, userId, workspaceId } from "../../support/Ids.ts"

const noCharges = Layer.succeed(Charges)({
  ofCall: () => Effect.succeed(undefined),
  orphanedHolds: () => Effect.succeed([])
})

const Actors = Layer.mergeAll(PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)), WorkspaceActors.layer).pipe(
  Layer.provideMerge(LocalSystem.layer),
  Layer.provide([noCharges, SystemIds.layer])
)

const id = workspaceId("0199a000-0000-7000-8000-0000000000a1")
const onboard = {
  name: "Acme",
  currency: "UGX" as const,
  tenant_pbx_id: "acme",
  gateway_id: gatewayId("default"),
  voice_secret: "sealed",
  owner: { user_id: userId("u1"), email: "ann@example.com" }
}

describe("a workspace", () => {
  it.effect("opens its wallet and becomes active, even if the engine crashes in between", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* Effect.gen(function* () {
        const system = yield* ActorSystem
        const reply = yield* system.ask(WorkspaceCommands.Onboard, id, onboard)
        assert.strictEqual(reply.status, "onboarding")
        memory.crash()
      }).pipe(Effect.provide(Layer.provide(Actors, memory.layer)))
      assert.isUndefined(memory.tables.snapshot("Wallet", id))
      yield* Effect.gen(function* () {
        const system = yield* ActorSystem
        yield* Effect.scoped(Effect.andThen(system.start, system.drain))
      }).pipe(Effect.provide(Layer.provide(Actors, memory.layer)))
      assert.deepInclude(memory.tables.snapshot("Wallet", id)?.columns, { currency: "UGX", balance_minor: 0 })
      assert.strictEqual(memory.tables.snapshot("Workspace", id)?.columns["status"], "active")
    })
  )

  it.live("continues from the row that is in the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const system = yield* ActorSystem
      yield* sql`INSERT INTO workspaces ${sql.insert({
        id,
        name: "By hand",
        currency: "KES",
        tenant_pbx_id: "x",
        gateway_id: gatewayId("default"),
        voice_secret: "s",
        calling_policy: JSON.stringify({ max_concurrent_calls: 7 }),
        created_at: new Date(1_000)
      })}`
      const reply = yield* system.ask(WorkspaceCommands.Rename, id, { name: "By its actor" })
      assert.deepInclude(reply, {
        id,
        name: "By its actor",
        status: "active",
        currency: "KES",
        number_mode: "unset",
        retention_days: 90,
        created_at: "1970-01-01T00:00:01.000Z"
      })
      const changed = yield* system.ask(WorkspaceCommands.ChangePolicy, id, {
        policy: { allow_high_risk: true },
        origin: systemOrigin
      })
      assert.deepInclude(changed, {
        max_concurrent_calls: 7,
        allow_high_risk: true
      })
      yield* system.ask(WorkspaceCommands.ChooseNumberMode, id, { mode: "byoc" })
      assert.strictEqual(
        (yield* Effect.flip(system.ask(WorkspaceCommands.ChooseNumberMode, id, { mode: "platform" })))._tag,
        "workspace.locked_to_byoc"
      )
      yield* system.ask(WorkspaceCommands.Suspend, id, { reason: "fraud", origin: systemOrigin })
      const rows =
        yield* sql`SELECT name, status, number_mode, calling_policy, version FROM workspaces WHERE id = ${id}`
      assert.deepStrictEqual(rows, [
        {
          name: "By its actor",
          status: "suspended",
          number_mode: "byoc",
          version: 5,
          calling_policy: { max_concurrent_calls: 7, allow_high_risk: true }
        }
      ])
      const told = yield* sql`SELECT kind FROM events WHERE subject_id = ${id}`
      assert.deepStrictEqual(told, [{ kind: "workspace.suspended" }])
      const audited = yield* sql`SELECT action_kind FROM audit_entries WHERE workspace_id = ${id} ORDER BY sequence`
      assert.deepStrictEqual(
        audited.map((row) => row["action_kind"]),
        ["calling_policy.changed", "workspace.suspended"]
      )
    }).pipe(Effect.provide(Actors.pipe(Layer.provide(PostgresJournal.layer), Layer.provideMerge(TestDatabase.layer))))
  )

  it.live("accepts the first of two conflicting choices, and creates its id once", () =>
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const onboarded = system.ask(WorkspaceCommands.Onboard, id, onboard)
      yield* Effect.all([onboarded, onboarded], { concurrency: 2 })
      const codes = yield* Effect.forEach(
        ["platform", "byoc", "platform"] as const,
        (mode) =>
          Effect.match(system.ask(WorkspaceCommands.ChooseNumberMode, id, { mode }), {
            onFailure: ({ _tag }) => _tag,
            onSuccess: () => "granted"
          }),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(codes, ["granted", "workspace.locked_to_platform_numbers", "granted"])
    }).pipe(Effect.provide(Actors.pipe(Layer.provide(PostgresJournal.layer), Layer.provideMerge(TestDatabase.layer))))
  )
})
