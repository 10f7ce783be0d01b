// Performs the work of a wallet: compares its holds with the calls, carries automatic top-ups out, and sends mail.
import { Clock, Effect, Layer, Queue, Schedule } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import { toTopUpId } from "../../domain/BrandedIds.ts"
import { TopUpNotFound } from "../../domain/errors/TopUpErrors.ts"
import { autoTopUpChangedEmail, autoTopUpFailedEmail, lowBalanceEmail } from "../../domain/mail/WalletEmails.ts"
import { Charges } from "../../domain/ports/calls/Charges.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { presentOf } from "../../domain/Presence.ts"
import { TopUpCommands, type TopUpNotice } from "../../domain/topups/TopUpCommand.ts"
import { traced } from "../../domain/Traced.ts"
import type { AutoCharge, ChargeOutcome } from "../../domain/wallet/AutoTopUp.ts"
import type { WalletWork } from "../../domain/wallet/PlanWallet.ts"
import { audit_every_ms, type Wallet } from "../../domain/wallet/Wallet.ts"
import type { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { letterLifetime_ms, type WalletLetter } from "../../domain/wallet/WalletLetter.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { TopUpActor } from "../topups/TopUpActor.ts"
import { WalletActor } from "./WalletActor.ts"
import { WalletOwner } from "./WalletOwner.ts"

type WalletSelf = Self<Wallet, WalletCommands>

/** How often a top-up is looked at while nothing is heard of it: its process may have ended. */
const lookInterval = "1 minute"
/** How soon it is asked again whether a top-up may begin, if it did not: money may come and go meanwhile. */
const beginInterval = "5 seconds"

const makeAudit = Effect.gen(function* () {
  const charges = yield* Charges
  return traced("Wallet.auditHolds")(function* (self: WalletSelf) {
    const now = yield* Clock.currentTimeMillis
    const placed_before = now - audit_every_ms
    const orphans = yield* charges.orphanedHolds(self.id, placed_before)
    yield* self.tell({
      _tag: "Audited",
      orphaned_hold_ids: orphans.map(({ id }) => id),
      unused_hold_ids: orphans.flatMap(({ id, unused }) => (unused ? [id] : [])),
      placed_before
    })
  })
})

/** Undefined while the top-up is pending. An expired one may have been charged after all. */
const outcomeOf = ({ record: { status } }: TopUpNotice): ChargeOutcome | undefined => {
  if (status === "pending") return undefined
  if (status === "failed") return "failed"
  return status === "expired" ? "unconfirmed" : "succeeded"
}

const makeTopUps = Effect.gen(function* () {
  const ids = yield* Ids
  const owner = yield* WalletOwner
  const system = yield* ActorSystem

  const begin = traced("Wallet.beginAutoTopUp")(function* (self: WalletSelf) {
    const standing = yield* owner.standing(self.id)
    yield* self.tell({ _tag: "BeginAutoTopUp", topup_id: toTopUpId(ids.uuid()), standing })
  })

  /** A top-up that exists is not started again: it may have failed, and would charge a second time. */
  const startedOnce = (self: WalletSelf, charge: AutoCharge) => {
    const { currency } = presentOf(self.state())
    const { account_ref, amount_minor, begun_at: created_at, card, topup_id } = charge
    return Effect.catchIf(
      system.ask(TopUpCommands.Show, topup_id, {}),
      (error) => error instanceof TopUpNotFound,
      () =>
        system.ask(TopUpCommands.Start, topup_id, {
          facts: {
            workspace_id: self.id,
            provider: "card",
            amount_minor,
            currency,
            phone_e164: null,
            account_ref,
            created_at,
            card: card.reference
          },
          proof: null,
          origin: systemOrigin
        })
    )
  }

  const carryOut = traced("Wallet.carryOutTopUp")(function* (charge: AutoCharge, self: WalletSelf) {
    const notices = yield* system.subscribe(TopUpActor, charge.topup_id)
    let latest: TopUpNotice = yield* startedOnce(self, charge)
    let outcome = outcomeOf(latest)
    while (outcome === undefined) {
      const heard = yield* Effect.timeoutOption(Queue.take(notices), lookInterval)
      latest = heard._tag === "Some" ? heard.value : yield* startedOnce(self, charge)
      outcome = outcomeOf(latest)
    }
    const { failure_code } = latest.record
    yield* self.tell({ _tag: "AutoTopUpEnded", topup_id: charge.topup_id, outcome, failure_code })
  }, Effect.scoped)

  return { begin, carryOut }
})

/** A provider that refuses for hours is not asked every second. */
const forgetRetries = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("1 hour")])

const makeForgetCard = Effect.gen(function* () {
  const { forgetCard } = yield* WalletOwner
  return traced("Wallet.forgetCard")(function* (reference: string, self: WalletSelf) {
    yield* forgetCard(self.id, reference).pipe(
      Effect.tapError((error) => Effect.logWarning("The card provider did not forget a card; trying again", error)),
      Effect.retry(forgetRetries)
    )
    yield* self.tell({ _tag: "CardForgotten", reference })
  })
})

const letterOf = (letter: WalletLetter, self: WalletSelf) => (workspace: string) => {
  const money = { currency: presentOf(self.state()).currency, is_test: isSandbox(self.id), workspace }
  switch (letter._tag) {
    case "LowBalance":
      return lowBalanceEmail({ ...money, ...letter })
    case "AutoTopUpFailed":
      return autoTopUpFailedEmail({ ...money, ...letter })
    case "AutoTopUpChanged":
      return autoTopUpChangedEmail({ ...money, ...letter })
  }
}

const makeLetters = Effect.gen(function* () {
  const ids = yield* Ids
  const owner = yield* WalletOwner
  return traced("Wallet.sendLetter")(function* (letter: WalletLetter, self: WalletSelf) {
    const expires_at = letter.at + letterLifetime_ms
    if ((yield* Clock.currentTimeMillis) < expires_at)
      yield* owner.notify({
        workspace_id: self.id,
        id: ids.named(`${self.id} ${letter.id}`),
        letter: letterOf(letter, self),
        expires_at
      })
    yield* self.tell({ _tag: "LetterSent", id: letter.id })
  })
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const auditHolds = yield* makeAudit
    const { begin, carryOut } = yield* makeTopUps
    const forgetCard = yield* makeForgetCard
    const send = yield* makeLetters
    const done = (work: WalletWork, self: WalletSelf): Effect.Effect<void> => {
      switch (work._tag) {
        case "AuditHolds":
          return retryWithBackoff(auditHolds(self))
        case "BeginAutoTopUp":
          return Effect.forever(Effect.andThen(retryWithBackoff(begin(self)), Effect.sleep(beginInterval)))
        case "CarryOutTopUp":
          return retryWithBackoff(carryOut(work.charge, self))
        case "ForgetCard":
          return retryWithBackoff(forgetCard(work.reference, self))
        case "SendLetter":
          return retryWithBackoff(send(work.letter, self))
      }
    }
    yield* system.register(WalletActor, done)
  })
)
