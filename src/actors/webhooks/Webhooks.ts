// The door to webhooks for HTTP and the library.
import { Context, Effect, Layer, Semaphore } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { WebhookCreateFailed, WebhookLimitReached } from "../../domain/errors/WebhookErrors.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SubscriptionReads } from "../../domain/ports/SubscriptionReads.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import { factsOf } from "../../domain/webhooks/ReadRequest.ts"
import type { SubscriptionRecord, SubscriptionRequest } from "../../domain/webhooks/SubscriptionRecord.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { makeNumberWebhooks, type NumberWebhooks } from "./NumberWebhooks.ts"
import { ownSubscription } from "./OwnSubscription.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { SubscriptionActor } from "./SubscriptionActor.ts"
import { makeWebhookChanges, newSecret, type WebhookChanges } from "./WebhookChanges.ts"
import { makeWebhookDeliveries, type WebhookDeliveries } from "./WebhookDeliveries.ts"

/** Subscriptions that a workspace may make. Those of its numbers come on top. */
const limit = 20

export interface CreatedSubscription {
  readonly record: SubscriptionRecord
  /** Shown this once. */
  readonly secret: string
}

export class Webhooks extends Context.Service<
  Webhooks,
  WebhookChanges &
    WebhookDeliveries &
    NumberWebhooks & {
      /** With an Idempotency-Key the answer is kept; `openAnswer` makes it readable again. */
      readonly create: (
        workspace_id: string,
        request: SubscriptionRequest,
        context?: RequestContext
      ) => Effect.Effect<CreatedSubscription, Failure | NotCommitted | ReadFailed>
      /** Newest first, all of them. */
      readonly list: (workspace_id: string) => Effect.Effect<ReadonlyArray<SubscriptionRecord>, ReadFailed>
      readonly get: (workspace_id: string, id: string) => Effect.Effect<SubscriptionRecord, Failure | ReadFailed>
    }
>()("trunkline/actors/Webhooks") {
  static readonly layer = (policy: TargetPolicy) =>
    Layer.effect(
      Webhooks,
      Effect.gen(function* () {
        const system = yield* ActorSystem
        const ids = yield* Ids
        const reads = yield* SubscriptionReads
        const vault = yield* Vault
        // Creating is rare: one at a time in a process, so that the limit holds there.
        const creating = yield* Semaphore.make(1)

        const refuseBeyondLimit = (workspace_id: string) =>
          Effect.flatMap(reads.list(workspace_id), (subscriptions) =>
            subscriptions.filter(({ source }) => source === "api").length < limit
              ? Effect.void
              : Effect.fail(new WebhookLimitReached())
          )

        const changes = yield* makeWebhookChanges(policy)
        return Webhooks.of({
          ...changes,
          ...(yield* makeNumberWebhooks(changes)),
          ...(yield* makeWebhookDeliveries),
          get: yield* ownSubscription,
          list: reads.list,
          create: (workspace_id, request, context = systemContext) =>
            Effect.gen(function* () {
              const facts = yield* Effect.fromResult(factsOf(workspace_id, request, policy))
              yield* refuseBeyondLimit(workspace_id)
              const id = ids.uuid()
              const { sealed, secret } = newSecret(vault, id, workspace_id)
              const reply = yield* system.ask(SubscriptionActor, id, {
                _tag: "Create",
                facts: { ...facts, secret: sealed },
                ...context
              })
              if (reply._tag !== "Created") return yield* new WebhookCreateFailed()
              return { record: reply.record, secret }
            }).pipe(creating.withPermit)
        })
      })
    )
}
