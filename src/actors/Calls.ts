// The door to calls for HTTP, the library and other actors.
import { type Cause, Context, type Effect, type Queue, type Scope } from "effect"
import type { CallNotice } from "../domain/calls/CallNotice.ts"
import type { CallRecord } from "../domain/calls/CallRecord.ts"
import type { OriginateRequest } from "../domain/calls/OriginateRequest.ts"
import type { Failure } from "../domain/errors/Failure.ts"
import type { IdempotentRequest } from "../domain/idempotency/IdempotentRequest.ts"
import type { NotCommitted } from "../domain/ports/Journal.ts"

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
}>()("trunkline/actors/Calls") {}
