// The leg that a call dials, from both ends: the call that dials it, and the leg that tells how it fares.
import { Effect } from "effect"
import { currentAction, type PlacedCall } from "../domain/calls/Call.ts"
import type { HangupCause } from "../domain/calls/CallRecord.ts"
import type { CallWork } from "../domain/calls/PlanCall.ts"
import { Failure } from "../domain/errors/Failure.ts"
import { CallActor } from "./CallActor.ts"
import type { CallSelf, Done, WorkOf } from "./CallWork.ts"
import type { Legs } from "./Legs.ts"
import type { ActorSystem } from "./runtime/ActorSystem.ts"

/** A leg that is dialled may talk as long as any call; the call that dialled it ends it when it ends itself. */
const child_duration_seconds = 14_400
const ring_seconds = 30

const causeOf = (failure: Failure): HangupCause =>
  failure._tag === "wallet.insufficient_funds" ? "insufficient_funds" : "destination_refused"

type Dialling = Extract<CallWork, { readonly _tag: "StartChild" | "StopChild" | "TellParent" }>

export const makeCallDial = (
  system: ActorSystem["Service"],
  legs: Legs["Service"]
): (work: Dialling, self: CallSelf) => Done => {
  const startChild = ({ child_call_id, index }: WorkOf<"StartChild">, self: CallSelf): Done => {
    const { facts, script } = self.state() as PlacedCall
    const action = currentAction(self.state())
    if (script?.index !== index || action === undefined || !("dial" in action)) return Effect.void
    const { callerId, number, record, timeout } = action.dial
    return legs.place({
      id: child_call_id,
      kind: "dial",
      workspace_id: facts.workspace_id,
      from: facts.from,
      to: number,
      caller_id: callerId ?? null,
      timeout_seconds: timeout ?? ring_seconds,
      max_duration_seconds: child_duration_seconds,
      voice_callback_url: null,
      voice_fallback_url: null,
      metadata: facts.metadata,
      client_reference: null,
      parent_call_id: self.id,
      parent_session_id: facts.session_id,
      ...(record !== undefined && { record })
    }).pipe(Effect.matchEffect({
      onSuccess: (): Done => self.tell({ _tag: "ChildStarted", index, child_call_id }),
      onFailure: (error): Done =>
        error instanceof Failure
          ? self.tell({ _tag: "ChildRefused", index, cause: causeOf(error), detail: error._tag })
          : Effect.fail(error)
    }))
  }

  const stopChild = ({ child_call_id }: WorkOf<"StopChild">, self: CallSelf): Done =>
    system.ask(CallActor, child_call_id, { _tag: "Terminate", source: "caller", cause: "normal_clearing" }).pipe(
      Effect.as(true),
      Effect.catchTag("calls.not_found", () => Effect.succeed(false)),
      Effect.flatMap((found) => self.tell({ _tag: "ChildStopped", child_call_id, found }))
    )

  const tellParent = ({ parent_call_id, session_id, status }: WorkOf<"TellParent">, self: CallSelf): Done =>
    system.ask(CallActor, parent_call_id, { _tag: "ChildChanged", child_call_id: self.id, session_id, status }).pipe(
      Effect.catchTag("calls.not_found", () => Effect.void),
      Effect.andThen(self.tell({ _tag: "ParentTold", status }))
    )

  return (work, self) => {
    switch (work._tag) {
      case "StartChild":
        return startChild(work, self)
      case "StopChild":
        return stopChild(work, self)
      case "TellParent":
        return tellParent(work, self)
    }
  }
}
