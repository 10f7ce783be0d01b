// How each work of a top-up is done: it prompts whoever pays, asks what became of it, and has the wallet credited.
import { Effect, Layer } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import {
  CardPayments,
  MobileMoney,
  type PaymentProvider,
  type PushRequest,
  type Standing
} from "../../domain/ports/PaymentProvider.ts"
import type { TopUpWork } from "../../domain/topups/PlanTopUp.ts"
import { receiptId } from "../../domain/topups/ReceiptIds.ts"
import type { Kept, Proof, TopUp } from "../../domain/topups/TopUp.ts"
import type { TopUpCommand, TopUpReply } from "../../domain/topups/TopUpCommand.ts"
import { IncomingPaymentActor } from "./IncomingPaymentActor.ts"
import { ReconciliationActor, reconciliation_id } from "./ReconciliationActor.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { TopUpActor } from "./TopUpActor.ts"
import { Wallets } from "../wallet/Wallets.ts"

type TopUpSelf = Self<TopUp, TopUpCommand, TopUpReply>
type Done = Effect.Effect<unknown, Failure | NotCommitted>

const requestOf = (id: string, { facts: { account_ref, amount_minor, currency, phone_e164 } }: Kept): PushRequest => ({
  topup_id: id,
  amount_minor,
  currency,
  account_ref,
  phone_e164: phone_e164 ?? ""
})

const creditOf = (id: string, { facts: { provider } }: Kept, { amount_minor, from_suspense, receipt }: Proof) => ({
  entry_id: receiptId(
    from_suspense ? "suspense_release" : provider === "card" ? "card_credit" : "mobilemoney_credit",
    receipt
  ),
  kind: "topup" as const,
  amount_minor,
  reference_type: "topup",
  reference_id: id,
  description: provider === "card" ? "Top-up by card" : "Top-up by mobile money",
  contra: from_suspense ? "suspense" : provider === "card" ? "clearing:card" : "clearing:mobilemoney",
  metadata: { provider_reference: receipt },
  origin: systemOrigin
})

const debitOf = (id: string, { facts: { provider }, proof, reversal }: Kept) => ({
  entry_id: reversal!.entry_id,
  kind: "topup_reversal" as const,
  may_overdraw: true,
  amount_minor: proof!.amount_minor,
  reference_type: "topup",
  reference_id: id,
  description: reversal!.note,
  contra: provider === "card" ? "clearing:card" : "clearing:mobilemoney",
  metadata: { provider_reference: proof!.receipt },
  origin: reversal!.origin
})

/** A receipt that is awaited is asked after so often. */
const hurry_every = "1 minute"

type ProviderOf = (kept: Kept) => PaymentProvider | undefined

const push =
  (providerOf: ProviderOf) =>
  (self: TopUpSelf): Done =>
    Effect.gen(function* () {
      const begun = yield* self.tell({ _tag: "BeginPush" })
      if (begun._tag !== "MayPush" || !begun.yes) return
      const kept = self.state().kept!
      const provider = providerOf(kept)
      if (provider === undefined) {
        return yield* retryWithBackoff(
          self.tell({ _tag: "PushRefused", code: "provider_misconfigured", message: "No provider takes this." })
        )
      }
      // Without an answer the prompt may be there: the provider's own word, or the expiry, decides.
      const pushed = yield* Effect.option(provider.push(requestOf(self.id, kept)))
      if (pushed._tag === "None")
        return yield* Effect.logWarning(`It is not known whether the prompt of top-up ${self.id} went out`)
      return yield* retryWithBackoff(
        self.tell(
          pushed.value._tag === "Accepted"
            ? { _tag: "PushAccepted", request_id: pushed.value.request_id }
            : { _tag: "PushRefused", code: pushed.value.code, message: pushed.value.message }
        )
      )
    })

/** A receipt of mobile money may be another top-up's by now: its own actor knows. */
const paid = (
  system: ActorSystem["Service"],
  self: TopUpSelf,
  { amount_minor, receipt }: Extract<Standing, { _tag: "Paid" }>
): Done => {
  if (receipt === null) return self.tell({ _tag: "Confirm" })
  const { facts } = self.state().kept!
  return facts.provider === "card"
    ? self.tell({ _tag: "Prove", proof: { receipt, amount_minor, from_suspense: false } })
    : system.ask(IncomingPaymentActor, receipt, {
        _tag: "Arrive",
        amount_minor,
        currency: facts.currency,
        account_ref: facts.account_ref,
        paid_at: facts.created_at,
        claimed_by: self.id
      })
}

const ask =
  (system: ActorSystem["Service"], providerOf: ProviderOf) =>
  ({ query, request_id }: Extract<TopUpWork, { _tag: "Query" }>, self: TopUpSelf): Done =>
    Effect.gen(function* () {
      const kept = self.state().kept!
      const provider = providerOf(kept)
      const standing = provider && (yield* Effect.option(provider.query(requestOf(self.id, kept), request_id)))
      if (standing === undefined || standing._tag === "None") return yield* self.tell({ _tag: "StillPending", query })
      switch (standing.value._tag) {
        case "Pending":
          return yield* self.tell({ _tag: "StillPending", query })
        case "Paid":
          return yield* paid(system, self, standing.value)
        case "Failed":
          return yield* self.tell({ _tag: "Fail", code: standing.value.code, message: standing.value.message })
      }
    })

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const wallets = yield* Wallets
    const card = yield* CardPayments
    const mobileMoney = yield* MobileMoney

    const providerOf: ProviderOf = ({ facts: { provider } }) =>
      provider === "card" ? card.provider : mobileMoney.provider
    const prompt = push(providerOf)
    const query = ask(system, providerOf)

    const findReceipt: Done = system
      .ask(ReconciliationActor, reconciliation_id, { _tag: "Hurry" })
      .pipe(Effect.andThen(Effect.sleep(hurry_every)), Effect.forever)

    const credit = (proof: Proof, self: TopUpSelf): Done => {
      const kept = self.state().kept!
      return Effect.andThen(
        wallets.credit(kept.facts.workspace_id, creditOf(self.id, kept, proof)),
        self.tell({ _tag: "Credited" })
      )
    }

    const debit = (self: TopUpSelf): Done => {
      const kept = self.state().kept!
      return Effect.andThen(
        wallets.debit(kept.facts.workspace_id, debitOf(self.id, kept)),
        self.tell({ _tag: "Debited" })
      )
    }

    const done = (work: TopUpWork, self: TopUpSelf): Done => {
      switch (work._tag) {
        case "Push":
          return prompt(self)
        case "Query":
          return query(work, self)
        case "FindReceipt":
          return findReceipt
        case "Credit":
          return credit(work.proof, self)
        case "Debit":
          return debit(self)
      }
    }

    const perform: Perform<TopUp, TopUpCommand, TopUpReply, TopUpWork> = (work, self) =>
      Effect.asVoid(retryWithBackoff(done(work, self)))
    yield* system.register(TopUpActor, perform)
  })
)
