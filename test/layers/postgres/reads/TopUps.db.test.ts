import { memorySettings } from "../../../../src/layers/memory/MemorySettings.ts"
import { SandboxPayments } from "../../../../src/domain/ports/money/SandboxPayments.ts"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as PayerPhoneLockActor from "../../../../src/actors/topups/PayerPhoneLockActor.ts"
import * as PerformIncomingPayment from "../../../../src/actors/topups/PerformIncomingPayment.ts"
import { PaymentNotices } from "../../../../src/actors/ingest/PaymentNotices.ts"
import * as ReconciliationActor from "../../../../src/actors/topups/ReconciliationActor.ts"
import { ActorSystem } from "../../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../../src/actors/runtime/LocalSystem.ts"
import { TopUps } from "../../../../src/actors/topups/TopUps.ts"
import * as PerformTopUp from "../../../../src/actors/topups/PerformTopUp.ts"
import * as PerformWallet from "../../../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../../../src/actors/wallet/WalletOwner.ts"
import { Wallets } from "../../../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../../../src/domain/access/Origin.ts"
import { IncomingPaymentReferences } from "../../../../src/domain/ports/money/IncomingPaymentReferences.ts"
import { TopUpReads } from "../../../../src/domain/ports/money/TopUpReads.ts"
import * as CardSimulator from "../../../../src/layers/card/CardSimulator.ts"
import * as SystemIds from "../../../../src/layers/ids/SystemIds.ts"
import * as PgCharges from "../../../../src/layers/postgres/reads/Charges.ts"
import { checkInvariants } from "../../../../src/layers/postgres/checks/Invariants.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import * as PgPayInReferences from "../../../../src/layers/postgres/reads/IncomingPaymentReferences.ts"
import * as PgIdempotency from "../../../../src/layers/postgres/reads/PgIdempotency.ts"
import * as PgTopUpReads from "../../../../src/layers/postgres/reads/TopUpReads.ts"
import * as PgTopUpLimitTable from "../../../../src/layers/postgres/reads/TopUpLimitTable.ts"
import * as PgWalletReads from "../../../../src/layers/postgres/reads/WalletReads.ts"
import { paidIn, promptEnded, ScriptedProvider } from "../../../support/Payments.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { workspaceId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const workspace_id = workspaceId("0190f5fe-7c00-7a00-8000-00000000000a")
const other = workspaceId("0190f5fe-7c00-7a00-8000-00000000000b")
const provider = new ScriptedProvider()

const parts = Layer.mergeAll(TopUps.layer, PaymentNotices.layer).pipe(
  Layer.provideMerge(Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start))),
  Layer.provideMerge(
    Layer.mergeAll(
      PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)),
      PerformTopUp.layer.pipe(Layer.provide(memorySettings)),
      PerformIncomingPayment.layer,
      PayerPhoneLockActor.layer,
      ReconciliationActor.layer
    )
  ),
  Layer.provideMerge(Wallets.layer),
  Layer.provideMerge(LocalSystem.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      PostgresJournal.layer,
      PgCharges.layer,
      PgWalletReads.layer,
      PgTopUpReads.layer,
      PgPayInReferences.layer,
      PgIdempotency.layer,
      provider.layer,
      PgTopUpLimitTable.layer,
      CardSimulator.layer,
      SandboxPayments.none
    )
  ),
  Layer.provideMerge(SystemIds.layer),
  Layer.provideMerge(TestDatabase.layer)
)

const paid = (receipt: string) => ({ _tag: "Paid", receipt, amount_minor: 50_000, paid_at: Date.now() }) as const

layer(parts, { excludeTestServices: true })("top-ups on PostgreSQL", (it) => {
  it.effect("are kept, found, credited once for a receipt, and reversed", () =>
    Effect.gen(function* () {
      const topups = yield* TopUps
      const reads = yield* TopUpReads
      const wallets = yield* Wallets
      yield* wallets.open(workspace_id, "KES")
      const start = (phone_e164: string) =>
        topups.start({
          workspace_id,
          origin: systemOrigin,
          request: { provider: "mobilemoney", amount_minor: 50_000, currency: "KES", phone_e164 }
        })
      const first = yield* start("+254700000001")
      const second = yield* start("+254700000002")
      const unpaid = (amount: number) =>
        Effect.map(reads.unpaid(workspace_id, amount, Date.parse(first.created_at), Date.now()), (rows) =>
          rows.map(({ topup_id }) => topup_id)
        )
      assert.sameMembers(yield* unpaid(50_000), [first.topup_id, second.topup_id])
      assert.deepStrictEqual(yield* unpaid(1), [])
      yield* Effect.forEach([1, 2, 3], () => promptEnded(first.topup_id, paid("PGA0000001")), { concurrency: 3 })
      yield* paidIn({ ...paid("PGA0000001"), account_ref: first.mobilemoney_account_ref })
      const done = yield* until(
        "top-up that has succeeded",
        topups.get(workspace_id, first.topup_id),
        ({ status }) => status === "succeeded"
      )
      assert.deepInclude(done, {
        status: "succeeded",
        provider_reference: "PGA0000001",
        mobilemoney_account_ref: first.mobilemoney_account_ref
      })
      assert.deepStrictEqual(yield* unpaid(50_000), [second.topup_id])
      assert.deepStrictEqual(
        (yield* reads.list(workspace_id, {}, undefined, 1)).map(({ topup_id }) => topup_id),
        [second.topup_id]
      )
      const after = { at: Date.parse(second.created_at), id: second.topup_id }
      assert.deepStrictEqual(
        (yield* reads.list(workspace_id, {}, after, 9)).map(({ topup_id }) => topup_id),
        [first.topup_id]
      )
      assert.deepStrictEqual(
        (yield* reads.list(workspace_id, { status: "pending" }, undefined, 9)).map(({ topup_id }) => topup_id),
        [second.topup_id]
      )
      assert.isUndefined(yield* reads.find(other, first.topup_id))
      assert.strictEqual((yield* topups.reverse(first.topup_id, "Charged back", systemOrigin)).status, "reversed")
      assert.strictEqual(yield* reads.status(first.topup_id), "reversed")
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT kind, amount_minor::int AS minor FROM ledger_entries ORDER BY created_at, amount_minor DESC`,
        [
          { kind: "topup", minor: 50_000 },
          { kind: "topup_reversal", minor: -50_000 }
        ]
      )
    })
  )

  it.effect("wait in suspense, and keep the books balanced whatever their outcome", () =>
    Effect.gen(function* () {
      const topups = yield* TopUps
      const reads = yield* TopUpReads
      for (const n of [1, 2, 3])
        yield* paidIn({ ...paid(`PGB000000${n}`), account_ref: `room ${n}`, paid_at: n * 1_000 })
      const waiting = yield* until(
        "third suspended payment",
        reads.suspended(undefined, 10),
        (rows) => rows.length === 3
      )
      assert.deepStrictEqual(
        waiting.map(({ id }) => id),
        ["PGB0000003", "PGB0000002", "PGB0000001"]
      )
      assert.deepStrictEqual(
        (yield* reads.suspended({ at: 2_000, id: "PGB0000002" }, 10)).map(({ id }) => id),
        ["PGB0000001"]
      )
      assert.deepStrictEqual(yield* reads.unknownReceipts(["PGB0000001", "PGB0000009"]), new Set(["PGB0000009"]))
      const broken = Effect.map(checkInvariants, (findings) => findings.filter(({ count }) => count > 0))
      assert.deepStrictEqual(yield* broken, [])
      assert.deepInclude(yield* topups.release("PGB0000002", workspace_id), {
        provider: "manual",
        status: "succeeded",
        amount_minor: 50_000
      })
      assert.strictEqual((yield* reads.suspended(undefined, 10)).length, 2)
      yield* until("sound books", broken, (findings) => findings.length === 0)
      assert.deepStrictEqual(yield* broken, [])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT balance_minor::int AS minor FROM account_balances WHERE account = 'suspense'`,
        [{ minor: 100_000 }]
      )
    })
  )

  it.effect("have one reference per workspace, even for concurrent requests", () =>
    Effect.gen(function* () {
      const references = yield* IncomingPaymentReferences
      const refs = yield* Effect.forEach(Array.from({ length: 8 }), () => references.of(other), { concurrency: 8 })
      assert.strictEqual(new Set(refs).size, 1)
      assert.strictEqual(yield* references.workspaceOf(refs[0]!), other)
      assert.notStrictEqual(refs[0], yield* references.of(workspace_id))
      assert.isUndefined(yield* references.workspaceOf("0000000000"))
    })
  )
})

it.effect("the check finds missing, doubled and wrong credits of top-ups, and unexplained suspense", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = "0199a000-0000-7000-8000-000000000051"
    const entry = (n: number, amount: number) => `
      INSERT INTO ledger_entries (id, workspace_id, kind, amount_minor, balance_after_minor, currency, reference_type, reference_id, description, created_at, actor, metadata)
      VALUES ('0199a000-0000-7000-8000-00000000006${n}', '${workspace_id}', 'topup', ${amount}, 0, 'KES', 'topup', '${id}', '', now(), '{}', '{}')`
    const names = Effect.map(checkInvariants, (findings) =>
      findings.filter(({ count }) => count > 0).map(({ name }) => name)
    )
    const topUp =
      "A succeeded top-up has one credit of the amount paid; a reversed one has a credit and a debit; others have none"
    yield* sql.unsafe(`INSERT INTO topups (id, workspace_id, version, state, provider, status, amount_minor, credited_minor, created_at)
      VALUES ('${id}', '${workspace_id}', 1, '{}', 'manual', 'succeeded', 700, 700, now())`)
    assert.include(yield* names, topUp)
    yield* sql.unsafe(entry(1, 700))
    assert.notInclude(yield* names, topUp)
    yield* sql.unsafe(`UPDATE topups SET status = 'reversed'`)
    assert.include(yield* names, topUp)
    yield* sql.unsafe(`UPDATE topups SET status = 'pending', credited_minor = NULL`)
    assert.include(yield* names, topUp)
    yield* sql.unsafe(`INSERT INTO alarms VALUES ('TopUp', '${id}', now())`)
    assert.notInclude(yield* names, topUp)
    yield* sql.unsafe(`UPDATE topups SET status = 'succeeded', credited_minor = 699`)
    assert.include(yield* names, topUp)
    yield* sql.unsafe(`UPDATE topups SET credited_minor = 700`)
    yield* sql.unsafe(entry(2, 700))
    assert.include(yield* names, topUp)
    const suspense = "The suspense account equals the sum of payments without a workspace"
    assert.notInclude(yield* names, suspense)
    yield* sql.unsafe(
      `INSERT INTO payins (receipt, version, state, standing, amount_minor, paid_at) VALUES ('R', 1, '{}', 'suspense', 5, now())`
    )
    assert.include(yield* names, suspense)
  }).pipe(Effect.provide(TestDatabase.layer))
)
