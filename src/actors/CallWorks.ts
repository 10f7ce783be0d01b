// How each work of a call is done. Every one of them can be done twice: its id or key travels with it.
import { Clock, Effect, Layer } from "effect"
import type { Call, PlacedCall } from "../domain/calls/Call.ts"
import { currentAction } from "../domain/calls/Call.ts"
import { callbackBody } from "../domain/calls/CallbackBody.ts"
import type { CallCommand } from "../domain/calls/CallCommand.ts"
import type { HangupCause } from "../domain/calls/CallRecord.ts"
import type { CallReply } from "../domain/calls/CallReply.ts"
import type { CallWork } from "../domain/calls/PlanCall.ts"
import { Failure } from "../domain/errors/Failure.ts"
import { Charges } from "../domain/ports/Charges.ts"
import { Ids } from "../domain/ports/Ids.ts"
import type { NotCommitted } from "../domain/ports/Journal.ts"
import { VoiceCallback } from "../domain/ports/VoiceCallback.ts"
import { CallActor } from "./CallActor.ts"
import { GatewayActor } from "./GatewayActor.ts"
import { Legs } from "./Legs.ts"
import { retrying } from "./Retrying.ts"
import { ActorSystem } from "./runtime/ActorSystem.ts"
import type { Perform, Self } from "./runtime/Definition.ts"
import { WalletActor } from "./WalletActor.ts"

type CallSelf = Self<Call, CallCommand, CallReply>
type WorkOf<Tag extends CallWork["_tag"]> = Extract<CallWork, { readonly _tag: Tag }>
type Done = Effect.Effect<unknown, Failure | NotCommitted>

/** A command that is not acknowledged yet is asked about so often. */
const ask_again = "2 seconds"
/** A minute that the wallet refused is asked for again so often, until it is there or the call is cut off. */
const refused_again = "1 second"
/** A leg that is dialled may talk as long as any call; the call that dialled it ends it when it ends itself. */
const child_duration_seconds = 14_400

const causeOf = (failure: Failure): HangupCause =>
  failure._tag === "wallet.insufficient_funds" ? "insufficient_funds" : "destination_refused"

export const layer = Layer.effectDiscard(Effect.gen(function*() {
  const system = yield* ActorSystem
  const callback = yield* VoiceCallback
  const charges = yield* Charges
  const legs = yield* Legs
  const ids = yield* Ids

  const sendToPbx = ({ command, gateway_id }: WorkOf<"SendToPbx">): Effect.Effect<void> =>
    retrying(system.ask(GatewayActor, gateway_id, { _tag: "Dispatch", command })).pipe(
      Effect.flatMap(({ status }) =>
        status === "acknowledged" ? Effect.void : Effect.andThen(Effect.sleep(ask_again), sendToPbx({ _tag: "SendToPbx", command, gateway_id }))
      )
    )

  const askCallback = ({ answer_by }: WorkOf<"AskCallback">, self: CallSelf): Done =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const call = self.state() as PlacedCall
      const { facts } = call
      return callback.ask({
        url: facts.voice_callback_url!,
        fallback_url: facts.voice_fallback_url,
        workspace_id: facts.workspace_id,
        call_id: call.id,
        idempotency_key: `${call.id}:answered`,
        body: callbackBody(call, now),
        deadline_at: answer_by
      })
    }).pipe(Effect.matchEffect({
      onSuccess: (actions) => self.tell({ _tag: "CallbackSucceeded", actions }),
      onFailure: ({ cause, detail, http_status, pointer }) =>
        self.tell({ _tag: "CallbackFailed", cause, detail, http_status: http_status ?? null, pointer: pointer ?? null })
    }))

  const extendCover = (work: WorkOf<"ExtendCover">, self: CallSelf): Done => {
    const { amount_minor, minutes, workspace_id } = work
    return system.ask(WalletActor, workspace_id, { _tag: "ExtendHold", hold_id: self.id, amount_minor }).pipe(
      Effect.matchEffect({
        onSuccess: ({ _tag }): Done => _tag === "Held" ? self.tell({ _tag: "CoverExtended", minutes }) : Effect.void,
        onFailure: (error): Done =>
          error instanceof Failure
            ? self.tell({ _tag: "CoverRefused", minutes }).pipe(Effect.andThen(Effect.sleep(refused_again)), Effect.andThen(extendCover(work, self)))
            : Effect.fail(error)
      })
    )
  }

  /** The hold is gone only when the charge is in the books already, by this work before a crash. */
  const settle = ({ cost_minor, description, workspace_id }: WorkOf<"Settle">, self: CallSelf): Done =>
    Effect.gen(function*() {
      const reply = yield* system.ask(WalletActor, workspace_id, {
        _tag: "CaptureHold",
        hold_id: self.id,
        amount_minor: cost_minor,
        entry_id: ids.uuid(),
        description
      })
      if (reply._tag === "Captured") {
        return yield* self.tell({ _tag: "Settled", cost_minor: reply.amount_minor, entry_id: reply.entry_id })
      }
      const charge = yield* charges.ofCall(workspace_id, self.id)
      if (charge === undefined) yield* Effect.logError(`Call ${self.id} has neither a hold nor a charge`)
      return yield* self.tell({ _tag: "Settled", cost_minor: charge?.amount_minor ?? 0, entry_id: charge?.entry_id ?? null })
    })

  const releaseHold = ({ workspace_id }: WorkOf<"ReleaseHold">, self: CallSelf): Done =>
    Effect.andThen(
      system.ask(WalletActor, workspace_id, { _tag: "ReleaseHold", hold_id: self.id }),
      self.tell({ _tag: "HoldReleased" })
    )

  const startChild = ({ child_call_id, index }: WorkOf<"StartChild">, self: CallSelf): Done => {
    const { facts, script } = self.state() as PlacedCall
    const action = currentAction(self.state())
    if (script?.index !== index || action === undefined || !("dial" in action)) return Effect.void
    const { callerId, number, timeout } = action.dial
    return legs.place({
      id: child_call_id,
      kind: "dial",
      workspace_id: facts.workspace_id,
      from: facts.from,
      to: number,
      caller_id: callerId ?? null,
      timeout_seconds: timeout ?? 30,
      max_duration_seconds: child_duration_seconds,
      voice_callback_url: null,
      voice_fallback_url: null,
      metadata: facts.metadata,
      client_reference: null,
      parent_call_id: self.id,
      parent_session_id: facts.session_id
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
      Effect.catchTag("calls.not_found", () => Effect.void),
      Effect.andThen(self.tell({ _tag: "ChildStopped", child_call_id }))
    )

  const tellParent = ({ parent_call_id, session_id, status }: WorkOf<"TellParent">, self: CallSelf): Done =>
    system.ask(CallActor, parent_call_id, { _tag: "ChildChanged", child_call_id: self.id, session_id, status }).pipe(
      Effect.catchTag("calls.not_found", () => Effect.void),
      Effect.andThen(self.tell({ _tag: "ParentTold", status }))
    )

  const perform: Perform<Call, CallCommand, CallReply, CallWork> = (work, self) => {
    switch (work._tag) {
      case "SendToPbx":
        return sendToPbx(work)
      case "AskCallback":
        return retrying(askCallback(work, self))
      case "ExtendCover":
        return retrying(extendCover(work, self))
      case "Settle":
        return retrying(settle(work, self))
      case "ReleaseHold":
        return retrying(releaseHold(work, self))
      case "StartChild":
        return retrying(startChild(work, self))
      case "StopChild":
        return retrying(stopChild(work, self))
      case "TellParent":
        return retrying(tellParent(work, self))
    }
  }

  yield* system.register(CallActor, (work, self) => Effect.asVoid(perform(work, self)))
}))
