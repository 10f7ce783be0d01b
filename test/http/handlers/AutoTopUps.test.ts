// Automatic top-ups over HTTP, with cards at a server that speaks as Stripe documents.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { TopUpRecord } from "../../../src/domain/topups/TopUpRecord.ts"
import type { AutoTopUpRecord } from "../../../src/domain/wallet/AutoTopUpRecord.ts"
import * as StripeCards from "../../../src/layers/card/stripe/StripeCards.ts"
import * as StripeNotices from "../../../src/layers/card/stripe/StripeNotices.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { FakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import * as MidMonth from "../../support/MidMonth.ts"
import { moneyEngine } from "../../support/MoneyEngine.ts"
import { StripeStandIn, stripeAt } from "../../support/StripeStandIn.ts"
import { until, untilHolds } from "../../support/Until.ts"

/** In the middle of a month, which has a ceiling. */
const served = <A, E>(
  test: (
    standIn: StripeStandIn,
    journal: MemoryJournal
  ) => Effect.Effect<A, E, FakeEngine | Wallets | Effect.Services<ReturnType<typeof ask>>>
) =>
  Effect.gen(function* () {
    const standIn = new StripeStandIn()
    const options = yield* stripeAt(standIn)
    const journal = yield* MemoryJournal.make
    const engine = moneyEngine(journal, {
      cards: StripeCards.layer(options),
      cardNotices: StripeNotices.layer(options)
    })
    return yield* Effect.provide(test(standIn, journal), engine)
  }).pipe(Effect.provide(MidMonth.layer), Effect.scoped)

const key = Effect.flatMap(FakeEngine, ({ mint }) => mint({ workspace_id: workspaces.other }))
const settings = { enabled: true, threshold_minor: 20_000, amount_minor: 30_000, monthly_ceiling_minor: 100_000 }
/** By a signed-in admin. */
const set = (change: Partial<typeof settings> = {}) =>
  ask({
    path: "/v1/wallet/auto-topup",
    method: "PUT",
    headers: { cookie: "session=other-admin" },
    body: { ...settings, ...change }
  })
const setByKey = (change: Partial<typeof settings> = {}) =>
  Effect.flatMap(key, (key) =>
    ask({ path: "/v1/wallet/auto-topup", method: "PUT", key, body: { ...settings, ...change } })
  )
const shown = Effect.flatMap(key, (key) =>
  Effect.map(ask({ path: "/v1/wallet/auto-topup", key }), ({ body }) => body as AutoTopUpRecord)
)
const balance = Effect.flatMap(key, (key) =>
  Effect.map(ask({ path: "/v1/wallet/balance", key }), ({ body }) => (body as { balance_minor: number }).balance_minor)
)

/** A payer pays a top-up of 50,000 and has the card saved; the wallet then has 51,000. */
const saveCard = (standIn: StripeStandIn) =>
  Effect.gen(function* () {
    const started = yield* ask({
      path: "/v1/topups",
      key: yield* key,
      body: { provider: "card", amount_minor: 50_000, currency: "KES", save_card: true }
    })
    const { topup_id } = started.body as TopUpRecord
    const session = standIn.pay(topup_id)
    const { headers, payload } = standIn.event("checkout.session.completed", session, yield* Clock.currentTimeMillis)
    assert.strictEqual((yield* ask({ path: "/v1/ingest/card", method: "POST", headers, body: payload })).status, 200)
    yield* until("balance of 51_000", balance, (minor) => minor === 51_000)
    return session.payment_intent!
  })

const spend = (amount_minor: number) =>
  Effect.flatMap(Wallets, ({ debit }) =>
    debit(workspaces.other, {
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

describe("automatic top-ups by Stripe", () => {
  it.live("charge the saved card once the balance is low, up to the ceiling of the month", () =>
    served((standIn, journal) =>
      Effect.gen(function* () {
        assert.deepInclude(yield* shown, { enabled: false, card: null, charged_minor: 0, threshold_minor: null })
        assert.deepInclude(yield* set(), { status: 409, code: "wallet.card_missing" })
        const first = yield* saveCard(standIn)
        assert.deepInclude((yield* set()).body as AutoTopUpRecord, {
          enabled: true,
          card: { brand: "visa", last4: "4242" },
          currency: "KES"
        })
        assert.lengthOf(standIn.intents, 0, "there is enough money")
        yield* spend(40_000)
        yield* until("balance of 41_000", balance, (minor) => minor === 41_000)
        assert.deepInclude(Object.fromEntries(standIn.of("POST", "/v1/payment_intents")[0]!.form), {
          customer: first.customer!,
          payment_method: first.payment_method!.id,
          amount: "30000"
        })
        yield* until("end of the top-up", shown, ({ topup_in_progress }) => topup_in_progress === null)
        assert.strictEqual((yield* shown).charged_minor, 30_000)
        yield* spend(40_000)
        yield* until("balance of 31_000", balance, (minor) => minor === 31_000)
        yield* spend(30_000)
        yield* until("balance of 31_000", balance, (minor) => minor === 31_000)
        yield* until("end of the top-up", shown, ({ topup_in_progress }) => topup_in_progress === null)
        // A fourth one would pass the ceiling.
        yield* spend(30_000)
        // What the wallet begins after a debit comes before the commands that follow.
        for (let command = 0; command < 3; command++) assert.strictEqual((yield* set()).status, 200)
        assert.isNull((yield* shown).topup_in_progress)
        assert.strictEqual(yield* balance, 1_000)
        assert.lengthOf(standIn.intents, 3)
        assert.strictEqual((yield* shown).charged_minor, 90_000)
        const automatic = journal.tables.ledger.filter(({ description }) => description === "Automatic top-up by card")
        assert.lengthOf(automatic, 3)
        assert.deepStrictEqual(
          automatic.map(({ metadata }) => JSON.parse(metadata).provider_reference),
          standIn.intents.map(({ id }) => id)
        )
      })
    )
  )

  it.live("have a ceiling that no API key raises, whatever its scopes", () =>
    served((standIn, journal) =>
      Effect.gen(function* () {
        yield* saveCard(standIn)
        const refused = { status: 403, code: "api_key.scope_denied" }
        assert.deepInclude(yield* setByKey(), refused, "none is set")
        assert.deepInclude(yield* setByKey({ enabled: false }), refused, "also while they are off")
        assert.strictEqual((yield* set({ monthly_ceiling_minor: 60_000 })).status, 200)
        assert.deepInclude(yield* setByKey({ monthly_ceiling_minor: 60_001 }), refused)
        const within = { threshold_minor: 30_000, amount_minor: 20_000, monthly_ceiling_minor: 40_000 }
        assert.deepInclude((yield* setByKey(within)).body as AutoTopUpRecord, { enabled: true, ...within })
        assert.deepInclude(yield* setByKey({ monthly_ceiling_minor: 60_000 }), refused, "lowered is lowered")
        yield* spend(50_000)
        yield* until(
          "two charges",
          shown,
          ({ charged_minor, topup_in_progress }) => charged_minor === 40_000 && topup_in_progress === null
        )
        assert.lengthOf(standIn.intents, 2)
        const by = journal.tables.audit
          .filter(({ action_kind }) => action_kind === "wallet.auto_topup_changed")
          .map(({ actor }) => JSON.parse(actor).type)
        assert.deepStrictEqual(by, ["user", "api_key"])
      })
    )
  )

  it.live("charge once, although every answer of Stripe is lost at first", () =>
    served((standIn) =>
      Effect.gen(function* () {
        yield* saveCard(standIn)
        yield* set()
        standIn.next = ["cut", "cut", "cut", "cut", "cut"]
        yield* spend(40_000)
        yield* until("balance of 41_000", balance, (minor) => minor === 41_000)
        yield* until("end of the top-up", shown, ({ topup_in_progress }) => topup_in_progress === null)
        assert.lengthOf(standIn.intents, 1)
      })
    )
  )

  it.live("are turned off if the bank wants the owner of the card, with a webhook", () =>
    served((standIn, journal) =>
      Effect.gen(function* () {
        yield* saveCard(standIn)
        yield* set()
        standIn.bank = "authentication_required"
        yield* spend(40_000)
        const off = yield* until("end of automatic top-ups", shown, ({ enabled }) => !enabled)
        assert.deepInclude(off, { disabled_reason: "authentication_required", charged_minor: 0 })
        assert.strictEqual(yield* balance, 11_000)
        const kinds = journal.tables.events.map(({ kind }) => kind)
        assert.includeMembers(kinds, ["topup.failed", "wallet.auto_topup_disabled"])
        // They can be set again.
        standIn.bank = "succeeded"
        assert.deepInclude((yield* set()).body as AutoTopUpRecord, { enabled: true, disabled_reason: null })
        yield* until("balance of 41_000", balance, (minor) => minor === 41_000)
      })
    )
  )

  it.live("wait after a declined payment", () =>
    served((standIn) =>
      Effect.gen(function* () {
        yield* saveCard(standIn)
        yield* set()
        standIn.bank = "card_declined"
        yield* spend(40_000)
        const failed = yield* until("next attempt", shown, ({ next_attempt_at }) => next_attempt_at !== null)
        assert.deepInclude(failed, { enabled: true, disabled_reason: null, charged_minor: 0 })
        assert.isAbove(Date.parse(failed.next_attempt_at!), (yield* Clock.currentTimeMillis) + 3_500_000)
        assert.lengthOf(standIn.of("POST", "/v1/payment_intents"), 1)
      })
    )
  )

  it.live("refuse settings that no top-up could have, and end with the card", () =>
    served((standIn, journal) =>
      Effect.gen(function* () {
        const { payment_method } = yield* saveCard(standIn)
        for (const [change, code] of [
          [{ amount_minor: 0 }, "wallet.invalid_amount"],
          [{ amount_minor: 9_999 }, "wallet.topup_below_minimum"],
          [{ amount_minor: 25_000_001, monthly_ceiling_minor: 30_000_000 }, "topup.limit_exceeded"],
          [{ monthly_ceiling_minor: 29_999 }, "wallet.invalid_amount"],
          [{ threshold_minor: -1 }, "validation.bad_request"],
          [{ amount_minor: 1.5 }, "validation.bad_request"]
        ] as const)
          assert.strictEqual((yield* set(change)).code, code, JSON.stringify(change))
        // They can always be turned off.
        assert.strictEqual((yield* set({ enabled: false, amount_minor: 1 })).status, 200)
        yield* set()
        // The provider is away when the card is removed.
        standIn.next = ["cut", "cut", "cut", "cut"]
        const removed = yield* ask({ path: "/v1/wallet/card", method: "DELETE", key: yield* key })
        assert.deepInclude(removed.body as AutoTopUpRecord, {
          enabled: false,
          card: null,
          disabled_reason: "card_removed"
        })
        yield* spend(40_000)
        yield* untilHolds("detached card", () => standIn.detached.size === 1)
        assert.deepStrictEqual([...standIn.detached], [payment_method!.id])
        assert.lengthOf(standIn.intents, 0)
        const audited = journal.tables.audit.map(({ action_kind }) => action_kind)
        assert.includeMembers(audited, ["wallet.auto_topup_changed", "wallet.card_removed"])
        assert.notInclude(JSON.stringify(journal.tables.audit), "cus_")
      })
    )
  )
})
