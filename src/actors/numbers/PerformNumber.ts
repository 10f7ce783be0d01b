// How the work of a number is done: its claim, its rental, its webhooks, and what ends when it leaves a workspace.
import { Effect, Layer } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { NumberCommands } from "../../domain/numbers/NumberCommand.ts"
import type { Leaving, NumberClaim, NumberData, PhoneNumber } from "../../domain/numbers/PhoneNumber.ts"
import type { EventsUrlChange, NumberWork } from "../../domain/numbers/PlanNumber.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Idempotency } from "../../domain/ports/access/Idempotency.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import type { Debit } from "../../domain/wallet/WalletCommand.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { Wallets } from "../wallet/Wallets.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { NumberActor } from "./NumberActor.ts"
import type { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

type Actor = Self<PhoneNumber, NumberCommands>

/** The refusal of the effect, or undefined if it succeeds. NotCommitted stays a failure: it can be retried. */
const refusalOf = <A, E extends Failure>(effect: Effect.Effect<A, E | NotCommitted>) =>
  Effect.matchEffect(effect, {
    onSuccess: () => Effect.undefined,
    onFailure: (error) => (error instanceof Failure ? Effect.succeed(error) : Effect.fail(error))
  })

/** Work is planned only for a number that is present. */
const dataOf = (self: Actor): NumberData | undefined => {
  const state = self.state()
  return state._tag === "Present" ? state.data : undefined
}

type Month = Pick<Debit, "entry_id" | "amount_minor" | "may_overdraw" | "origin">

/** Debits a month of the number. A wallet refuses a debit of 0, so a free month is not debited. */
const makePay = Effect.map(
  Wallets,
  (wallets) => (number_id: NumberId, number: string, workspace_id: WorkspaceId, month: Month) =>
    month.amount_minor === 0
      ? Effect.void
      : Effect.asVoid(
          wallets.debit(workspace_id, {
            ...month,
            kind: "number_rental",
            reference_type: "number",
            reference_id: number_id,
            description: `A month of ${number}`
          })
        )
)

const makePayRental = Effect.gen(function* () {
  const directory = yield* Directory
  const ids = yield* Ids
  const walletReads = yield* WalletReads
  const wallets = yield* Wallets
  const pay = yield* makePay

  /**
   * While the number is past due, money on hold for calls may be used for the rental, down to a balance of 0. The calls
   * may then take the balance below 0.
   */
  const mayOverdraw = Effect.fnUntraced(function* (workspace_id: WorkspaceId, status: string, amount_minor: number) {
    const balance = status === "active" ? undefined : yield* walletReads.balance(workspace_id)
    return balance !== undefined && balance.balance_minor >= amount_minor
  })

  /** A month that was being paid for is paid or called off before the number leaves. */
  const settled = Effect.fnUntraced(function* (self: Actor, workspace_id: WorkspaceId) {
    const entry_id = dataOf(self)?.charge_id ?? null
    if (entry_id === null) return
    const made = yield* wallets.callOff(workspace_id, entry_id)
    yield* self.tell({ _tag: made === undefined ? "Unpaid" : "Paid", entry_id })
  })

  return traced("Number.payRental")(function* (self: Actor) {
    const workspace_id = dataOf(self)?.workspace_id ?? null
    const workspace = workspace_id === null ? undefined : yield* directory.workspace(workspace_id)
    // Closing a workspace releases its numbers. A number that it got while it was being closed is released here.
    if (workspace?.status === "closed") {
      yield* settled(self, workspace.id)
      yield* self.tell({ _tag: "Release", workspace_id: workspace.id, origin: systemOrigin })
      return
    }
    const entry_id = yield* self.tell({ _tag: "NameCharge", entry_id: ids.uuid() })
    const data = dataOf(self)
    if (entry_id === null || data === undefined || data.workspace_id === null) return
    const amount_minor = data.monthly_price_minor ?? 0
    const may_overdraw = yield* mayOverdraw(data.workspace_id, data.status, amount_minor)
    const month = { entry_id, amount_minor, may_overdraw, origin: systemOrigin }
    const refusal = yield* refusalOf(pay(self.id, data.number, data.workspace_id, month))
    const unpaid = refusal !== undefined && (yield* wallets.callOff(data.workspace_id, entry_id)) === undefined
    yield* self.tell({ _tag: unpaid ? "Unpaid" : "Paid", entry_id })
  })
})

const makeCompleteClaim = Effect.gen(function* () {
  const system = yield* ActorSystem
  const idempotency = yield* Idempotency
  const walletReads = yield* WalletReads
  const wallets = yield* Wallets
  const pay = yield* makePay

  /**
   * Each step can be repeated: a workspace that has chosen its mode stays with it, and the ledger entry is made once.
   */
  return traced("Number.completeClaim")(function* (self: Actor, claim: NumberClaim) {
    const { entry_id, kept_under, origin, starts_sandbox = false, terms, workspace_id } = claim
    const data = dataOf(self)
    if (data === undefined) return
    const month = { entry_id, amount_minor: terms.monthly_price_minor, may_overdraw: false, origin }
    // A paid claim is completed even if the workspace was closed since.
    const paid = (yield* walletReads.entry(workspace_id, entry_id)) !== undefined
    const refusal = paid
      ? undefined
      : yield* refusalOf(
          Effect.andThen(
            starts_sandbox
              ? Effect.void
              : system.ask(WorkspaceCommands.ChooseNumberMode, workspace_id, { mode: "platform" }),
            pay(self.id, data.number, workspace_id, month)
          )
        )
    // An earlier attempt may have paid, unheard, and its money may be what is missing now.
    if (refusal !== undefined && (yield* wallets.callOff(workspace_id, entry_id)) === undefined) {
      yield* self.tell({ _tag: "ClaimRefused", entry_id, failure: refusal })
      return
    }
    // The Idempotency-Key may have served another request meanwhile. Then its stored response stays.
    const isTaken = kept_under !== null && (yield* idempotency.find(kept_under)) !== undefined
    yield* self.tell({
      _tag: "ClaimPaid",
      entry_id,
      ...(kept_under !== null && !isTaken && { idempotency: kept_under })
    })
  })
})

const makeSyncEventsUrl = Effect.map(Webhooks, (webhooks) =>
  traced("Number.syncEventsUrl")(function* (self: Actor, { url, workspace_id }: EventsUrlChange) {
    yield* webhooks.setNumberEventsUrl(workspace_id, self.id, url)
    yield* self.tell({ _tag: "EventsUrlSynced", target: url === null ? null : { workspace_id, url } })
  })
)

const makeEndCredentials = Effect.map(ActorSystem, (system) =>
  traced("Number.endCredentials")(function* (self: Actor, leaving: Leaving) {
    const { at, workspace_id } = leaving
    yield* system.ask(CredentialsCommands.RevokeNumber, workspace_id, {
      number_id: self.id,
      left_at: at,
      origin: systemOrigin
    })
    yield* system.ask(ChatAppCommands.Leave, self.id, { workspace_id, left_at: at })
    yield* self.tell({ _tag: "CredentialsEnded", leaving })
  })
)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const completeClaim = yield* makeCompleteClaim
    const payRental = yield* makePayRental
    const syncEventsUrl = yield* makeSyncEventsUrl
    const endCredentials = yield* makeEndCredentials

    const perform: Perform<PhoneNumber, NumberCommands, NumberWork> = (work, self) => {
      switch (work._tag) {
        case "CompleteClaim":
          return retryWithBackoff(completeClaim(self, work.claim))
        case "PayRental":
          return retryWithBackoff(payRental(self))
        case "SyncEventsUrl":
          return retryWithBackoff(syncEventsUrl(self, work.change))
        case "EndCredentials":
          return retryWithBackoff(endCredentials(self, work.leaving))
      }
    }

    yield* system.register(NumberActor, perform)
  })
)
