// Calls, for HTTP and the library: places, changes and follows them.
import { Context, Effect, Layer, Result, type Scope } from "effect"
import { placedWith } from "../../domain/ActorPlace.ts"
import { type CallId, toCallId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import type { StreamNotice } from "../../domain/calls/views/CallNotice.ts"
import { defaultRing_seconds } from "../../domain/calls/state/NewFacts.ts"
import type { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import type { OriginateRequest } from "../../domain/calls/verbs/OriginateRequest.ts"
import { misplacedOnceAnswered, unsupportedAction, unsupportedBy } from "../../domain/calls/verbs/VoiceAction.ts"
import type { TranscriptNotice } from "../../domain/calls/state/Transcript.ts"
import {
  type CallActionUnsupported,
  type CallGatewayUnavailable,
  CallInvalidCallbackUrl
} from "../../domain/errors/CallErrors.ts"
import { BadRequest, type PayloadTooLarge } from "../../domain/errors/GeneralErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { GatewayCommands } from "../../domain/pbx/GatewayCommand.ts"
import type { CommandTrail } from "../../domain/calls/views/CallTrail.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { targetUrl } from "../../domain/targets/TargetUrl.ts"
import { makeRequireGateway } from "../pbx/RequireGateway.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Listener } from "../runtime/Listeners.ts"
import { CallActor } from "./CallActor.ts"
import { type CallChanges, checkMetadata, makeCallChanges, readActions } from "./CallChanges.ts"
import { CallWebhooks, type SubscribeCallError } from "./CallWebhooks.ts"
import { Legs, type PriceRefusal, type ShareRefusal } from "./Legs.ts"
import { traced } from "../../domain/Traced.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"

export type OriginateRefusal =
  | BadRequest
  | CallGatewayUnavailable
  | CallActionUnsupported
  | CallInvalidCallbackUrl
  | PayloadTooLarge
  | PriceRefusal
  | ShareRefusal
  | SubscribeCallError

interface CallViewers {
  /** Passes the notices of a call to the listener from now on. The call need not exist yet. */
  readonly watch: (call_id: CallId, listener: Listener<StreamNotice>) => Effect.Effect<void, never, Scope.Scope>
  /**
   * Records for the timeline that a client follows the call, until the scope closes or the call has ended (`isOver`).
   * `by`: the id of its API key or session. Nothing waits for the record.
   */
  readonly recordViewer: (call_id: CallId, by: string, isOver: () => boolean) => Effect.Effect<void, never, Scope.Scope>
  /** The latest pieces of the transcript, as far as they are in memory. */
  readonly recentTranscript: (call_id: CallId) => Effect.Effect<ReadonlyArray<TranscriptNotice>>
  /** When gateways acknowledged these commands, epoch milliseconds by command id. Gateways know the latest only. */
  readonly acknowledgements: (commands: ReadonlyArray<CommandTrail>) => Effect.Effect<Readonly<Record<string, number>>>
}

export class Calls extends Context.Service<
  Calls,
  CallChanges &
    CallViewers & {
      /** Places an outbound call. Returns once its first minute is held and it is on disk; nothing rings before. */
      readonly originate: (
        workspace_id: WorkspaceId,
        request: OriginateRequest,
        idempotency?: IdempotentRequest
      ) => Effect.Effect<CallRecord, OriginateRefusal>
    }
>()("trunkline/actors/Calls") {
  static readonly layer = Layer.effect(
    Calls,
    Effect.gen(function* () {
      const originate = yield* makeOriginate()
      return Calls.of({ originate, ...(yield* makeCallChanges), ...(yield* makeCallViewers) })
    })
  )
}

/** The actions of a call that asks no callback when it is answered. */
const readOwnActions = (document: ReadonlyArray<unknown>) =>
  Result.flatMap(readActions(document), (actions) => {
    const misplaced = misplacedOnceAnswered(actions)
    if (misplaced === undefined) return Result.succeed(actions)
    const { detail: message, pointer: field } = misplaced
    return Result.fail(new BadRequest({ details: [{ field, code: "misplaced", message }] }))
  })

const makeOriginate = Effect.fnUntraced(function* () {
  const policy = yield* AllowedTargets
  const legs = yield* Legs
  const ids = yield* Ids
  const webhooks = yield* CallWebhooks
  const requireGateway = makeRequireGateway(yield* ActorSystem)

  const checkUrl = (field: string, url: string | undefined): Effect.Effect<void, CallInvalidCallbackUrl> => {
    const read = url === undefined ? undefined : targetUrl(url, policy)
    if (read === undefined || Result.isSuccess(read)) return Effect.void
    const { message, reason } = read.failure
    return Effect.fail(new CallInvalidCallbackUrl({ message, reason, details: [{ field, code: reason, message }] }))
  }

  return traced("Calls.originate")(function* (
    workspace_id: WorkspaceId,
    request: OriginateRequest,
    idempotency?: IdempotentRequest
  ) {
    const { actions: document, events_url, timeout_seconds = defaultRing_seconds, ...requested } = request
    const actions = document === undefined ? undefined : yield* Effect.fromResult(readOwnActions(document))
    yield* checkMetadata(request.metadata)
    const caller = yield* legs.callerOf({ workspace_id, from: request.from })
    yield* checkUrl("/voice_callback_url", request.voice_callback_url)
    yield* checkUrl("/voice_fallback_url", request.voice_fallback_url)
    yield* checkUrl("/events_url", events_url)
    const wanted = {
      ...requested,
      id: toCallId(placedWith(workspace_id, ids.uuid())),
      kind: "api" as const,
      workspace_id,
      caller_id: null,
      timeout_seconds,
      ...(actions && { actions })
    }
    // While the gateway is away, a request that could never succeed is told so: nobody should repeat it.
    yield* Effect.tapError(requireGateway(caller.workspace.gateway_id), () => legs.price(wanted, caller))
    const unsupported = unsupportedAction(actions ?? [], caller.gateway.capabilities)
    if (unsupported !== undefined) return yield* unsupportedBy(unsupported)
    const events_subscription_id = events_url === undefined ? undefined : yield* webhooks.find(workspace_id, events_url)
    const leg = {
      ...wanted,
      ...(events_subscription_id !== undefined && { events_subscription_id }),
      ...(idempotency && { idempotency })
    }
    if (events_url === undefined || events_subscription_id !== undefined) return yield* legs.place(leg, caller)
    // The first call that names the URL. A refused one leaves no subscription behind.
    const subscribed = Effect.map(webhooks.subscribe(workspace_id, events_url), (id) => ({
      events_subscription_id: id
    }))
    return yield* legs.place(leg, caller, subscribed)
  })
})

const makeCallViewers = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids

  const recordViewer: CallViewers["recordViewer"] = (call_id, by, isOver) => {
    const stream_id = ids.uuid()
    const add = Effect.suspend(() => system.ask(CallCommands.AddViewer, call_id, { stream_id, by }))
    const remove = Effect.suspend(() => system.ask(CallCommands.RemoveViewer, call_id, { stream_id }))
    return Effect.asVoid(
      Effect.acquireRelease(Effect.forkDetach(Effect.ignore(add)), () =>
        isOver() ? Effect.void : Effect.forkDetach(Effect.ignore(remove))
      )
    )
  }

  const acknowledgements: CallViewers["acknowledgements"] = (commands) =>
    Effect.map(
      Effect.forEach(
        Map.groupBy(commands, ({ gateway_id }) => gateway_id),
        ([gateway_id, ofGateway]) =>
          system
            .ask(GatewayCommands.GetAcknowledgements, gateway_id, {
              command_ids: ofGateway.map(({ command_id }) => command_id)
            })
            .pipe(Effect.orElseSucceed(() => ({})))
      ),
      (found): Readonly<Record<string, number>> => Object.assign({}, ...found)
    )

  return {
    watch: (call_id: CallId, listener: Listener<StreamNotice>) => system.follow(CallActor, call_id, listener),
    recordViewer,
    recentTranscript: (call_id: CallId) =>
      Effect.orElseSucceed(system.ask(CallCommands.RecentTranscript, call_id, {}), () => []),
    acknowledgements
  }
})
