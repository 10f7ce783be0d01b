// The whole engine between its ports and its facades. A composition adds the actor system, ports and settings.
import { Layer } from "effect"
import { CodeCalls } from "../callerids/CodeCalls.ts"
import { CallWebhooks } from "../calls/CallWebhooks.ts"
import { ChatAppCalls } from "../chatapp/ChatAppCalls.ts"
import { TenantEvents } from "../ingest/TenantEvents.ts"
import { NotifyAdmins } from "../mail/NotifyAdmins.ts"
import * as RotateMasterKey from "../maintenance/RotateMasterKey.ts"
import { TenantResync } from "../pbx/TenantResync.ts"
import { WalletOwner } from "../wallet/WalletOwner.ts"
import * as SubscriptionActor from "../webhooks/SubscriptionActor.ts"
import { VoiceSecrets } from "../webhooks/VoiceSecrets.ts"
import { WebhookDoctor } from "../webhooks/WebhookDoctor.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { accountActors, accountFacades } from "./AccountArea.ts"
import { callActors, callFacades, callServices } from "./CallArea.ts"
import { moneyActors, moneyFacades } from "./MoneyArea.ts"
import { numberActors, numberFacades } from "./NumberArea.ts"
import { startActors } from "./StartActors.ts"

/** What the actors of one area ask of another. */
const betweenAreas = Layer.mergeAll(
  CallWebhooks.layer,
  ChatAppCalls.layer,
  TenantEvents.layer,
  TenantResync.layer,
  VoiceSecrets.layer,
  WalletOwner.layer.pipe(Layer.provideMerge(NotifyAdmins.layer))
)

const services = Layer.mergeAll(
  CodeCalls.layer.pipe(Layer.provideMerge(callServices)),
  Webhooks.layer,
  WebhookDoctor.layer
)

const actors = Layer.mergeAll(callActors, moneyActors, numberActors, accountActors, SubscriptionActor.layer)

const facades = Layer.mergeAll(callFacades, moneyFacades, numberFacades, accountFacades, RotateMasterKey.layer)

/** Every kind of actor is registered before stored actors are activated, and facades take requests after that. */
export const engineCore = facades.pipe(
  Layer.provideMerge(startActors.pipe(Layer.provideMerge(actors.pipe(Layer.provideMerge(services))))),
  Layer.provide(betweenAreas)
)
