// Webhook subscriptions and deliveries, for HTTP handlers and the library.
import { Context, Effect, Layer } from "effect"
import type { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import {
  WebhookCreateFailed,
  type WebhookEventUnsupported,
  WebhookLimitReached,
  type WebhookNotFound
} from "../../domain/errors/WebhookErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { SubscriptionReads } from "../../domain/ports/webhooks/SubscriptionReads.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { factsFromRequest } from "../../domain/webhooks/ReadRequest.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import type { SubscriptionRecord, SubscriptionRequest } from "../../domain/webhooks/SubscriptionRecord.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { oneAtATime } from "../shared/OneAtATime.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { makeNumberWebhooks, type NumberWebhooks } from "./NumberWebhooks.ts"
import { ownSubscription } from "./OwnSubscription.ts"
import { makeWebhookChanges, newSecret, type WebhookChanges } from "./WebhookChanges.ts"
import { makeWebhookDeliveries, type WebhookDeliveries } from "./WebhookDeliveries.ts"
import { type SubscriptionId, toSubscriptionId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"

/** Subscriptions that a workspace may create. Those of its numbers and calls do not count. */
const maxSubscriptions = 20

export interface CreatedSubscription {
  readonly record: SubscriptionRecord
  /** Signs the deliveries. It is shown only here. */
  readonly secret: string
}

export type CreateSubscription = (
  workspace_id: WorkspaceId,
  request: SubscriptionRequest,
  context?: RequestContext
) => Effect.Effect<
  CreatedSubscription,
  BadRequest | WebhookEventUnsupported | WebhookLimitReached | WebhookCreateFailed | NotCommitted | ReadFailed
>

const makeCreate = Effect.gen(function* () {
  const policy = yield* AllowedTargets
  const system = yield* ActorSystem
  const ids = yield* Ids
  const reads = yield* SubscriptionReads
  const vault = yield* Vault
  const creating = yield* oneAtATime

  const refuseBeyondLimit = (workspace_id: WorkspaceId) =>
    Effect.flatMap(reads.countCreated(workspace_id), (created) =>
      created < maxSubscriptions ? Effect.void : Effect.fail(new WebhookLimitReached())
    )

  const create: CreateSubscription = traced("Webhooks.create")(
    function* (workspace_id, request, context = systemContext) {
      const facts = yield* Effect.fromResult(factsFromRequest(workspace_id, request, policy))
      yield* refuseBeyondLimit(workspace_id)
      const id = toSubscriptionId(ids.uuid())
      const { sealed, secret } = newSecret(vault, id, workspace_id)
      const command = { facts: { ...facts, secret: sealed }, ...context }
      const record = yield* system
        .ask(SubscriptionCommands.Create, id, command)
        .pipe(Effect.catchTag("webhooks.not_found", (cause) => Effect.fail(new WebhookCreateFailed({ cause }))))
      return { record, secret }
    },
    (effect, workspace_id) => creating(workspace_id)(effect)
  )
  return create
})

export class Webhooks extends Context.Service<
  Webhooks,
  WebhookChanges &
    WebhookDeliveries &
    NumberWebhooks & {
      /** The response is stored under the Idempotency-Key with a sealed secret; `openResponse` restores it. */
      readonly create: CreateSubscription
      /** All subscriptions, newest first. */
      readonly list: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<SubscriptionRecord>, ReadFailed>
      readonly get: (
        workspace_id: WorkspaceId,
        id: SubscriptionId
      ) => Effect.Effect<SubscriptionRecord, WebhookNotFound | ReadFailed>
    }
>()("trunkline/actors/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const { list } = yield* SubscriptionReads
      const changes = yield* makeWebhookChanges
      return Webhooks.of({
        ...changes,
        ...(yield* makeNumberWebhooks(changes)),
        ...(yield* makeWebhookDeliveries),
        get: yield* ownSubscription,
        list,
        create: yield* makeCreate
      })
    })
  )
}
