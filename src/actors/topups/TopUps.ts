// The door to top-ups for HTTP, the library and what providers announce.
import { Clock, Context, Effect, Layer } from "effect"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import type { Origin } from "../../domain/access/Origin.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { TopUpNotFound, TopUpProviderFailed, TopUpPushInProgress } from "../../domain/errors/TopUpErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { Idempotency } from "../../domain/ports/Idempotency.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { IncomingPaymentReferences } from "../../domain/ports/IncomingPaymentReferences.ts"
import { CardPayments, MobileMoney } from "../../domain/ports/PaymentProvider.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { TopUpLimitTable } from "../../domain/ports/TopUpLimitTable.ts"
import { TopUpReads } from "../../domain/ports/TopUpReads.ts"
import { WalletReads } from "../../domain/ports/WalletReads.ts"
import type { TopUpNotice } from "../../domain/topups/TopUpCommand.ts"
import { receiptId } from "../../domain/topups/ReceiptIds.ts"
import { mayTopUp } from "../../domain/topups/TopUpLimits.ts"
import type { TopUpRecord, TopUpRequest } from "../../domain/topups/TopUpRecord.ts"
import { IncomingPaymentActor } from "./IncomingPaymentActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { makeCredited, makeReserve, makeTold } from "./TopUpWaiting.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

/** A UUID of version 8 from a hash in hex. */
const idOfHash = (hash: string): string =>
  hash.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5")

const isAnswered = ({ push, record }: TopUpNotice): boolean => push === "accepted" || record.status !== "pending"

const outcomeOf = ({ push, record }: TopUpNotice): Effect.Effect<TopUpRecord, Failure> => {
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

export interface StartOptions {
  readonly workspace_id: string
  readonly request: TopUpRequest
  readonly origin: Origin
  readonly idempotency?: IdempotentRequest | undefined
}

export class TopUps extends Context.Service<
  TopUps,
  {
    /** Prompts whoever pays, and answers once the provider has taken it: 502 where it did not, and nothing was taken. */
    readonly start: (options: StartOptions) => Effect.Effect<TopUpRecord, Unhappy>
    readonly get: (workspace_id: string, topup_id: string) => Effect.Effect<TopUpRecord, Unhappy>
    /** The provider took the money of a succeeded top-up back: so does the wallet, below zero if need be. Once. */
    readonly reverse: (topup_id: string, note: string, origin: Origin) => Effect.Effect<TopUpRecord, Unhappy>
    /** Gives a payment in suspense to a workspace: its top-up, paid in by hand. */
    readonly release: (receipt: string, workspace_id: string) => Effect.Effect<TopUpRecord, Unhappy>
  }
>()("trunkline/actors/TopUps") {
  static readonly layer = Layer.effect(
    TopUps,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const card = yield* CardPayments
      const idempotencies = yield* Idempotency
      const ids = yield* Ids
      const limits = yield* TopUpLimitTable
      const mobileMoney = yield* MobileMoney
      const reads = yield* TopUpReads
      const references = yield* IncomingPaymentReferences
      const wallets = yield* WalletReads

      const credited = makeCredited(system)
      const reserve = makeReserve(system, reads)
      const told = makeTold(system)
      const ways = { card: card.provider !== undefined, mobileMoney: mobileMoney.provider }

      /** The same request again, with its key, is the same top-up. */
      const idOf = (idempotency: IdempotentRequest | undefined): string => {
        if (idempotency === undefined) return ids.uuid()
        const { fingerprint, key, workspace_id } = idempotency
        return idOfHash(idempotencies.fingerprint(JSON.stringify(["topup", workspace_id, key, fingerprint])))
      }

      const get = (workspace_id: string, topup_id: string) =>
        Effect.flatMap(reads.find(workspace_id, topup_id), (record): Effect.Effect<TopUpRecord, TopUpNotFound> =>
          record === undefined ? Effect.fail(new TopUpNotFound()) : Effect.succeed(record)
        )

      return TopUps.of({
        get,
        start: ({ idempotency, origin, request, workspace_id }) =>
          Effect.gen(function* () {
            const wallet = yield* wallets.balance(workspace_id)
            if (wallet === undefined) return yield* new WalletNotFound()
            yield* Effect.fromResult(mayTopUp(request, wallet.currency, ways, yield* limits.of(wallet.currency)))
            const id = idOf(idempotency)
            const { amount_minor, phone_e164 = null, provider } = request
            if (phone_e164 !== null && provider === "mobilemoney") yield* reserve(phone_e164, id)
            const account_ref = yield* forEverybody(references.of(workspace_id))
            const created_at = yield* Clock.currentTimeMillis
            const facts = {
              workspace_id,
              provider,
              amount_minor,
              currency: wallet.currency,
              phone_e164,
              account_ref,
              created_at
            }
            const record = yield* Effect.flatMap(
              told(id, { _tag: "Start", facts, proof: null, origin }, isAnswered),
              outcomeOf
            )
            if (idempotency === undefined) return record
            return (yield* told(id, { _tag: "Show", idempotency }, () => true)).record
          }),
        reverse: (topup_id, note, origin) =>
          Effect.map(
            told(
              topup_id,
              { _tag: "Reverse", entry_id: ids.uuid(), note, origin },
              ({ record }) => record.status === "reversed"
            ),
            ({ record }) => record
          ),
        release: (receipt, workspace_id) =>
          Effect.gen(function* () {
            const wallet = yield* wallets.balance(workspace_id)
            if (wallet === undefined) return yield* new WalletNotFound()
            const reply = yield* system.ask(IncomingPaymentActor, receipt, {
              _tag: "Release",
              workspace_id,
              currency: wallet.currency
            })
            if (reply._tag === "NotInSuspense")
              return yield* new TopUpNotFound({ message: "No payment of this receipt is in suspense." })
            return yield* credited(receiptId("manual_topup", receipt))
          })
      })
    })
  )
}
