// Runs top-ups of one workspace with a wallet in KES, in memory.
import { Effect, Fiber, type Layer } from "effect"
import { TopUps } from "../../src/actors/topups/TopUps.ts"
import { Wallets } from "../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import type { IdempotentRequest } from "../../src/domain/idempotency/IdempotentRequest.ts"
import type { MobileMoneyNotices } from "../../src/domain/ports/money/MobileMoneyNotices.ts"
import type { MobileMoney } from "../../src/domain/ports/money/PaymentProvider.ts"
import type { TopUpRequest } from "../../src/domain/topups/TopUpRecord.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { payments, ScriptedProvider, settled } from "./Payments.ts"
import { workspaceId } from "./Ids.ts"
import type { TopUpId } from "../../src/domain/BrandedIds.ts"

export const workspace_id = workspaceId("0190f5fe-7c00-7a00-8000-00000000000a")
export const request: TopUpRequest = {
  provider: "mobilemoney",
  amount_minor: 50_000,
  currency: "KES",
  phone_e164: "+254700000010"
}
export const origin = systemOrigin

export type Provided<A, E> = Effect.Effect<A, E, Layer.Success<ReturnType<typeof payments>>>

export const on = <A, E, LE>(
  journal: MemoryJournal,
  mobileMoney: Layer.Layer<MobileMoney | MobileMoneyNotices, LE>,
  test: Provided<A, E>
) =>
  Effect.provide(
    Effect.andThen(
      Effect.flatMap(Wallets, (wallets) => wallets.open(workspace_id, "KES")),
      test
    ),
    payments(journal, mobileMoney)
  )

export const withProvider = <A, E>(test: (provider: ScriptedProvider, journal: MemoryJournal) => Provided<A, E>) =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    const provider = new ScriptedProvider()
    return yield* on(journal, provider.layer, test(provider, journal))
  })

/** Starts a top-up and returns once the provider has answered. */
export const begin = (change: Partial<TopUpRequest> = {}, idempotency?: IdempotentRequest) =>
  Effect.gen(function* () {
    const topups = yield* TopUps
    const fiber = yield* Effect.forkChild(
      topups.start({ workspace_id, request: { ...request, ...change }, origin, idempotency })
    )
    yield* settled
    return yield* Fiber.join(fiber)
  })

export const read = (topup_id: TopUpId) => Effect.flatMap(TopUps, ({ get }) => get(workspace_id, topup_id))
export const ledger = ({ tables }: MemoryJournal) =>
  tables.ledger.map(({ amount_minor, kind, workspace_id }) => [kind, amount_minor, workspace_id === null])
export const kinds = ({ tables }: MemoryJournal) => tables.events.map(({ kind }) => kind)
export const paid = (receipt: string, amount_minor = 50_000) =>
  ({ _tag: "Paid", receipt, amount_minor, paid_at: 0 }) as const
