// The tasks of a leg that another call dialled: it asks that call to accept it, and reports its status to it.
import { Effect } from "effect"
import type { PlacedCall } from "../../domain/calls/state/Call.ts"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import { callRecord } from "../../domain/calls/views/CallView.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { type AvailableFunds, availableFunds } from "../wallet/AvailableFunds.ts"
import { type CallSelf, placedCall, type WorkOf } from "./CallWork.ts"
import { traced } from "../../domain/Traced.ts"

interface Claim extends AvailableFunds {
  readonly won: boolean
}

const lost: Claim = { won: false }

export const makeDialledLeg = (system: ActorSystem["Service"]) => {
  /** The accepted leg takes over the hold that it shared. Without a hold it may not talk. */
  const takeHold = ({ facts, id }: PlacedCall): Effect.Effect<Claim, NotCommitted> =>
    facts.shared_hold_id === undefined
      ? Effect.succeed({ won: true })
      : system
          .ask(WalletCommands.HandOverHold, facts.workspace_id, {
            from_hold_id: facts.shared_hold_id,
            hold_id: id,
            call_id: id,
            amount_minor: facts.rate_per_min_minor,
            ...(facts.trunk_id !== undefined && facts.kind !== "chatapp" && { over_trunk: true })
          })
          .pipe(
            Effect.map((held) => (held === null ? lost : { won: true, ...availableFunds(held) })),
            Effect.catchTag(["wallet.not_found", "wallet.insufficient_funds"], () => Effect.succeed(lost))
          )

  return {
    claimPickUp: traced("PerformCall.claimPickUp")(function* (
      { parent_call_id }: WorkOf<"ClaimPickUp">,
      self: CallSelf
    ) {
      const call = placedCall(self)
      const accepted = yield* system
        .ask(CallCommands.ChildPickedUp, parent_call_id, {
          child_call_id: self.id,
          session_id: call.facts.session_id
        })
        .pipe(Effect.catchTag("calls.not_found", () => Effect.succeed(false)))
      yield* self.tell({ _tag: "PickUpClaimed", ...(accepted ? yield* takeHold(call) : lost) })
    }),

    notifyParent: traced("PerformCall.notifyParent")(function* (
      { parent_call_id, status }: WorkOf<"NotifyParent">,
      self: CallSelf
    ) {
      const { duration_seconds = null, sip_code } = callRecord(placedCall(self))
      yield* system
        .ask(CallCommands.ChildChanged, parent_call_id, {
          child_call_id: self.id,
          status,
          sip_code,
          duration_seconds
        })
        .pipe(Effect.catchTag("calls.not_found", () => Effect.void))
      yield* self.tell({ _tag: "ParentNotified", status })
    })
  }
}
