// The part of the engine that carries calls, for engines without accounts, numbers and webhooks: no mail is sent, no
// event is delivered, and no tenant is kept on a PBX.
import { Effect, Layer } from "effect"
import { CallWebhooks } from "../calls/CallWebhooks.ts"
import { ChatAppCalls } from "../chatapp/ChatAppCalls.ts"
import { TenantEvents } from "../ingest/TenantEvents.ts"
import { TenantResync } from "../pbx/TenantResync.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { WalletOwner } from "../wallet/WalletOwner.ts"
import { callActors, callEntries, callServices } from "./CallArea.ts"

const withoutOthers = Layer.mergeAll(
  CallWebhooks.none,
  ChatAppCalls.none,
  TenantEvents.none,
  TenantResync.none,
  WalletOwner.none
)

const started = Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start))

/** Needs the actor system, ports and settings. Every kind of actor is registered before stored actors are activated. */
export const callCore = callEntries.pipe(
  Layer.provideMerge(started.pipe(Layer.provideMerge(callActors.pipe(Layer.provideMerge(callServices))))),
  Layer.provide(withoutOthers)
)
