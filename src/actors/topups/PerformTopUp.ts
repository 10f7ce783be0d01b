// Performs the work of a top-up: prompts the payer, queries the outcome, and credits or debits the wallet.
import { Clock, Context, Effect, Layer, Option } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import type { Refusal } from "../../domain/Command.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { TopUpNotFound } from "../../domain/errors/TopUpErrors.ts"
import { namedId } from "../../domain/idempotency/NamedId.ts"
import { Idempotency } from "../../domain/ports/access/Idempotency.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { CardPayments, type CardProvider, MobileMoney } from "../../domain/ports/money/PaymentProvider.ts"
import { IncomingPaymentCommands } from "../../domain/topups/IncomingPaymentCommand.ts"
import type { TopUpWork } from "../../domain/topups/PlanTopUp.ts"
import { SandboxPayments } from "../../domain/ports/money/SandboxPayments.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { isReceipt, receiptId } from "../../domain/topups/ReceiptIds.ts"
import { ReconciliationCommands } from "../../domain/topups/Reconciliation.ts"
import type { TopUp, TopUpFacts } from "../../domain/topups/TopUp.ts"
import type { TopUpCommands } from "../../domain/topups/TopUpCommand.ts"
import { cardClearing } from "../../domain/wallet/Wallet.ts"
import type { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { Wallets } from "../wallet/Wallets.ts"
import { reconciliationOf } from "./ReconciliationActor.ts"
import { TopUpActor } from "./TopUpActor.ts"
import { traced } from "../../domain/Traced.ts"
import type { TopUpId } from "../../domain/BrandedIds.ts"
import type { PushRequest, Standing } from "../../domain/topups/ProviderPayment.ts"

type TopUpSelf = Self<TopUp, TopUpCommands>
type Done = Effect.Effect<void, TopUpNotFound | Refusal<WalletCommands, "Credit" | "Debit"> | NotCommitted>
type WorkOf<Tag extends TopUpWork["_tag"]> = Extract<TopUpWork, { readonly _tag: Tag }>
/** Only providers of cards have `charge`. */
type AnyProvider = Pick<CardProvider, "push" | "query" | "charge">
type ProviderOf = (facts: TopUpFacts) => AnyProvider | undefined

export class TopUpSettings extends Context.Service<
  TopUpSettings,
  {
    /** For how many days money from a card buys no high-risk and premium calls. */
    readonly fresh_card_days: number
  }
>()("trunkline/actors/TopUpSettings") {}

const day_ms = 86_400_000

/** How often the list of payments is read while a receipt is missing. */
const hurryInterval = "1 minute"

const requestOf = (
  topup_id: TopUpId,
  { account_ref, amount_minor, created_at, currency, phone_e164, save_card }: TopUpFacts
): PushRequest => ({
  topup_id,
  amount_minor,
  currency,
  account_ref,
  created_at,
  phone_e164: phone_e164 ?? "",
  ...(save_card && { save_card })
})

const clearingOf = ({ provider }: TopUpFacts): string => (provider === "card" ? cardClearing : "clearing:mobilemoney")

/** Until when this money is fresh. Nobody disputes a payment of mobile money with a bank. */
const freshness = ({ provider }: TopUpFacts, { fresh_card_days }: TopUpSettings["Service"], now: number) =>
  provider === "card" && fresh_card_days > 0 ? { fresh_until: now + fresh_card_days * day_ms } : {}

/** SHA-256 of a text, in hex. */
type Digest = (text: string) => string

/** The entry of a card payment follows from the provider's id of the payment, so it is credited once. */
const cardEntryId = (receipt: string, digest: Digest): string =>
  isReceipt(receipt) ? receiptId("card_credit", receipt) : namedId(digest(JSON.stringify(["card_credit", receipt])))

const creditOf = (
  id: string,
  { facts, proof: { amount_minor, card, from_suspense, receipt } }: WorkOf<"Credit">,
  digest: Digest
) => {
  const byCard = facts.provider === "card"
  return {
    entry_id: byCard
      ? cardEntryId(receipt, digest)
      : receiptId(from_suspense ? "suspense_release" : "mobilemoney_credit", receipt),
    kind: "topup" as const,
    amount_minor,
    reference_type: "topup",
    reference_id: id,
    description:
      facts.card !== undefined ? "Automatic top-up by card" : byCard ? "Top-up by card" : "Top-up by mobile money",
    contra: from_suspense ? "suspense" : clearingOf(facts),
    metadata: { provider_reference: receipt },
    ...(card && { card }),
    origin: systemOrigin
  }
}

const reversalOf = (id: string, { facts, proof, reversal }: WorkOf<"Debit">) => ({
  entry_id: reversal.entry_id,
  amount_minor: Math.abs(reversal.amount_minor),
  reference_type: "topup",
  reference_id: id,
  description: reversal.note,
  contra: clearingOf(facts),
  metadata: { provider_reference: proof.receipt },
  origin: reversal.origin
})

/** Asks for the payment: a saved card is charged, anybody else is prompted or gets a page. */
const pushOf = ({ charge, push }: AnyProvider, request: PushRequest, { card }: TopUpFacts): ReturnType<typeof push> => {
  if (card === undefined) return push(request)
  return (
    charge?.(request, card) ??
    Effect.succeed({ _tag: "Refused", code: "provider_misconfigured", message: "The provider charges no saved cards." })
  )
}

const makePush = (providerOf: ProviderOf) =>
  traced("TopUp.push")(function* ({ facts }: WorkOf<"Push">, self: TopUpSelf) {
    if (!(yield* self.tell({ _tag: "BeginPush" }))) return
    const provider = providerOf(facts)
    if (provider === undefined) {
      return yield* retryWithBackoff(
        self.tell({ _tag: "PushRefused", code: "provider_misconfigured", message: "No provider takes this." })
      )
    }
    // Without an answer the prompt may have been sent. The provider's callback, a query or the expiry decides. A
    // payment page prompts nobody, so it is asked for again.
    const pushing = pushOf(provider, requestOf(self.id, facts), facts)
    const answer = yield* facts.provider === "card" ? Effect.asSome(retryWithBackoff(pushing)) : Effect.option(pushing)
    if (Option.isNone(answer))
      return yield* Effect.logWarning(`The provider did not confirm the prompt of top-up ${self.id}`)
    const pushed = answer.value
    return yield* retryWithBackoff(
      self.tell(
        pushed._tag === "Accepted"
          ? { _tag: "PushAccepted", request_id: pushed.request_id, ...(pushed.page && { page: pushed.page }) }
          : { _tag: "PushRefused", code: pushed.code, message: pushed.message }
      )
    )
  })

/** A receipt of mobile money goes through its own actor, because another top-up may have it already. */
const recordPaid = (
  system: ActorSystem["Service"],
  self: TopUpSelf,
  { account_ref, created_at, currency, provider }: TopUpFacts,
  { amount_minor, card, currency: paid_in, receipt }: Extract<Standing, { _tag: "Paid" }>,
  query: number
): Done => {
  if (receipt === null) return self.tell({ _tag: "Confirm" })
  if (provider === "card") {
    const proof = { receipt, amount_minor, from_suspense: false, ...(card && { card }) }
    const prove = self.tell({ _tag: "Prove", proof, ...(paid_in !== undefined && { currency: paid_in }) })
    return Effect.flatMap(prove, ({ taken }) => (taken ? Effect.void : self.tell({ _tag: "StillPending", query })))
  }
  const payment = { amount_minor, currency, account_ref, paid_at: created_at, claimed_by: self.id }
  return system.ask(IncomingPaymentCommands.Announce, receipt, payment)
}

const makeQuery = (system: ActorSystem["Service"], providerOf: ProviderOf) =>
  traced("TopUp.query")(function* ({ facts, query, request_id }: WorkOf<"Query">, self: TopUpSelf) {
    const pending = self.tell({ _tag: "StillPending", query })
    const provider = providerOf(facts)
    if (provider === undefined) return yield* pending
    const answer = yield* Effect.option(provider.query(requestOf(self.id, facts), request_id))
    if (Option.isNone(answer)) return yield* pending
    const standing = answer.value
    switch (standing._tag) {
      case "Pending":
        return yield* pending
      case "Paid":
        return yield* recordPaid(system, self, facts, standing, query)
      case "Failed":
        return yield* self.tell({ _tag: "Fail", code: standing.code, message: standing.message })
    }
  })

/** Reads the standing of a card payment until the provider answers. */
const makeCheck = (providerOf: ProviderOf) =>
  traced("TopUp.check")(function* ({ check, facts, request_id }: WorkOf<"Check">, self: TopUpSelf) {
    const provider = providerOf(facts)
    const standing: Standing =
      provider === undefined
        ? { _tag: "Pending" }
        : yield* retryWithBackoff(provider.query(requestOf(self.id, facts), request_id))
    if (standing._tag !== "Paid" || standing.receipt === null)
      return yield* self.tell({
        _tag: "Checked",
        check,
        standing: standing._tag === "Failed" ? standing : { _tag: "Pending" }
      })
    const { amount_minor, card, currency = facts.currency, receipt, taken_back_minor = 0 } = standing
    if (currency !== facts.currency)
      yield* Effect.logError(`Top-up ${self.id} was paid in ${currency}, not ${facts.currency}: refund it by hand`)
    return yield* self.tell({
      _tag: "Checked",
      check,
      standing: { _tag: "Paid", receipt, amount_minor, currency, taken_back_minor, ...(card && { card }) }
    })
  })

const make = Effect.fnUntraced(function* () {
  const settings = yield* TopUpSettings
  const system = yield* ActorSystem
  const { fingerprint } = yield* Idempotency
  const ids = yield* Ids
  const wallets = yield* Wallets
  const card = yield* CardPayments
  const mobileMoney = yield* MobileMoney
  const sandbox = yield* SandboxPayments

  const providerOf: ProviderOf = ({ provider, workspace_id }) => {
    if (isSandbox(workspace_id)) return provider === "card" ? sandbox.card : sandbox.mobileMoney
    return provider === "card" ? card.provider : mobileMoney.provider
  }
  const push = makePush(providerOf)
  const query = makeQuery(system, providerOf)
  const check = makeCheck(providerOf)

  const findReceipt = traced("TopUp.findReceipt")(({ facts }: WorkOf<"FindReceipt">) =>
    system
      .ask(ReconciliationCommands.Hurry, reconciliationOf(facts.workspace_id), {})
      .pipe(Effect.andThen(Effect.sleep(hurryInterval)), Effect.forever)
  )

  const credit = traced("TopUp.credit")(function* (work: WorkOf<"Credit">, self: TopUpSelf) {
    const fresh = freshness(work.facts, settings, yield* Clock.currentTimeMillis)
    yield* wallets.credit(work.facts.workspace_id, { ...creditOf(self.id, work, fingerprint), ...fresh })
    yield* self.tell({ _tag: "Credited" })
  })

  const debit = traced("TopUp.debit")(function* (work: WorkOf<"Debit">, self: TopUpSelf) {
    const movement = reversalOf(self.id, work)
    const fresh = freshness(work.facts, settings, yield* Clock.currentTimeMillis)
    yield* work.reversal.amount_minor > 0
      ? wallets.debit(work.facts.workspace_id, { ...movement, kind: "topup_reversal", may_overdraw: true })
      : wallets.credit(work.facts.workspace_id, { ...movement, ...fresh, kind: "topup" })
    yield* self.tell({ _tag: "Debited" })
  })

  const done = (work: TopUpWork, self: TopUpSelf): Done => {
    switch (work._tag) {
      case "Push":
        return push(work, self)
      case "Query":
        return query(work, self)
      case "FindReceipt":
        return findReceipt(work)
      case "Credit":
        return credit(work, self)
      case "Debit":
        return debit(work, self)
      case "Check":
        return check(work, self)
      case "BeginReversal":
        return self.tell({ _tag: "BeginReversal", entry_id: ids.uuid() })
    }
  }

  return (work: TopUpWork, self: TopUpSelf) => retryWithBackoff(done(work, self))
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    yield* system.register(TopUpActor, yield* make())
  })
)
