import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { PaymentNotices } from "../../../src/actors/ingest/PaymentNotices.ts"
import { TopUps } from "../../../src/actors/topups/TopUps.ts"
import { IncomingPaymentReferences } from "../../../src/domain/ports/money/IncomingPaymentReferences.ts"
import { paidIn, pass, promptEnded, settled } from "../../support/Payments.ts"
import { begin, kinds, ledger, paid, read, withProvider, workspace_id } from "../../support/TopUpScenario.ts"
import { topUpId } from "../../support/Ids.ts"

describe("a payment by hand", () => {
  const ref = Effect.flatMap(IncomingPaymentReferences, ({ of }) => of(workspace_id))

  it.effect(
    "is credited once to the workspace of its reference, whatever its spelling and number of announcements",
    () =>
      withProvider((_, journal) =>
        Effect.gen(function* () {
          const news = yield* PaymentNotices
          const account_ref = yield* ref
          const spelled = ` ${account_ref.slice(0, 5).toLowerCase()}-${account_ref.slice(5)} `
          assert.isTrue(yield* news.accepts(spelled, "KES"))
          const payment = { receipt: "CCC0000001", amount_minor: 1_234, account_ref: spelled, paid_at: 0 }
          yield* paidIn(payment)
          yield* paidIn(payment)
          yield* settled
          yield* paidIn({ ...payment, amount_minor: 99_999 })
          yield* pass(1)
          assert.deepStrictEqual(ledger(journal), [["topup", 1_234, false]])
          const row = [...journal.tables.snapshots.values()].find(({ actor_type }) => actor_type === "TopUp")!
          assert.deepInclude(yield* read(topUpId(row.actor_id)), {
            provider: "manual",
            status: "succeeded",
            provider_reference: "CCC0000001",
            phone_e164: null
          })
          assert.deepStrictEqual(kinds(journal), ["topup.succeeded"])
        })
      )
  )

  it.effect("waits in suspense if no workspace has its reference, until an operator releases it", () =>
    withProvider((_, journal) =>
      Effect.gen(function* () {
        const news = yield* PaymentNotices
        const topups = yield* TopUps
        assert.isFalse(yield* news.accepts("0000000001", "KES"))
        yield* paidIn({ receipt: "DDD0000001", amount_minor: 700, account_ref: "rent", paid_at: 0 })
        yield* settled
        assert.deepStrictEqual(ledger(journal), [["suspense", 700, true]])
        const fiber = yield* Effect.forkChild(topups.release("DDD0000001", workspace_id))
        yield* settled
        assert.deepInclude(yield* Fiber.join(fiber), { status: "succeeded", amount_minor: 700, provider: "manual" })
        assert.deepStrictEqual(ledger(journal), [
          ["suspense", 700, true],
          ["topup", 700, false]
        ])
        assert.deepStrictEqual(journal.tables.ledger[1]!.lines[1], { account: "suspense", amount_minor: -700 })
        assert.strictEqual((yield* Effect.flip(topups.release("DDD0000001", workspace_id)))._tag, "topup.not_found")
        assert.strictEqual((yield* Effect.flip(topups.release("XXX0000001", workspace_id)))._tag, "topup.not_found")
      })
    )
  )
})

describe("the payment of a prompt, announced for the account", () => {
  it.effect("waits for the callback of the prompt and is credited once", () =>
    withProvider((_, journal) =>
      Effect.gen(function* () {
        const { mobilemoney_account_ref: account_ref, topup_id: first } = yield* begin()
        const { topup_id: second } = yield* begin({ phone_e164: "+254700000020" })
        yield* paidIn({ receipt: "EEE0000002", amount_minor: 50_000, account_ref, paid_at: 0 })
        yield* pass(5)
        assert.deepStrictEqual(ledger(journal), [])
        yield* promptEnded(second, paid("EEE0000002"))
        yield* pass(30)
        assert.strictEqual((yield* read(first)).status, "pending")
        assert.deepInclude(yield* read(second), { status: "succeeded", provider_reference: "EEE0000002" })
        assert.deepStrictEqual(ledger(journal), [["topup", 50_000, false]])
      })
    )
  )

  it.effect("is credited to the open prompt of the same amount if there is no callback", () =>
    withProvider((_, journal) =>
      Effect.gen(function* () {
        const { mobilemoney_account_ref: account_ref, topup_id } = yield* begin()
        yield* paidIn({ receipt: "FFF0000001", amount_minor: 50_000, account_ref, paid_at: 0 })
        yield* pass(25)
        assert.deepInclude(yield* read(topup_id), { status: "succeeded", provider_reference: "FFF0000001" })
        // The callback comes late and credits nothing more. Another receipt is another payment.
        yield* promptEnded(topup_id, paid("FFF0000001"))
        yield* promptEnded(topup_id, paid("FFF0000002"))
        yield* pass(25)
        assert.deepStrictEqual(ledger(journal), [
          ["topup", 50_000, false],
          ["topup", 50_000, false]
        ])
      })
    )
  )
})
