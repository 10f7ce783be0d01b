// What customers change of calls that exist.
import { Effect, Result } from "effect"
import { urgently } from "../../domain/access/CurrentTenant.ts"
import type { Origin } from "../../domain/access/Origin.ts"
import type { CallRef, WorkspaceId } from "../../domain/BrandedIds.ts"
import { CallCommands, type Termination } from "../../domain/calls/state/CallCommand.ts"
import type { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import { isTooLarge, type Metadata } from "../../domain/kit/Metadata.ts"
import { readVoiceActions } from "../../domain/calls/verbs/ParseVoiceActions.ts"
import type { UpdateCallRequest } from "../../domain/calls/verbs/UpdateCallRequest.ts"
import { type CallActionUnsupported, CallNotFound, type CallNotInProgress } from "../../domain/errors/CallErrors.ts"
import { BadRequest, PayloadTooLarge } from "../../domain/errors/GeneralErrors.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { traced } from "../../domain/Traced.ts"

export interface Terminated extends CallRecord {
  readonly termination: Termination
}

export interface CallChanges {
  /** Ends a call of the workspace, by call id or session id. A call that has ended stays as it is. */
  readonly terminate: (
    workspace_id: WorkspaceId,
    ref: CallRef,
    options?: { readonly origin?: Origin; readonly reason?: string; readonly idempotency?: IdempotentRequest }
  ) => Effect.Effect<Terminated, CallNotFound | NotCommitted>
  /** Changes an answered call of the workspace, by call id or session id. Either all changes apply, or none. */
  readonly update: (
    workspace_id: WorkspaceId,
    ref: CallRef,
    request: UpdateCallRequest,
    idempotency?: IdempotentRequest
  ) => Effect.Effect<
    CallRecord,
    BadRequest | CallActionUnsupported | CallNotFound | CallNotInProgress | NotCommitted | PayloadTooLarge
  >
}

/** Reads the actions of a request. Pointers to faults are relative to the request. */
export const readActions = (actions: ReadonlyArray<unknown>) =>
  Result.mapError(
    readVoiceActions({ actions }),
    (faults) =>
      new BadRequest({
        details: faults.map(({ detail: message, pointer: field }) => ({ field, code: "voice_action_invalid", message }))
      })
  )

/** Fails with PayloadTooLarge if the values exceed 8 KiB. */
export const checkMetadata = (metadata: Metadata | undefined): Effect.Effect<void, PayloadTooLarge> =>
  metadata !== undefined && isTooLarge(metadata)
    ? Effect.fail(
        new PayloadTooLarge({ details: [{ field: "/metadata", code: "too_large", message: "More than 8 KiB." }] })
      )
    : Effect.void

export const makeCallChanges = Effect.gen(function* () {
  const system = yield* ActorSystem
  const reads = yield* CallReads

  /** The read checks that the call belongs to the workspace. The actor decides on its present state. */
  const idOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId, ref: CallRef) {
    const record = yield* Effect.mapError(
      reads.find(workspace_id, ref),
      ({ cause }) => new NotCommitted({ reason: "unavailable", cause })
    )
    return record?.id ?? (yield* new CallNotFound())
  })

  const terminate: CallChanges["terminate"] = traced("Calls.terminate")(function* (workspace_id, ref, options = {}) {
    const id = yield* urgently(idOf(workspace_id, ref))
    const { record, termination } = yield* system.ask(CallCommands.Terminate, id, {
      source: "workspace",
      cause: "canceled_by_workspace",
      ...options
    })
    return { ...record, termination }
  })

  const update: CallChanges["update"] = traced("Calls.update")(function* (
    workspace_id,
    ref,
    { actions: document, ...changes },
    idempotency
  ) {
    yield* checkMetadata(changes.metadata)
    const actions = document === undefined ? undefined : yield* Effect.fromResult(readActions(document))
    const id = yield* idOf(workspace_id, ref)
    return yield* system.ask(CallCommands.Update, id, {
      ...changes,
      ...(actions && { actions }),
      ...(idempotency && { idempotency })
    })
  })

  return { terminate, update }
})
