// Top-ups on real actors and a journal in memory, on the virtual clock, with a scripted provider.
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { moneyActors } from "../../src/actors/core/MoneyArea.ts"
import { CardPaymentNotices } from "../../src/actors/ingest/CardPaymentNotices.ts"
import { PaymentNotices, takeStream } from "../../src/actors/ingest/PaymentNotices.ts"
import * as ReconciliationActor from "../../src/actors/topups/ReconciliationActor.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { MobileMoneyNotices } from "../../src/domain/ports/money/MobileMoneyNotices.ts"
import { TopUpLimitTable } from "../../src/domain/ports/money/TopUpLimitTable.ts"
import type { TopUpLimit } from "../../src/domain/topups/TopUpLimit.ts"
import * as LocalSystem from "../../src/actors/runtime/LocalSystem.ts"
import { TopUps } from "../../src/actors/topups/TopUps.ts"
import * as PerformWallet from "../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../src/actors/wallet/WalletOwner.ts"
import { AutoTopUps } from "../../src/actors/wallet/AutoTopUps.ts"
import { Wallets } from "../../src/actors/wallet/Wallets.ts"
import { Idempotency } from "../../src/domain/ports/access/Idempotency.ts"
import {
  CardPayments,
  MobileMoney,
  type MobileMoneyProvider,
  ProviderUnanswered
} from "../../src/domain/ports/money/PaymentProvider.ts"
import type { Currency } from "../../src/domain/wallet/Currency.ts"
import * as CardSimulator from "../../src/layers/card/CardSimulator.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { memorySettings } from "../../src/layers/memory/MemorySettings.ts"
import * as MemoryReads from "../../src/layers/memory/MemoryReads.ts"
import * as MemoryTopUpReads from "../../src/layers/memory/MemoryTopUpReads.ts"
import * as MemoryWalletReads from "../../src/layers/memory/MemoryWalletReads.ts"
import * as MobileMoneySimulator from "../../src/layers/mobilemoney/simulator/MobileMoneySimulator.ts"
import * as SimulatedPayments from "../../src/layers/sandbox/SimulatedPayments.ts"
import type { TopUpId } from "../../src/domain/BrandedIds.ts"
import type { PromptResult } from "../../src/domain/topups/PaymentNotice.ts"
import type { ListedPayment, Pushed, PushRequest, Standing } from "../../src/domain/topups/ProviderPayment.ts"

const currency = "KES"

/** The same without the currency, which is optional. */
type InKes<A> = A extends { readonly currency: Currency } ? Omit<A, "currency"> & { readonly currency?: Currency } : A

/** Announces the end of a prompt, as its provider does. Payments are in KES by default. */
export const promptEnded = (topup_id: TopUpId, result: InKes<PromptResult>) =>
  Effect.flatMap(PaymentNotices, ({ take }) =>
    take({ _tag: "PromptEnded", topup_id, result: result._tag === "Paid" ? { currency, ...result } : result })
  )

/** Announces a payment to the account. */
export const paidIn = (payment: InKes<ListedPayment>) =>
  Effect.flatMap(PaymentNotices, ({ take }) => take({ _tag: "PaidIn", payment: { currency, ...payment } }))

/** A provider whose answers the test sets. */
export class ScriptedProvider {
  readonly pushes: Array<PushRequest> = []
  queries = 0
  readonly listed: Array<InKes<ListedPayment>> = []
  pushed: Pushed | "unanswered" | "never" = { _tag: "Accepted", request_id: "ws_CO_1" }
  standing: Standing | "unanswered" = { _tag: "Pending" }

  readonly provider: MobileMoneyProvider = {
    currency,
    unit_minor: 100,
    push: (request) =>
      Effect.suspend((): Effect.Effect<Pushed, ProviderUnanswered> => {
        this.pushes.push(request)
        if (this.pushed === "never") return Effect.never
        return this.pushed === "unanswered"
          ? Effect.fail(new ProviderUnanswered({ cause: "cut" }))
          : Effect.succeed(this.pushed)
      }),
    query: () =>
      Effect.suspend((): Effect.Effect<Standing, ProviderUnanswered> => {
        this.queries++
        return this.standing === "unanswered"
          ? Effect.fail(new ProviderUnanswered({ cause: "cut" }))
          : Effect.succeed(this.standing)
      }),
    payments: () => Effect.sync(() => this.listed.map((payment) => ({ currency, ...payment })))
  }

  get layer(): Layer.Layer<MobileMoney | MobileMoneyNotices> {
    return Layer.merge(Layer.succeed(MobileMoney)({ provider: this.provider }), MobileMoneyNotices.none)
  }
}

export const simulated = MobileMoneySimulator.layer

const idempotency = Layer.succeed(Idempotency)({
  fingerprint: (text) => createHash("sha256").update(text).digest("hex"),
  find: () => Effect.succeed(undefined),
  keep: () => Effect.void
})

/** The default limits of the currencies that tests use. */
export const topUpLimits = {
  KES: { currency: "KES", minimum_minor: 10_000, maximum_minor: 25_000_000 },
  UGX: { currency: "UGX", minimum_minor: 300_000, maximum_minor: 300_000_000 }
} as const satisfies Partial<Record<TopUpLimit["currency"], TopUpLimit>>

const limitTable = Layer.succeed(TopUpLimitTable)({
  set: () => Effect.void,
  list: Effect.succeed(Object.values(topUpLimits)),
  of: (currency) => Effect.succeed(currency === "UGX" ? topUpLimits.UGX : topUpLimits.KES)
})

/** What top-ups need, under the actors; a test of HTTP has an Idempotency and ids of its own. */
/** The provider forgets the cards of every workspace. */
const owner = Layer.effect(
  WalletOwner,
  Effect.map(CardPayments, ({ provider }) =>
    WalletOwner.of({
      standing: () => Effect.succeed("active" as const),
      notify: () => Effect.void,
      forgetCard: (_, card) => provider?.forget?.(card) ?? Effect.void
    })
  )
)

export const paymentParts = <E>(
  journal: MemoryJournal,
  mobileMoney: Layer.Layer<MobileMoney | MobileMoneyNotices, E>,
  cards = CardSimulator.layer
) => {
  const ports = Layer.mergeAll(
    journal.layer,
    MemoryReads.charges(journal),
    MemoryWalletReads.layer(journal),
    MemoryTopUpReads.layer(journal),
    mobileMoney,
    cards,
    SimulatedPayments.layer,
    limitTable,
    memorySettings
  )
  const actors = Layer.merge(PerformWallet.layer.pipe(Layer.provide(owner)), moneyActors).pipe(
    Layer.provideMerge(Wallets.layer),
    Layer.provideMerge(LocalSystem.layer),
    Layer.provideMerge(ports)
  )
  const started = Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start)).pipe(
    Layer.provideMerge(actors)
  )
  return Layer.merge(Layer.effectDiscard(ReconciliationActor.beginReconciliation), takeStream).pipe(
    Layer.provideMerge(Layer.mergeAll(TopUps.layer, AutoTopUps.layer, PaymentNotices.layer, CardPaymentNotices.layer)),
    Layer.provideMerge(started)
  )
}

export const payments = <E>(
  journal: MemoryJournal,
  mobileMoney: Layer.Layer<MobileMoney | MobileMoneyNotices, E>,
  cards = CardSimulator.layer
) => paymentParts(journal, mobileMoney, cards).pipe(Layer.provide(idempotency), Layer.provideMerge(SystemIds.layer))

/** Waits until nothing more can happen without time passing. */
export const settled = Effect.flatMap(ActorSystem, ({ drain }) => Effect.andThen(Effect.yieldNow, drain)).pipe(
  Effect.repeat({ times: 20 })
)

/** Lets time pass second by second, or in longer steps. */
export const pass = (seconds: number, step_s = 1) =>
  Effect.gen(function* () {
    yield* settled
    const until = (yield* Clock.currentTimeMillis) + seconds * 1_000
    while ((yield* Clock.currentTimeMillis) < until) {
      yield* TestClock.adjust(step_s * 1_000)
      yield* settled
    }
  })
