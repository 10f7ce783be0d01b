// Money for sandboxes: credited for nothing up to a limit, and paid in by hand as if by mobile money.
import { Clock, Context, Effect, Layer, Option, Schedule } from "effect"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { Origin } from "../../domain/access/Origin.ts"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { testPrices } from "../../domain/numbers/TestNetwork.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { IncomingPaymentReferences } from "../../domain/ports/money/IncomingPaymentReferences.ts"
import { TopUpReads } from "../../domain/ports/money/TopUpReads.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { readAccountRef } from "../../domain/topups/AccountRef.ts"
import { IncomingPaymentCommands } from "../../domain/topups/IncomingPaymentCommand.ts"
import { promptLifetime_ms } from "../../domain/topups/TopUp.ts"
import { sandboxReceipt } from "../../domain/topups/ReceiptIds.ts"
import { TopUpCommands } from "../../domain/topups/TopUpCommand.ts"
import type { TopUpRecord } from "../../domain/topups/TopUpRecord.ts"
import { traced } from "../../domain/Traced.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { Wallets } from "../wallet/Wallets.ts"
import { keyLifetime_ms } from "./TopUps.ts"

/** The highest balance that free credit makes, and the highest payment by hand: ten thousand minutes. Minor units. */
export const sandboxBalanceMax_minor = (currency: Currency): number => testPrices[currency].per_min_minor * 10_000

/** A request for money in a sandbox. `amount_minor`: minor units of its currency. */
export interface SandboxRequest {
  readonly workspace_id: WorkspaceId
  readonly amount_minor: number
  readonly idempotency: IdempotentRequest | undefined
}

export class SandboxFunds extends Context.Service<
  SandboxFunds,
  {
    /** Credits the sandbox, up to `sandboxBalanceMax_minor`. */
    readonly credit: (
      request: SandboxRequest & { readonly origin: Origin }
    ) => Effect.Effect<
      { readonly balance_minor: number; readonly currency?: Currency },
      WalletNotFound | WalletInvalidAmount | NotCommitted | ReadFailed
    >
    /** A payment by hand with this reference, which must be the sandbox's own. Returns the credited top-up. */
    readonly payIn: (
      request: SandboxRequest & { readonly account_ref: string | undefined }
    ) => Effect.Effect<
      TopUpRecord,
      WalletNotFound | WalletInvalidAmount | BadRequest | ServiceUnavailable | NotCommitted | ReadFailed
    >
  }
>()("trunkline/actors/SandboxFunds") {
  static readonly layer = Layer.suspend(() => Layer.effect(SandboxFunds, make))
}

/** Refuses an amount that could overflow the wallet: its credit would fail and be tried again for ever. */
const tooMuch = (currency: Currency) => {
  const message = `A payment to a sandbox is of at most ${sandboxBalanceMax_minor(currency)} minor units.`
  return new WalletInvalidAmount({ message })
}

const otherReference = () => {
  const message = "The account reference is not that of this sandbox. A payment with it would not reach the wallet."
  return new BadRequest({ message, details: [{ field: "/account_ref", code: "not_own", message }] })
}

/** Waits for the top-up that a payment becomes, until its money is in the wallet. Fails with 503 after 10 seconds. */
const creditOf = (read: Effect.Effect<TopUpRecord | undefined, ReadFailed>) =>
  Effect.filterOrFail(
    read,
    (topup): topup is TopUpRecord => topup?.status === "succeeded",
    () => new ServiceUnavailable({ message: "The payment was made; its credit is not stored yet." })
  ).pipe(
    Effect.retry({
      while: (error) => error instanceof ServiceUnavailable,
      schedule: Schedule.spaced("20 millis"),
      times: 500
    })
  )

const make = Effect.gen(function* () {
  const ids = yield* Ids
  const references = yield* IncomingPaymentReferences
  const system = yield* ActorSystem
  const topUpReads = yield* TopUpReads
  const walletReads = yield* WalletReads
  const wallets = yield* Wallets

  const currencyOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    return ((yield* walletReads.balance(workspace_id)) ?? (yield* new WalletNotFound())).currency
  })

  /**
   * The id of a request. A request that is repeated with its Idempotency-Key while the key is valid has the same id.
   * `madeAt` returns when the request with an id was carried out.
   */
  const idOf = Effect.fnUntraced(function* <E>(
    idempotency: IdempotentRequest | undefined,
    madeAt: (id: string) => Effect.Effect<string | undefined, E>
  ) {
    if (idempotency === undefined) return ids.uuid()
    const { fingerprint, key, route, workspace_id } = idempotency
    const idOn = (day: number) => ids.named(JSON.stringify([route, workspace_id, key, fingerprint, day]))
    const now = yield* Clock.currentTimeMillis
    const today = Math.floor(now / keyLifetime_ms)
    const before = yield* madeAt(idOn(today - 1))
    return before !== undefined && now - Date.parse(before) < keyLifetime_ms ? idOn(today - 1) : idOn(today)
  })

  return SandboxFunds.of({
    credit: traced("SandboxFunds.credit")(function* ({ amount_minor, idempotency, origin, workspace_id }) {
      const max_balance_minor = sandboxBalanceMax_minor(yield* currencyOf(workspace_id))
      const entry_id = yield* idOf(idempotency, (id) =>
        Effect.map(walletReads.entry(workspace_id, id), (entry) => entry?.created_at)
      )
      return yield* wallets.credit(workspace_id, {
        entry_id,
        kind: "manual_credit",
        amount_minor,
        max_balance_minor,
        reference_type: "sandbox",
        reference_id: entry_id,
        description: "Free credit of test mode",
        origin,
        ...(idempotency && { idempotency })
      })
    }),
    payIn: traced("SandboxFunds.payIn")(function* ({ account_ref, amount_minor, idempotency, workspace_id }) {
      const own = yield* forEverybody(references.of(workspace_id))
      if (account_ref !== undefined && Option.getOrUndefined(readAccountRef(account_ref)) !== own)
        return yield* otherReference()
      const currency = yield* currencyOf(workspace_id)
      if (amount_minor <= 0) return yield* new WalletInvalidAmount()
      if (amount_minor > sandboxBalanceMax_minor(currency)) return yield* tooMuch(currency)
      const id = yield* idOf(idempotency, (id) =>
        Effect.map(topUpReads.ofReceipt(workspace_id, sandboxReceipt(id)), (topup) => topup?.created_at)
      )
      const receipt = sandboxReceipt(id)
      const now = yield* Clock.currentTimeMillis
      // As with a real payment, an open prompt of the same amount gets it.
      const [prompt] = yield* topUpReads.unpaid(workspace_id, amount_minor, now - promptLifetime_ms, now)
      yield* system.ask(IncomingPaymentCommands.Announce, receipt, {
        amount_minor,
        currency,
        account_ref: own,
        paid_at: now,
        claimed_by: prompt?.status === "pending" ? prompt.topup_id : null
      })
      const topup = yield* creditOf(topUpReads.ofReceipt(workspace_id, receipt))
      if (idempotency === undefined) return topup
      // The top-up exists: it has just been credited.
      const show = system.ask(TopUpCommands.Show, topup.topup_id, { idempotency })
      return (yield* Effect.catchTag(show, "topup.not_found", Effect.die)).record
    })
  })
})
