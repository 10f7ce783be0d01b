// The door to webhooks for HTTP and the library.
import { Context, Effect, Layer, Result, Semaphore } from "effect"
import type { Failure } from "../domain/errors/Failure.ts"
import { BadRequest } from "../domain/errors/GeneralErrors.ts"
import { WebhookCreateFailed, WebhookLimitReached, WebhookListFailed, WebhookNotFound } from "../domain/errors/WebhookErrors.ts"
import type { IdempotentRequest } from "../domain/idempotency/IdempotentRequest.ts"
import type { After } from "../domain/paging/After.ts"
import { type DeliveryFilter, DeliveryReads } from "../domain/ports/DeliveryReads.ts"
import { Ids } from "../domain/ports/Ids.ts"
import type { NotCommitted } from "../domain/ports/Journal.ts"
import { SubscriptionReads } from "../domain/ports/SubscriptionReads.ts"
import { Vault } from "../domain/ports/Vault.ts"
import { type TargetPolicy, targetUrl } from "../domain/targets/TargetUrl.ts"
import type { DeliveryRecord } from "../domain/webhooks/DeliveryRecord.ts"
import { secretBound } from "../domain/webhooks/SecretBound.ts"
import { selectors } from "../domain/webhooks/Selectors.ts"
import type { SubscriptionFacts } from "../domain/webhooks/SubscriptionCommand.ts"
import { apiVersion, type SubscriptionRecord, type SubscriptionRequest } from "../domain/webhooks/SubscriptionRecord.ts"
import { ActorSystem } from "./runtime/ActorSystem.ts"
import { SubscriptionActor } from "./SubscriptionActor.ts"

/** Subscriptions that a workspace may have. */
const limit = 20

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export interface CreatedSubscription {
  readonly record: SubscriptionRecord
  /** Shown this once. */
  readonly secret: string
}

/** What a new subscription is made of, or why the request is not acceptable. */
const factsOf = (
  workspace_id: string,
  request: SubscriptionRequest,
  policy: TargetPolicy
): Result.Result<Omit<SubscriptionFacts, "secret">, Failure> => {
  const url = targetUrl(request.url, policy)
  if (Result.isFailure(url)) {
    const { message, reason } = url.failure
    return Result.fail(new BadRequest({ message: "The webhook URL cannot be used.", reason, details: [{ field: "/url", code: reason, message }] }))
  }
  return Result.map(selectors(request.events), ({ events, kinds }) => ({
    workspace_id,
    url: request.url,
    description: request.description ?? "",
    events,
    kinds,
    number_ids: [...new Set(request.filters?.number_ids ?? [])],
    signature_format: request.signature_format ?? "timestamped",
    api_version: request.api_version ?? apiVersion,
    source: "api"
  }))
}

export class Webhooks extends Context.Service<Webhooks, {
  /** With an Idempotency-Key the answer is kept; `openAnswer` makes it readable again. */
  readonly create: (
    workspace_id: string,
    request: SubscriptionRequest,
    idempotency?: IdempotentRequest
  ) => Effect.Effect<CreatedSubscription, Failure | NotCommitted>
  /** Newest first, all of them. */
  readonly list: (workspace_id: string) => Effect.Effect<ReadonlyArray<SubscriptionRecord>, Failure>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<SubscriptionRecord, Failure>
  /** Newest first, at most `page.limit`. */
  readonly deliveries: (
    workspace_id: string,
    subscription_id: string,
    filter: DeliveryFilter,
    page: { readonly after?: After; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, Failure>
}>()("trunkline/actors/Webhooks") {
  static readonly layer = (policy: TargetPolicy) =>
    Layer.effect(
      Webhooks,
      Effect.gen(function*() {
        const system = yield* ActorSystem
        const ids = yield* Ids
        const reads = yield* SubscriptionReads
        const deliveryReads = yield* DeliveryReads
        const vault = yield* Vault
        // Creating is rare: one at a time in a process, so that the limit holds there.
        const creating = yield* Semaphore.make(1)

        const refuseBeyondLimit = (workspace_id: string) =>
          Effect.flatMap(
            Effect.mapError(reads.list(workspace_id), ({ cause }) => new WebhookCreateFailed({ cause })),
            (subscriptions) => subscriptions.length < limit ? Effect.void : Effect.fail(new WebhookLimitReached())
          )

        const get = (workspace_id: string, id: string) =>
          !uuid.test(id) ? Effect.fail(new WebhookNotFound()) : Effect.flatMap(
            Effect.mapError(reads.find(workspace_id, id), ({ cause }) => new WebhookListFailed({ cause })),
            (record): Effect.Effect<SubscriptionRecord, Failure> =>
              record === undefined ? Effect.fail(new WebhookNotFound()) : Effect.succeed(record)
          )

        return Webhooks.of({
          get,
          list: (workspace_id) =>
            Effect.mapError(reads.list(workspace_id), ({ cause }) => new WebhookListFailed({ cause })),
          create: (workspace_id, request, idempotency) =>
            Effect.gen(function*() {
              const facts = yield* Effect.fromResult(factsOf(workspace_id, request, policy))
              yield* refuseBeyondLimit(workspace_id)
              const id = ids.uuid()
              const secret = vault.newSecret()
              const sealed = vault.seal(secret, secretBound(id, workspace_id))
              const reply = yield* system.ask(SubscriptionActor, id, {
                _tag: "Create",
                facts: { ...facts, secret: sealed },
                ...(idempotency && { idempotency })
              })
              if (reply._tag !== "Created") return yield* new WebhookCreateFailed()
              return { record: reply.record, secret }
            }).pipe(creating.withPermit),
          deliveries: (workspace_id, subscription_id, filter, { after, limit }) =>
            Effect.andThen(
              get(workspace_id, subscription_id),
              Effect.mapError(
                deliveryReads.list(workspace_id, subscription_id, filter, after, limit),
                ({ cause }): Failure => new WebhookListFailed({ cause })
              )
            )
        })
      })
    )
}
