// Admits an inbound call: its first minute is held like that of any other call, and its number must be in service.
import { Effect, Result } from "effect"
import type { PlacedCall } from "../../domain/calls/state/Call.ts"
import type { HangupCause } from "../../domain/calls/state/CallRecord.ts"
import { CallConcurrencyLimitReached } from "../../domain/errors/CallErrors.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { enforcedPolicy } from "../../domain/limits/SandboxLimits.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import type { Directory } from "../../domain/ports/access/Directory.ts"
import { isOfTrunk } from "../../domain/trunks/TrunkCapacity.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { availableFunds } from "../wallet/AvailableFunds.ts"
import { type CallSelf, placedCall } from "./CallWork.ts"
import { overTrunk } from "./LegRequest.ts"
import type { HoldRefusal } from "./Legs.ts"
import { traced } from "../../domain/Traced.ts"

/** Inbound legs count towards the limit on concurrent calls, too. */
const causeOf = (error: HoldRefusal): HangupCause => {
  if (isOfTrunk(error)) return "service_unavailable"
  return error instanceof CallConcurrencyLimitReached ? "network_congestion" : "insufficient_funds"
}

export const makeCallInbound = (system: ActorSystem["Service"], directory: Directory["Service"]) => {
  const hold = Effect.fnUntraced(function* ({ facts, id }: PlacedCall) {
    const workspace = yield* directory.workspace(facts.workspace_id)
    const trunk = facts.trunk_id === undefined ? undefined : yield* directory.trunk(facts.workspace_id)
    return yield* system.ask(WalletCommands.PlaceHold, facts.workspace_id, {
      hold_id: id,
      call_id: id,
      amount_minor: facts.rate_per_min_minor,
      ...(workspace && { max_legs: enforcedPolicy(workspace).max_concurrent_calls }),
      ...(trunk && { trunk: overTrunk(trunk, 1) })
    })
  })

  /** Why the call is not admitted although its first minute is held. */
  const objection = Effect.fnUntraced(function* ({ facts }: PlacedCall) {
    const workspace = yield* directory.workspace(facts.workspace_id)
    if (workspace?.status !== "active") return "call_rejected" as const
    const own = facts.direction === "inbound" ? facts.to : facts.from
    const number = yield* directory.number(facts.workspace_id, own)
    return number === undefined || !isWorking(number) ? ("no_route" as const) : undefined
  })

  return traced("PerformCall.admit")(function* (self: CallSelf) {
    const call = placedCall(self)
    const held = yield* Effect.result(hold(call))
    if (Result.isFailure(held)) {
      const error = held.failure
      return error instanceof NotCommitted
        ? yield* Effect.fail(error)
        : yield* self.tell({ _tag: "NotAdmitted", cause: causeOf(error) })
    }
    const cause = yield* objection(call)
    yield* cause === undefined
      ? self.tell({ _tag: "Admitted", ...availableFunds(held.success) })
      : self.tell({ _tag: "NotAdmitted", cause })
  })
}
