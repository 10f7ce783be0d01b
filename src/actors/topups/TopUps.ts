// Top-ups for HTTP and the library.
import { Clock, Context, Effect, Layer } from "effect"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import type { Origin } from "../../domain/access/Origin.ts"
import type { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { TopUpNotFound, TopUpProviderFailed, TopUpPushInProgress } from "../../domain/errors/TopUpErrors.ts"
import { type WalletCurrencyMismatch, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { Idempotency } from "../../domain/ports/access/Idempotency.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { IncomingPaymentReferences } from "../../domain/ports/money/IncomingPaymentReferences.ts"
import { CardPayments, MobileMoney } from "../../domain/ports/money/PaymentProvider.ts"
import { SandboxPayments } from "../../domain/ports/money/SandboxPayments.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { TopUpLimitTable } from "../../domain/ports/money/TopUpLimitTable.ts"
import { TopUpReads } from "../../domain/ports/money/TopUpReads.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { IncomingPaymentCommands } from "../../domain/topups/IncomingPaymentCommand.ts"
import { manualTopUpId } from "../../domain/topups/ReceiptIds.ts"
import { TopUpCommands, type TopUpNotice } from "../../domain/topups/TopUpCommand.ts"
import { checkTopUp, type Providers, type TopUpRefusal } from "../../domain/topups/TopUpLimits.ts"
import type { TopUpProvider, TopUpRecord, TopUpRequest } from "../../domain/topups/TopUpRecord.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { awaitCredit, awaitTopUp } from "./AwaitTopUp.ts"
import { makeReservePhone } from "./ReservePhone.ts"
import { type TopUpId, toTopUpId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

/** A UUID of version 8 (RFC 9562, section 5.8) from a hash in hex. */
const idOfHash = (hash: string): TopUpId =>
  toTopUpId(hash.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5"))

/** Whether the provider has taken or refused the push, or the top-up is over. */
const isAnswered = ({ push, record }: TopUpNotice): boolean => push === "accepted" || record.status !== "pending"

const outcomeOf = ({
  push,
  record
}: TopUpNotice): Effect.Effect<TopUpRecord, TopUpProviderFailed | TopUpPushInProgress> => {
  if (push !== "refused") return Effect.succeed(record)
  const { failure_code, failure_message } = record
  return Effect.fail(
    failure_code === "payer_busy" || failure_code === "duplicate_request"
      ? new TopUpPushInProgress()
      : new TopUpProviderFailed({
          ...(failure_message && { message: failure_message }),
          ...(failure_code && { reason: failure_code })
        })
  )
}

/** The phone as it is reserved. Prompts in a sandbox keep nobody from a real one. */
const phoneOf = (workspace_id: WorkspaceId, phone_e164: string): string =>
  isSandbox(workspace_id) ? `${workspace_id} ${phone_e164}` : phone_e164

/** How long an Idempotency-Key is valid (docs/idempotency.md). */
export const keyLifetime_ms = 24 * 3_600_000

export interface StartTopUp {
  readonly workspace_id: WorkspaceId
  readonly request: TopUpRequest
  readonly origin: Origin
  readonly idempotency?: IdempotentRequest | undefined
}

export class TopUps extends Context.Service<
  TopUps,
  {
    /**
     * Prompts the payer. Returns once the provider has taken the push, or after 10 seconds. If the provider refuses it,
     * it fails with TopUpProviderFailed, and no money is taken.
     */
    readonly start: (
      start: StartTopUp
    ) => Effect.Effect<
      TopUpRecord,
      WalletNotFound | TopUpRefusal | TopUpPushInProgress | TopUpProviderFailed | NotCommitted | ReadFailed
    >
    /** What payers enter for payments by hand to a workspace that has a wallet. */
    readonly reference: (workspace_id: WorkspaceId) => Effect.Effect<string, WalletNotFound | ReadFailed>
    readonly get: (
      workspace_id: WorkspaceId,
      topup_id: TopUpId
    ) => Effect.Effect<TopUpRecord, TopUpNotFound | ReadFailed>
    /**
     * Debits the wallet because the provider took the money of a succeeded top-up back. The balance may become
     * negative. A repeated reversal changes nothing.
     */
    readonly reverse: (
      topup_id: TopUpId,
      note: string,
      origin: Origin
    ) => Effect.Effect<TopUpRecord, TopUpNotFound | NotCommitted>
    /** Assigns a payment in suspense to a workspace, as a top-up by hand, and waits for its credit. */
    readonly release: (
      receipt: string,
      workspace_id: WorkspaceId
    ) => Effect.Effect<
      TopUpRecord,
      WalletNotFound | WalletCurrencyMismatch | TopUpNotFound | ServiceUnavailable | NotCommitted | ReadFailed
    >
  }
>()("trunkline/actors/TopUps") {
  static readonly layer = Layer.suspend(() => Layer.effect(TopUps, make))
}

/**
 * The id of the top-up of a request. A request that is repeated with its Idempotency-Key is the same top-up for as long
 * as keys are valid. The id follows from the key and the day, so yesterday's id may be that of a top-up of the last 24
 * hours.
 */
const makeIdOf = (ids: Ids["Service"], idempotencies: Idempotency["Service"], reads: TopUpReads["Service"]) =>
  Effect.fnUntraced(function* (workspace_id: WorkspaceId, idempotency: IdempotentRequest | undefined) {
    if (idempotency === undefined) return toTopUpId(ids.uuid())
    const { fingerprint, key } = idempotency
    const idOn = (day: number) =>
      idOfHash(idempotencies.fingerprint(JSON.stringify(["topup", workspace_id, key, fingerprint, day])))
    const now = yield* Clock.currentTimeMillis
    const today = Math.floor(now / keyLifetime_ms)
    const before = yield* reads.find(workspace_id, idOn(today - 1))
    return before !== undefined && now - Date.parse(before.created_at) < keyLifetime_ms ? before.topup_id : idOn(today)
  })

/** Live workspaces have the providers of the deployment, sandboxes the simulated ones. */
const makeProvidersOf = Effect.gen(function* () {
  const card = yield* CardPayments
  const mobileMoney = yield* MobileMoney
  const sandbox = yield* SandboxPayments
  return (workspace_id: WorkspaceId, currency: Currency): Providers =>
    isSandbox(workspace_id)
      ? { card: sandbox.card !== undefined, mobileMoney: sandbox.mobileMoney }
      : {
          card: card.provider !== undefined,
          card_unit_minor: card.provider?.unitOf?.(currency) ?? 1,
          mobileMoney: mobileMoney.provider
        }
})

const make = Effect.gen(function* () {
  const system = yield* ActorSystem
  const idempotencies = yield* Idempotency
  const ids = yield* Ids
  const limits = yield* TopUpLimitTable
  const reads = yield* TopUpReads
  const references = yield* IncomingPaymentReferences
  const wallets = yield* WalletReads

  const reservePhone = makeReservePhone(system, reads)
  const providersOf = yield* makeProvidersOf

  const idOf = makeIdOf(ids, idempotencies, reads)

  const walletOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    return (yield* wallets.balance(workspace_id)) ?? (yield* new WalletNotFound())
  })

  return TopUps.of({
    reference: traced("TopUps.reference")(function* (workspace_id) {
      yield* walletOf(workspace_id)
      return yield* forEverybody(references.of(workspace_id))
    }),

    get: traced("TopUps.get")(function* (workspace_id, topup_id) {
      return (yield* reads.find(workspace_id, topup_id)) ?? (yield* new TopUpNotFound())
    }),

    start: traced("TopUps.start")(function* ({ idempotency, origin, request, workspace_id }) {
      const { currency } = yield* walletOf(workspace_id)
      const providers = providersOf(workspace_id, currency)
      yield* Effect.fromResult(checkTopUp(request, currency, providers, yield* limits.of(currency)))
      const id = yield* idOf(workspace_id, idempotency)
      const { amount_minor, phone_e164 = null } = request
      // Any other provider was refused.
      const provider: TopUpProvider = request.provider === "mobilemoney" ? "mobilemoney" : "card"
      if (phone_e164 !== null && provider === "mobilemoney") yield* reservePhone(phoneOf(workspace_id, phone_e164), id)
      const account_ref = yield* forEverybody(references.of(workspace_id))
      const created_at = yield* Clock.currentTimeMillis
      const saving = provider === "card" && request.save_card === true && { save_card: true as const }
      const facts = { workspace_id, provider, amount_minor, currency, phone_e164, account_ref, created_at, ...saving }
      const start = system.ask(TopUpCommands.Start, id, { facts, proof: null, origin })
      const record = yield* outcomeOf(yield* awaitTopUp(system, id, start, isAnswered))
      if (idempotency === undefined) return record
      // The top-up exists: it has just been started.
      const show = Effect.catchTag(system.ask(TopUpCommands.Show, id, { idempotency }), "topup.not_found", Effect.die)
      return (yield* show).record
    }),

    reverse: traced("TopUps.reverse")(function* (topup_id, note, origin) {
      const reverse = system.ask(TopUpCommands.Reverse, topup_id, { entry_id: ids.uuid(), note, origin })
      const isReversed = ({ record }: TopUpNotice) => record.status === "reversed"
      return (yield* awaitTopUp(system, topup_id, reverse, isReversed)).record
    }),

    release: traced("TopUps.release")(function* (receipt, workspace_id) {
      // Money that was really paid belongs to no sandbox.
      if (isSandbox(workspace_id)) return yield* new WalletNotFound()
      const { currency } = yield* walletOf(workspace_id)
      yield* system.ask(IncomingPaymentCommands.Release, receipt, { workspace_id, currency })
      return yield* awaitCredit(system, manualTopUpId(receipt))
    })
  })
})
