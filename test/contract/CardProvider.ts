// What every card provider does, whoever it is.
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { CardPayments, type CardProvider } from "../../src/domain/ports/money/PaymentProvider.ts"
import { topUpId } from "../support/Ids.ts"

interface Subject<E> {
  readonly layer: Layer.Layer<CardPayments, E>
  /** What the payer does. A provider without pages decides by the amount. */
  readonly pay: (topup_id: string) => void
  readonly decline: (topup_id: string) => void
  /** An amount that is paid, and one that is not. */
  readonly amounts: { readonly paid: number; readonly declined: number }
}

const request = (n: number, amount_minor: number) => ({
  topup_id: topUpId(`0190f5fe-7c00-7a00-8000-0000000000${n}`),
  amount_minor,
  currency: "KES" as const,
  phone_e164: "",
  account_ref: "4T7K2M9QX3",
  created_at: 1_790_000_000_000
})

/** Tests a provider. `run` gives a fresh one to each test. */
export const cardProviderContract = <E>(
  run: <A, F>(test: (subject: Subject<E>) => Effect.Effect<A, F>) => Effect.Effect<A, F | E>
) => {
  const tests = (name: string, test: (provider: CardProvider, subject: Subject<E>) => Effect.Effect<void, unknown>) =>
    it.live(name, () =>
      run((subject) =>
        Effect.flatMap(CardPayments, ({ provider }) => {
          assert.isDefined(provider)
          return test(provider!, subject)
        }).pipe(Effect.provide(subject.layer))
      )
    )

  tests("accepts a top-up once, however often it is asked to", (provider, { amounts }) =>
    Effect.gen(function* () {
      const first = yield* provider.push(request(10, amounts.paid))
      assert.strictEqual(first._tag, "Accepted")
      assert.deepStrictEqual(yield* provider.push(request(10, amounts.paid)), first)
      assert.notDeepEqual(yield* provider.push(request(11, amounts.paid)), first)
    })
  )

  tests("names one receipt of a payment, and its amount", (provider, { amounts, pay }) =>
    Effect.gen(function* () {
      const asked = request(12, amounts.paid)
      const pushed = yield* provider.push(asked)
      assert.strictEqual(pushed._tag, "Accepted")
      const request_id = pushed._tag === "Accepted" ? pushed.request_id : ""
      pay(asked.topup_id)
      const standing = yield* provider.query(asked, request_id)
      assert.strictEqual(standing._tag, "Paid")
      assert.deepInclude(standing, { amount_minor: amounts.paid })
      assert.match(standing._tag === "Paid" ? (standing.receipt ?? "") : "", /^\w{1,64}$/)
      assert.deepStrictEqual(yield* provider.query(asked, request_id), standing)
    })
  )

  tests("says why nothing was paid", (provider, { amounts, decline }) =>
    Effect.gen(function* () {
      const asked = request(13, amounts.declined)
      const pushed = yield* provider.push(asked)
      decline(asked.topup_id)
      const standing = yield* provider.query(asked, pushed._tag === "Accepted" ? pushed.request_id : "")
      assert.strictEqual(standing._tag, "Failed")
    })
  )

  tests("saves a card, charges it once for each top-up, and says what was paid", (provider, { amounts, pay }) =>
    Effect.gen(function* () {
      const { charge } = provider
      if (charge === undefined) return
      const saving = { ...request(14, amounts.paid), save_card: true as const }
      const pushed = yield* provider.push(saving)
      pay(saving.topup_id)
      const paid = yield* provider.query(saving, pushed._tag === "Accepted" ? pushed.request_id : "")
      const card = paid._tag === "Paid" ? paid.card : undefined
      assert.isDefined(card)
      assert.match(card!.last4, /^\d{4}$/)
      const automatic = request(15, amounts.paid)
      const charged = yield* charge(automatic, card!.reference)
      assert.strictEqual(charged._tag, "Accepted")
      assert.deepStrictEqual(yield* charge(automatic, card!.reference), charged, "a repeated request")
      const standing = yield* provider.query(automatic, charged._tag === "Accepted" ? charged.request_id : "")
      assert.deepInclude(standing, { _tag: "Paid", amount_minor: amounts.paid })
      const other = yield* charge(request(16, amounts.paid), card!.reference)
      assert.notDeepEqual(other, charged)
    })
  )

  tests("saves no card unless it is asked to", (provider, { amounts, pay }) =>
    Effect.gen(function* () {
      const asked = request(17, amounts.paid)
      const pushed = yield* provider.push(asked)
      pay(asked.topup_id)
      const standing = yield* provider.query(asked, pushed._tag === "Accepted" ? pushed.request_id : "")
      assert.isUndefined(standing._tag === "Paid" ? standing.card : undefined)
    })
  )

  tests("has a step for the amounts of every currency", (provider) =>
    Effect.sync(() => {
      for (const currency of ["KES", "UGX", "TZS", "RWF", "ZAR", "GHS", "NGN"] as const)
        assert.isAtLeast(provider.unitOf?.(currency) ?? 1, 1)
    })
  )
}
