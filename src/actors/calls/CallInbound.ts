// How an inbound call is let in: its first minute is set aside as for any other, and whose number it is must be able to
// take it.
import { Effect } from "effect"
import type { PlacedCall } from "../../domain/calls/Call.ts"
import type { HangupCause } from "../../domain/calls/CallRecord.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import type { Directory } from "../../domain/ports/Directory.ts"
import type { CallSelf, Done } from "./CallWork.ts"
import { isOfTrunk } from "../../domain/trunks/TrunkCapacity.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import { availableFunds } from "../wallet/AvailableFunds.ts"
import { overTrunk } from "./Legs.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { WalletActor } from "../wallet/WalletActor.ts"

/** Every leg under way counts, inbound ones too; who is full cannot take another. */
const causeOf = (failure: Failure): HangupCause => {
  if (isOfTrunk(failure)) return "service_unavailable"
  return failure._tag === "calls.concurrency_limit_reached" ? "network_congestion" : "insufficient_funds"
}

export const makeCallInbound = (system: ActorSystem["Service"], directory: Directory["Service"]) => {
  const hold = Effect.fnUntraced(function* ({ facts, id }: PlacedCall) {
    const workspace = yield* directory.workspace(facts.workspace_id)
    const trunk = facts.trunk_id === undefined ? undefined : yield* directory.trunk(facts.workspace_id)
    return yield* system.ask(WalletActor, facts.workspace_id, {
      _tag: "PlaceHold",
      hold_id: id,
      call_id: id,
      amount_minor: facts.rate_per_min_minor,
      ...(workspace && { max_legs: workspace.calling_policy.max_concurrent_calls }),
      ...(trunk && { trunk: overTrunk(trunk, 1) })
    })
  })

  /** Why the call is not taken, though there is money for it. */
  const objection = Effect.fnUntraced(function* ({ facts }: PlacedCall) {
    const workspace = yield* directory.workspace(facts.workspace_id)
    if (workspace?.status !== "active") return "call_rejected" as const
    const own = facts.direction === "inbound" ? facts.to : facts.from
    const number = yield* directory.number(facts.workspace_id, own)
    return number === undefined || !isWorking(number) ? ("no_route" as const) : undefined
  })

  return (self: CallSelf): Done => {
    const call = self.state() as PlacedCall
    const refuse = (cause: HangupCause): Done => self.tell({ _tag: "NotAdmitted", cause })
    return Effect.matchEffect(hold(call), {
      onSuccess: (reply): Done =>
        Effect.flatMap(objection(call), (cause) =>
          cause === undefined ? self.tell({ _tag: "Admitted", ...availableFunds(reply) }) : refuse(cause)
        ),
      onFailure: (error): Done => (error instanceof Failure ? refuse(causeOf(error)) : Effect.fail(error))
    })
  }
}
