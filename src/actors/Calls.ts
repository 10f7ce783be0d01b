// The door to calls for HTTP, the library and other actors.
import { type Cause, Context, Effect, Layer, type Queue, Result, type Scope } from "effect"
import type { CallNotice } from "../domain/calls/CallNotice.ts"
import type { CallRecord } from "../domain/calls/CallRecord.ts"
import type { OriginateRequest } from "../domain/calls/OriginateRequest.ts"
import { CallInvalidCallbackUrl, CallNotFound } from "../domain/errors/CallErrors.ts"
import type { Failure } from "../domain/errors/Failure.ts"
import type { IdempotentRequest } from "../domain/idempotency/IdempotentRequest.ts"
import { CallReads } from "../domain/ports/CallReads.ts"
import { Ids } from "../domain/ports/Ids.ts"
import { NotCommitted } from "../domain/ports/Journal.ts"
import { type TargetPolicy, targetUrl } from "../domain/targets/TargetUrl.ts"
import { CallActor } from "./CallActor.ts"
import { Legs } from "./Legs.ts"
import { ActorSystem } from "./runtime/ActorSystem.ts"

export interface Terminated extends CallRecord {
  readonly termination: "requested" | "already_requested" | "already_ended"
}

export class Calls extends Context.Service<Calls, {
  /** Places an outbound call. Answers once the first minute is held and the call is on disk; nothing rings before. */
  readonly originate: (
    workspace_id: string,
    request: OriginateRequest,
    idempotency?: IdempotentRequest
  ) => Effect.Effect<CallRecord, Failure | NotCommitted>
  /** Ends a call of the workspace, by call id or session id. An ended call stays as it is. */
  readonly terminate: (
    workspace_id: string,
    ref: string,
    idempotency?: IdempotentRequest
  ) => Effect.Effect<Terminated, Failure | NotCommitted>
  /** The live notices of a call from now on, whether the call exists or not. */
  readonly watch: (call_id: string) => Effect.Effect<Queue.Dequeue<CallNotice, Cause.Done>, never, Scope.Scope>
}>()("trunkline/actors/Calls") {
  static readonly layer = (policy: TargetPolicy) =>
    Layer.effect(
      Calls,
      Effect.gen(function*() {
        const system = yield* ActorSystem
        const legs = yield* Legs
        const ids = yield* Ids
        const reads = yield* CallReads

        const checkUrl = (field: string, url: string | undefined): Effect.Effect<void, CallInvalidCallbackUrl> => {
          const read = url === undefined ? undefined : targetUrl(url, policy)
          if (read === undefined || Result.isSuccess(read)) return Effect.void
          const { message, reason } = read.failure
          return Effect.fail(new CallInvalidCallbackUrl({ message, reason, details: [{ field, code: reason, message }] }))
        }

        return Calls.of({
          originate: (workspace_id, request, idempotency) =>
            Effect.gen(function*() {
              yield* checkUrl("/voice_callback_url", request.voice_callback_url)
              yield* checkUrl("/voice_fallback_url", request.voice_fallback_url)
              return yield* legs.place({
                id: ids.uuid(),
                kind: "api",
                workspace_id,
                from: request.from,
                to: request.to,
                caller_id: null,
                timeout_seconds: request.timeout_seconds ?? 30,
                max_duration_seconds: request.max_duration_seconds ?? 14_400,
                voice_callback_url: request.voice_callback_url,
                voice_fallback_url: request.voice_fallback_url ?? null,
                metadata: request.metadata ?? {},
                client_reference: request.client_reference ?? null,
                parent_call_id: null,
                parent_session_id: null,
                ...(request.record !== undefined && { record: request.record }),
                ...(idempotency && { idempotency })
              })
            }),
          terminate: (workspace_id, ref, idempotency) =>
            Effect.gen(function*() {
              // The read proves whose call it is; the actor decides on what it knows now.
              const record = yield* Effect.mapError(
                reads.find(workspace_id, ref),
                ({ cause }) => new NotCommitted({ reason: "unavailable", cause })
              )
              if (record === undefined) return yield* new CallNotFound()
              const reply = yield* system.ask(CallActor, record.id, {
                _tag: "Terminate",
                source: "workspace",
                cause: "canceled_by_workspace",
                ...(idempotency && { idempotency })
              })
              if (reply._tag !== "Terminated") return yield* new CallNotFound()
              return { ...reply.record, termination: reply.termination }
            }),
          watch: (call_id) => system.subscribe(CallActor, call_id)
        })
      })
    )
}
