// The money of a call: each minute is held before it begins, and the hold is charged once or released.
import { Effect, Result } from "effect"
import type { CallWork } from "../../domain/calls/PlanCall.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import type { Charges } from "../../domain/ports/Charges.ts"
import type { Ids } from "../../domain/ports/Ids.ts"
import type { CallSelf, Done, WorkOf } from "./CallWork.ts"
import { availableFunds } from "../wallet/AvailableFunds.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { traced } from "../../domain/Traced.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"

/** How often a minute that the wallet refused is requested again, until it is paid for or the call is cut off. */
const refusedRetry = "1 second"

type Money = Extract<CallWork, { readonly _tag: "PrepayMinute" | "Settle" | "ReleaseHold" }>

export const makeCallMoney = (
  system: Pick<ActorSystem["Service"], "ask">,
  charges: Charges["Service"],
  ids: Ids["Service"]
): ((work: Money, self: CallSelf) => Done) => {
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

  const prepayMinute = traced("PerformCall.prepayMinute")(prepay)

  /**
   * The hold is missing only if the call was charged already, by this work before a crash. If the hold was placed again
   * after that, the ledger refuses a second charge, and the hold is released.
   */
  const settle = traced("PerformCall.settle")(function* (
    { cost_minor, description, workspace_id }: WorkOf<"Settle">,
    self: CallSelf
  ) {
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
      return yield* self.tell({ _tag: "Settled", cost_minor: amount_minor, entry_id })
    }
    const charge = yield* charges.ofCall(workspace_id, self.id)
    if (Result.isFailure(captured)) {
      if (charge === undefined) return yield* Effect.fail(captured.failure)
      yield* system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id })
    }
    if (charge === undefined) yield* Effect.logError(`Call ${self.id} has neither a hold nor a charge`)
    return yield* self.tell({
      _tag: "Settled",
      cost_minor: charge?.amount_minor ?? 0,
      entry_id: charge?.entry_id ?? null
    })
  })

  const releaseHold = traced("PerformCall.releaseHold")(function* (
    { workspace_id }: WorkOf<"ReleaseHold">,
    self: CallSelf
  ) {
    yield* system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id: self.id })
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
