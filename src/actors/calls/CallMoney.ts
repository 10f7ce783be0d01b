// The money of a call: each minute is held before it begins, and the hold is charged once or released.
import { Effect, Result } from "effect"
import type { CallWork } from "../../domain/calls/decide/PlanCall.ts"
import { systemOrigin } from "../../domain/access/Origin.ts"
import type { CallId, WorkspaceId } from "../../domain/BrandedIds.ts"
import type { CallMessage } from "../../domain/calls/state/CallCommand.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import { WalletInvalidAmount } from "../../domain/errors/WalletErrors.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { Wallets } from "../wallet/Wallets.ts"
import type { Charges } from "../../domain/ports/calls/Charges.ts"
import type { Ids } from "../../domain/ports/engine/Ids.ts"
import type { CallSelf, Done, WorkOf } from "./CallWork.ts"
import { availableFunds } from "../wallet/AvailableFunds.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { traced } from "../../domain/Traced.ts"
import { waiverLimit } from "../../domain/wallet/Waivers.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"

/** How often a minute that the wallet refused is requested again, until it is paid for or the call is cut off. */
const refusedRetry = "1 second"

type Money = Extract<CallWork, { readonly _tag: "PrepayMinute" | "Settle" | "ReleaseHold" }>

/** Gives the charge of a call back. */
export type Waive = (
  workspace_id: WorkspaceId,
  call_id: CallId,
  amount_minor: number
) => Effect.Effect<void, NotCommitted>

const isUsedUp = (error: unknown): boolean => error instanceof WalletInvalidAmount && error.reason === waiverLimit

/**
 * The id of the entry follows from the call, so that the charge is given back once. `max_waived_a_day`: how many
 * charges a workspace is given back in a day; further calls stay charged.
 */
export const makeWaive =
  (wallets: Pick<Wallets["Service"], "credit">, ids: Ids["Service"], max_waived_a_day: number): Waive =>
  (workspace_id, call_id, amount_minor) =>
    amount_minor === 0
      ? Effect.void
      : wallets
          .credit(workspace_id, {
            kind: "fee_waiver",
            entry_id: ids.named(`fee_waiver ${call_id}`),
            amount_minor,
            max_waived_a_day,
            reference_type: "adjustment",
            reference_id: call_id,
            description: "The voice callback failed.",
            origin: systemOrigin
          })
          .pipe(
            Effect.asVoid,
            Effect.catch((error) => {
              if (error instanceof NotCommitted) return Effect.fail(error)
              return isUsedUp(error)
                ? Effect.logInfo(`Call ${call_id} stays charged: as many charges as a day allows were given back`)
                : Effect.logError(`The charge of call ${call_id} was not given back; credit it by hand`, error)
            })
          )

export interface CallMoneyOptions {
  readonly system: Pick<ActorSystem["Service"], "ask">
  readonly charges: Charges["Service"]
  readonly ids: Ids["Service"]
  /** Undefined: a call is charged although its first voice callback failed. */
  readonly waive: Waive | undefined
}

const prepaying = (system: CallMoneyOptions["system"]) => {
  const prepay = (work: WorkOf<"PrepayMinute">, self: CallSelf): Done => {
    const { amount_minor, minutes, workspace_id } = work
    return system.ask(WalletCommands.ExtendHold, workspace_id, { hold_id: self.id, amount_minor }).pipe(
      Effect.matchEffect({
        onSuccess: (held): Done =>
          held === null ? Effect.void : self.tell({ _tag: "MinutePrepaid", minutes, ...availableFunds(held) }),
        onFailure: (error): Done =>
          error instanceof Failure
            ? self
                .tell({ _tag: "MinuteRefused", minutes })
                .pipe(Effect.andThen(Effect.sleep(refusedRetry)), Effect.andThen(prepay(work, self)))
            : Effect.fail(error)
      })
    )
  }
  return prepay
}

export const makeCallMoney = ({
  charges,
  ids,
  system,
  waive
}: CallMoneyOptions): ((work: Money, self: CallSelf) => Done) => {
  const prepayMinute = traced("PerformCall.prepayMinute")(prepaying(system))

  /** The charge is waived before the call is settled: after a crash, both are done again. */
  const settled = Effect.fnUntraced(function* (
    { waivable, workspace_id }: WorkOf<"Settle">,
    self: CallSelf,
    charge: Omit<CallMessage<"Settled">, "_tag">
  ) {
    if (waivable === true && waive !== undefined) yield* waive(workspace_id, self.id, charge.cost_minor)
    yield* self.tell({ _tag: "Settled", ...charge })
  })

  /**
   * The hold is missing only if the call was charged already, by this work before a crash. If the hold was placed again
   * after that, the ledger refuses a second charge, and the hold is released.
   */
  const settle = traced("PerformCall.settle")(function* (work: WorkOf<"Settle">, self: CallSelf) {
    const { cost_minor, description, workspace_id } = work
    const hold_id = self.id
    const entry_id = ids.uuid()
    const captured = yield* Effect.result(
      system.ask(WalletCommands.CaptureHold, workspace_id, {
        hold_id,
        amount_minor: cost_minor,
        entry_id,
        description
      })
    )
    if (Result.isSuccess(captured) && captured.success !== null) {
      const { amount_minor, entry_id } = captured.success
      return yield* settled(work, self, { cost_minor: amount_minor, entry_id })
    }
    const charge = yield* charges.ofCall(workspace_id, self.id)
    if (Result.isFailure(captured)) {
      if (charge === undefined) return yield* Effect.fail(captured.failure)
      yield* system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id })
    }
    if (charge === undefined)
      yield* Effect.logError(`Call ${self.id} has neither a hold nor a charge; it ends uncharged`)
    return yield* settled(work, self, {
      cost_minor: charge?.amount_minor ?? 0,
      entry_id: charge?.entry_id ?? null
    })
  })

  const releaseHold = traced("PerformCall.releaseHold")(function* (
    { failed, workspace_id }: WorkOf<"ReleaseHold">,
    self: CallSelf
  ) {
    yield* system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id: self.id, ...(failed && { failed }) })
    yield* self.tell({ _tag: "HoldReleased" })
  })

  return (work, self) => {
    switch (work._tag) {
      case "PrepayMinute":
        return prepayMinute(work, self)
      case "Settle":
        return settle(work, self)
      case "ReleaseHold":
        return releaseHold(work, self)
    }
  }
}
