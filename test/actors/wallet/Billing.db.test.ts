// Receipts and invoices while many payments are booked at once and engines die: numbers without gaps that never change.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Layer, Scope } from "effect"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { Billing } from "../../../src/actors/wallet/Billing.ts"
import * as PerformWallet from "../../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../../src/actors/wallet/WalletOwner.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { toTopUpId, type WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { InvoiceIssuer } from "../../../src/domain/ports/money/InvoiceIssuer.ts"
import { WalletReads } from "../../../src/domain/ports/money/WalletReads.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { checkInvariants } from "../../../src/layers/postgres/checks/Invariants.ts"
import * as PostgresJournal from "../../../src/layers/postgres/journal/Journal.ts"
import * as PgBillingReads from "../../../src/layers/postgres/reads/BillingReads.ts"
import * as PgCharges from "../../../src/layers/postgres/reads/Charges.ts"
import * as PgReferences from "../../../src/layers/postgres/reads/IncomingPaymentReferences.ts"
import * as PgWalletReads from "../../../src/layers/postgres/reads/WalletReads.ts"
import { fastClock } from "../../support/FastTime.ts"
import { workspaceId } from "../../support/Ids.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const reads = Layer.mergeAll(PgWalletReads.layer, PgBillingReads.layer, PgReferences.layer).pipe(
  Layer.provideMerge(SystemIds.layer)
)

const engine = Layer.merge(Billing.layer, Wallets.layer).pipe(
  Layer.provideMerge(
    Layer.fresh(PerformWallet.layer.pipe(Layer.provide(WalletOwner.none))).pipe(
      Layer.provideMerge(Layer.fresh(LocalSystem.layer))
    )
  ),
  Layer.provide([
    PostgresJournal.layer,
    PgCharges.layer,
    Layer.succeed(InvoiceIssuer)({ name: "Operator", address: [], tax_number: null }),
    Layer.mock(Directory)({ workspace: () => Effect.succeed(undefined) })
  ])
)

/** The engines' clock stands still; timers are real. */
let time = Date.UTC(2026, 10, 20)
const clock: Clock.Clock = {
  ...fastClock({ speed: 1, epoch_ms: 0 }),
  currentTimeMillisUnsafe: () => time,
  currentTimeMillis: Effect.sync(() => time)
}
const onClock = Effect.provideService(Clock.Clock, clock)

/** Runs with an engine of its own, which ends with the test's part. */
const withEngine = <A, E, R>(work: Effect.Effect<A, E, R>) => onClock(Effect.provide(work, Layer.fresh(engine)))

/** An engine and how to end it in the middle of its work. */
const startEngine = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const services = yield* onClock(Layer.buildWithScope(Layer.fresh(engine), scope))
  return { services, end: Scope.close(scope, Exit.void) }
})

const pay = (workspace_id: WorkspaceId, topup_id: string, amount_minor = 700) =>
  Effect.flatMap(Wallets, ({ credit }) =>
    credit(workspace_id, {
      // One entry for each top-up, as its actor derives it.
      entry_id: topup_id,
      kind: "topup",
      amount_minor,
      reference_type: "topup",
      reference_id: topup_id,
      description: "Top-up by card",
      contra: "clearing:card",
      metadata: { provider_reference: topup_id },
      origin: systemOrigin
    })
  )

const charge = (workspace_id: WorkspaceId, amount_minor: number) =>
  Effect.flatMap(Wallets, ({ debit }) =>
    debit(workspace_id, {
      entry_id: crypto.randomUUID(),
      kind: "number_rental",
      amount_minor,
      may_overdraw: false,
      reference_type: "number",
      reference_id: "n",
      description: "",
      origin: systemOrigin
    })
  )

const receiptNumber = (workspace_id: WorkspaceId, topup_id: string) =>
  Effect.flatMap(Billing, ({ receipt }) =>
    Effect.map(Effect.option(receipt(workspace_id, toTopUpId(topup_id))), (found) =>
      found._tag === "Some" ? found.value.number : undefined
    )
  )

const open = (workspace_id: WorkspaceId) => Effect.flatMap(Wallets, (wallets) => wallets.open(workspace_id, "KES"))
/** The payments here have no top-up beside them, which one of the invariants asks for. */
const broken = Effect.map(checkInvariants, (found) =>
  found.flatMap(({ count, name }) => (count > 0 && !name.startsWith("A succeeded top-up") ? [name] : []))
)

layer(reads.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "documents of the ledger",
  (it) => {
    it.effect("have numbers without gaps, although payments come at once and engines die", () =>
      Effect.gen(function* () {
        const ids = [workspaceId(crypto.randomUUID()), workspaceId(crypto.randomUUID())] as const
        yield* withEngine(Effect.forEach(ids, open))
        const topups = new Map(ids.map((id) => [id, Array.from({ length: 120 }, () => crypto.randomUUID())]))
        const seen = new Map<string, string>()
        const everyNumber = Effect.forEach(ids, (id) =>
          Effect.forEach(topups.get(id) ?? [], (topup) =>
            Effect.map(receiptNumber(id, topup), (number) => [topup, number] as const)
          )
        )
        const look = Effect.map(everyNumber, (all) => {
          for (const numbers of all) {
            const known = numbers.flatMap(([topup, number]) => {
              if (number === undefined) return []
              assert.strictEqual(seen.get(topup) ?? number, number, "a number never changes")
              seen.set(topup, number)
              return [Number(number.split("-")[2])]
            })
            assert.deepStrictEqual(
              known.toSorted((a, b) => a - b),
              known.map((_, index) => index + 1)
            )
          }
          return seen.size
        })
        // Each round repeats every payment at once, on an engine that ends in the middle of them, until one may finish.
        for (const lives of [1, 2, 4, 8, 16, 32]) {
          const { end, services } = yield* startEngine
          const work = Effect.forEach(
            ids,
            (id) =>
              Effect.forEach(topups.get(id) ?? [], (topup) => Effect.exit(pay(id, topup)), {
                concurrency: "unbounded"
              }),
            { concurrency: "unbounded" }
          ).pipe(Effect.provideContext(services), onClock)
          const fiber = yield* Effect.forkChild(work)
          for (let turn = 0; turn < lives; turn++)
            yield* Effect.promise(() => new Promise((resume) => setTimeout(resume, 2)))
          yield* Effect.all([end, Fiber.interrupt(fiber)], { concurrency: 2 })
          yield* withEngine(look)
        }
        yield* withEngine(
          Effect.forEach(ids, (id) =>
            Effect.forEach(topups.get(id) ?? [], (topup) => pay(id, topup), { concurrency: "unbounded" })
          )
        )
        assert.strictEqual(yield* withEngine(look), 240)
        assert.deepStrictEqual(yield* broken, [])
        const wallets = yield* WalletReads
        for (const id of ids) assert.strictEqual((yield* wallets.balance(id))?.balance_minor, 120 * 700)
      })
    )

    it.effect("show each month once, whatever is booked while it is read", () =>
      Effect.gen(function* () {
        const id = workspaceId(crypto.randomUUID())
        const begin = Date.UTC(2026, 10, 30, 23, 59, 59)
        const at = (next: number) => Effect.sync(() => void (time = next))
        yield* at(begin)
        yield* withEngine(
          Effect.gen(function* () {
            const billing = yield* Billing
            yield* open(id)
            assert.deepStrictEqual(yield* billing.invoices(id, { before: undefined, limit: 9 }), [])
            yield* pay(id, crypto.randomUUID(), 10_000)
            yield* charge(id, 300)
            assert.strictEqual((yield* Effect.flip(billing.invoice(id, "2026-11")))._tag, "invoice.not_found")
            yield* at(Date.UTC(2026, 11, 1))
            const november = yield* billing.invoice(id, "2026-11")
            assert.deepInclude(november, {
              total_minor: 300,
              opening_balance_minor: 0,
              closing_balance_minor: 9_700,
              currency: "KES",
              livemode: true
            })
            // A process whose clock is behind books into December, and the invoice stays what it was.
            yield* at(begin)
            yield* charge(id, 500)
            yield* at(Date.UTC(2027, 1, 3))
            assert.deepStrictEqual(yield* billing.invoice(id, "2026-11"), november)
            const december = yield* billing.invoice(id, "2026-12")
            assert.deepInclude(december, {
              total_minor: 500,
              opening_balance_minor: 9_700,
              closing_balance_minor: 9_200
            })
            const january = yield* billing.invoice(id, "2027-01")
            assert.deepInclude(january, { total_minor: 0, opening_balance_minor: 9_200, closing_balance_minor: 9_200 })
            assert.deepStrictEqual(january.charges, [])
            const all = yield* billing.invoices(id, { before: undefined, limit: 9 })
            assert.deepStrictEqual(
              all.map(({ number }) => number),
              [january.number, december.number, november.number]
            )
            assert.deepStrictEqual(
              all.map(({ number }) => number.split("-")[2]),
              ["00003", "00002", "00001"]
            )
            for (const month of ["2026-10", "2027-02", "9999-12"])
              assert.strictEqual((yield* Effect.flip(billing.invoice(id, month)))._tag, "invoice.not_found", month)
          })
        )
        assert.deepStrictEqual(yield* broken, [])
      })
    )

    it.effect("show a receipt to its workspace alone, with what was taken back", () =>
      withEngine(
        Effect.gen(function* () {
          const [id, other] = [workspaceId(crypto.randomUUID()), workspaceId(crypto.randomUUID())]
          const topup = crypto.randomUUID()
          const wallets = yield* Wallets
          const { receipt } = yield* Billing
          yield* Effect.forEach([id, other], open)
          yield* pay(id, topup)
          const taken = {
            reference_type: "topup",
            reference_id: topup,
            description: "Refunded",
            origin: systemOrigin,
            amount_minor: 200
          }
          yield* wallets.debit(id, {
            ...taken,
            entry_id: crypto.randomUUID(),
            kind: "topup_reversal",
            may_overdraw: true
          })
          const first = yield* receipt(id, toTopUpId(topup))
          assert.deepInclude(first, { amount_minor: 700, reversed_minor: 200, provider_reference: topup })
          // What the provider returns is a credit, and no payment of its own.
          yield* wallets.credit(id, { ...taken, entry_id: crypto.randomUUID(), kind: "topup" })
          assert.deepStrictEqual(yield* receipt(id, toTopUpId(topup)), { ...first, reversed_minor: 0 })
          const next = crypto.randomUUID()
          yield* pay(id, next)
          assert.strictEqual((yield* receipt(id, toTopUpId(next))).number, first.number.replace("00001", "00002"))
          assert.strictEqual((yield* Effect.flip(receipt(other, toTopUpId(topup))))._tag, "receipt.not_found")
        })
      )
    )
  }
)
