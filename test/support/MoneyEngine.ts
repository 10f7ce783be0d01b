// The HTTP server over real wallets and top-ups in memory; everything else is a fake.
import { Effect, Layer, Redacted, Stream } from "effect"
import { createHash } from "node:crypto"
import { Wallets } from "../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { Idempotency } from "../../src/domain/ports/access/Idempotency.ts"
import { CardNotices } from "../../src/domain/ports/money/CardNotices.ts"
import { Ids } from "../../src/domain/ports/engine/Ids.ts"
import { MobileMoneyNotices } from "../../src/domain/ports/money/MobileMoneyNotices.ts"
import { MobileMoney } from "../../src/domain/ports/money/PaymentProvider.ts"
import type { Currency } from "../../src/domain/wallet/Currency.ts"
import * as CardSimulator from "../../src/layers/card/CardSimulator.ts"
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { darajaRoutes } from "../../src/layers/mobilemoney/daraja/DarajaRoutes.ts"
import { secretPathAuth } from "../../src/layers/mobilemoney/SecretPathAuth.ts"
import { CardRoutes } from "../../src/http/ingest/CardIngest.ts"
import { MobileMoneyRoutes } from "../../src/http/ingest/MobileMoneyIngest.ts"
import { layerOver, workspaces } from "./FakeEngine.ts"
import { paymentParts } from "./Payments.ts"

export const callbackSecret = "the-secret-of-the-door"

const idempotency = ({ tables }: MemoryJournal) =>
  Layer.succeed(Idempotency)({
    fingerprint: (text) => createHash("sha256").update(text).digest("hex"),
    find: ({ key, method, route, workspace_id }) =>
      Effect.sync(() =>
        [...tables.idempotency.values()].find(
          (row) => row.key === key && row.method === method && row.route === route && row.workspace_id === workspace_id
        )
      ),
    keep: () => Effect.void
  })

/** The other workspace has 1,000 minor; the active one has no wallet. */
const funded = (currency: Currency) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const wallets = yield* Wallets
      yield* wallets.open(workspaces.other, currency)
      yield* wallets.credit(workspaces.other, {
        entry_id: (yield* Ids).uuid(),
        kind: "topup",
        amount_minor: 1_000,
        reference_type: "topup",
        reference_id: "t",
        description: "",
        origin: systemOrigin
      })
    })
  )

/** The routes to which M-Pesa posts. */
const darajaNotices = (sources: MoneyOptions["sources"]) =>
  Layer.succeed(MobileMoneyNotices)({
    routes: darajaRoutes,
    admits: secretPathAuth({ secrets: [Redacted.make(callbackSecret)], sources }),
    stream: Stream.never
  })

interface MoneyOptions {
  readonly mobileMoney?: Layer.Layer<MobileMoney>
  readonly cards?: typeof CardSimulator.layer
  readonly cardNotices?: Layer.Layer<CardNotices>
  /** The currency of the wallet. */
  readonly currency?: Currency
  /** Whence the provider may post. */
  readonly sources?: ReadonlyArray<string>
}

/** Over a given journal, whose tables a test may read. */
export const moneyEngine = (
  journal: MemoryJournal,
  {
    cardNotices = CardNotices.none,
    cards = CardSimulator.layer,
    currency = "KES",
    mobileMoney = MobileMoney.none,
    sources
  }: MoneyOptions = {}
) =>
  layerOver(
    Layer.mergeAll(funded(currency), darajaNotices(sources), cardNotices).pipe(
      Layer.provideMerge(paymentParts(journal, Layer.merge(mobileMoney, MobileMoneyNotices.none), cards)),
      Layer.provideMerge(idempotency(journal))
    ),
    Layer.merge(MobileMoneyRoutes, CardRoutes)
  )
