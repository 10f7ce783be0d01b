// The door to calls for HTTP, the library and other actors.
import { type Cause, Context, Effect, Layer, type Queue, Result, type Scope } from "effect"
import { CallCommands, type CallMessage } from "../../domain/calls/CallCommand.ts"
import type { StreamNotice } from "../../domain/calls/CallNotice.ts"
import type { CallRecord } from "../../domain/calls/CallRecord.ts"
import type { OriginateRequest } from "../../domain/calls/OriginateRequest.ts"
import type { TranscriptNotice } from "../../domain/calls/Transcript.ts"
import { CallInvalidCallbackUrl } from "../../domain/errors/CallErrors.ts"
import type { PayloadTooLarge } from "../../domain/errors/GeneralErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import type { CommandTrail } from "../../domain/ports/CallHistory.ts"
import { GatewayCommands } from "../../domain/pbx/GatewayCommand.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import { type TargetPolicy, targetUrl } from "../../domain/targets/TargetUrl.ts"
import { CallActor } from "./CallActor.ts"
import { type CallChanges, checkMetadata, makeCallChanges } from "./CallChanges.ts"
import { CallWebhooks, type SubscribeCallError } from "./CallWebhooks.ts"
import { Legs, type PriceRefusal, type ShareRefusal } from "./Legs.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

export class Calls extends Context.Service<
  Calls,
  CallChanges & {
    /** Places an outbound call. Answers once the first minute is held and the call is on disk; nothing rings before. */
    readonly originate: (
      workspace_id: WorkspaceId,
      request: OriginateRequest,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<
      CallRecord,
      PayloadTooLarge | CallInvalidCallbackUrl | SubscribeCallError | PriceRefusal | ShareRefusal
    >
    /** The live notices of a call from now on, whether the call exists or not. */
    readonly watch: (call_id: string) => Effect.Effect<Queue.Dequeue<StreamNotice, Cause.Done>, never, Scope.Scope>
    /**
     * Somebody follows the call live, until the scope closes or, as `isOver` says, the call has ended. It is told for the
     * timeline alone, and nothing waits for it.
     */
    readonly watching: (call_id: string, by: string, isOver: () => boolean) => Effect.Effect<void, never, Scope.Scope>
    /** When gateways took these commands on, in epoch milliseconds by command; those that they no longer know are left out. */
    readonly acknowledged: (commands: ReadonlyArray<CommandTrail>) => Effect.Effect<Readonly<Record<string, number>>>
    /** The last of what was said on a call, as far as it is in memory. */
    readonly said: (call_id: string) => Effect.Effect<ReadonlyArray<TranscriptNotice>>
  }
>()("trunkline/actors/Calls") {
  static readonly layer = (policy: TargetPolicy) =>
    Layer.effect(
      Calls,
      Effect.gen(function* () {
        const system = yield* ActorSystem
        const legs = yield* Legs
        const ids = yield* Ids
        const eventsTo = yield* CallWebhooks

        const checkUrl = (field: string, url: string | undefined): Effect.Effect<void, CallInvalidCallbackUrl> => {
          const read = url === undefined ? undefined : targetUrl(url, policy)
          if (read === undefined || Result.isSuccess(read)) return Effect.void
          const { message, reason } = read.failure
          return Effect.fail(
            new CallInvalidCallbackUrl({ message, reason, details: [{ field, code: reason, message }] })
          )
        }

        return Calls.of({
          originate: (workspace_id, request, idempotency) =>
            Effect.gen(function* () {
              const {
                events_url,
                metadata = {},
                timeout_seconds = 30,
                max_duration_seconds = 14_400,
                client_reference = null,
                ...asked
              } = request
              yield* checkMetadata(metadata)
              yield* legs.known(workspace_id, request.from)
              yield* checkUrl("/voice_callback_url", request.voice_callback_url)
              yield* checkUrl("/voice_fallback_url", request.voice_fallback_url)
              yield* checkUrl("/events_url", events_url)
              const events_subscription_id =
                events_url === undefined ? undefined : yield* eventsTo(workspace_id, events_url)
              return yield* legs.place({
                ...asked,
                id: ids.uuid(),
                kind: "api",
                workspace_id,
                caller_id: null,
                timeout_seconds,
                max_duration_seconds,
                voice_fallback_url: request.voice_fallback_url ?? null,
                metadata,
                client_reference,
                parent_call_id: null,
                parent_session_id: null,
                ...(events_subscription_id !== undefined && { events_subscription_id }),
                ...(idempotency && { idempotency })
              })
            }),
          ...(yield* makeCallChanges),
          watching: (call_id, by, isOver) => {
            const stream_id = ids.uuid()
            const tell = (command: CallMessage) =>
              Effect.forkDetach(Effect.ignore(system.ask(CallActor, call_id, command)))
            return Effect.asVoid(
              Effect.acquireRelease(tell({ _tag: "AddViewer", stream_id, by }), () =>
                isOver() ? Effect.void : tell({ _tag: "RemoveViewer", stream_id })
              )
            )
          },
          acknowledged: (commands) =>
            Effect.map(
              Effect.forEach(
                Map.groupBy(commands, ({ gateway_id }) => gateway_id),
                ([gateway_id, of]) =>
                  system
                    .ask(GatewayCommands.GetAcknowledgements, gateway_id, {
                      command_ids: of.map(({ command_id }) => command_id)
                    })
                    .pipe(Effect.orElseSucceed(() => ({})))
              ),
              (found): Readonly<Record<string, number>> => Object.assign({}, ...found)
            ),
          said: (call_id) => Effect.orElseSucceed(system.ask(CallCommands.RecentTranscript, call_id, {}), () => []),
          watch: (call_id) => system.subscribe(CallActor, call_id)
        })
      })
    )
}
