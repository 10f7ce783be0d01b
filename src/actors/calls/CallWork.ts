import type { Effect } from "effect"
import { type Call, isPlaced, type PlacedCall } from "../../domain/calls/state/Call.ts"
import type { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import type { CallWork } from "../../domain/calls/decide/PlanCall.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { Self } from "../runtime/Definition.ts"

export type CallSelf = Self<Call, CallCommands>
/** The state of a call that has work: only a placed call has any. */
export const placedCall = (self: CallSelf): PlacedCall => {
  const call = self.state()
  if (!isPlaced(call)) throw new Error(`The absent call ${self.id} has work.`)
  return call
}

export type WorkOf<Tag extends CallWork["_tag"]> = Extract<CallWork, { readonly _tag: Tag }>

/** Work that succeeds, or fails and is retried because a service was unavailable. */
export type Done = Effect.Effect<unknown, Failure | NotCommitted>
