// What changes a subscription that is there.
import { Effect } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { WebhookPatchFailed, WebhookRotateSecretFailed } from "../../domain/errors/WebhookErrors.ts"
import { DeliveryReads } from "../../domain/ports/DeliveryReads.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import { changeOf } from "../../domain/webhooks/ReadRequest.ts"
import type { RotationRecord, SubscriptionPatch, SubscriptionRecord } from "../../domain/webhooks/SubscriptionRecord.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { ownSubscription } from "./OwnSubscription.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { boundTo } from "../shared/SealedResponse.ts"
import { SubscriptionActor } from "./SubscriptionActor.ts"
import { webhookSecret } from "./WebhookResponses.ts"

/** Blocked deliveries that one rotation takes up again. */
const requeueLimit = 5_000

type Unhappy = Failure | NotCommitted | ReadFailed

export interface RotatedSecret {
  readonly rotation: RotationRecord
  /** Shown this once. */
  readonly secret: string
}

export interface WebhookChanges {
  readonly change: (
    workspace_id: string,
    id: string,
    patch: SubscriptionPatch,
    context?: RequestContext
  ) => Effect.Effect<SubscriptionRecord, Unhappy>
  /** From then on it is as if it had never been; what waits to be delivered ends. */
  readonly remove: (workspace_id: string, id: string, context?: RequestContext) => Effect.Effect<void, Unhappy>
  readonly rotateSecret: (
    workspace_id: string,
    id: string,
    previous_valid_seconds: number,
    context?: RequestContext
  ) => Effect.Effect<RotatedSecret, Unhappy>
}

/** A new secret of the subscription, plain and sealed. */
export const newSecret = (vault: Vault["Service"], id: string, workspace_id: string) => {
  const secret = vault.newSecret()
  return { secret, sealed: vault.seal(secret, boundTo(webhookSecret, id, workspace_id)) }
}

/** What the routing of a number says of its subscription is changed there. */
const refuseRouted = ({ source }: SubscriptionRecord, field: string): Effect.Effect<void, BadRequest> =>
  source !== "number_routing"
    ? Effect.void
    : Effect.fail(
        new BadRequest({
          message: "This subscription belongs to the `events_url` of a number.",
          reason: "number_routing",
          details: [{ field, code: "number_routing", message: "Change it with the routing of the number." }]
        })
      )

const routed = ["url", "events", "filters"] as const

export const makeWebhookChanges = (policy: TargetPolicy) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const deliveries = yield* DeliveryReads
    const vault = yield* Vault
    const own = yield* ownSubscription

    const changes: WebhookChanges = {
      change: (workspace_id, id, patch, context = systemContext) =>
        Effect.gen(function* () {
          const record = yield* own(workspace_id, id)
          const field = routed.find((name) => patch[name] !== undefined)
          if (field !== undefined) yield* refuseRouted(record, `/${field}`)
          const change = yield* Effect.fromResult(changeOf(patch, policy))
          const reply = yield* system.ask(SubscriptionActor, id, { _tag: "Change", change, ...context })
          return reply._tag === "Shown" ? reply.record : yield* new WebhookPatchFailed()
        }),
      remove: (workspace_id, id, context = systemContext) =>
        Effect.gen(function* () {
          yield* refuseRouted(yield* own(workspace_id, id), "")
          yield* system.ask(SubscriptionActor, id, { _tag: "Delete", ...context })
        }),
      rotateSecret: (workspace_id, id, previous_valid_seconds, context = systemContext) =>
        Effect.gen(function* () {
          yield* own(workspace_id, id)
          const { deliveries: blocked, revision } = yield* deliveries.find(
            workspace_id,
            id,
            { blocked: true },
            requeueLimit
          )
          const { sealed, secret } = newSecret(vault, id, workspace_id)
          const reply = yield* system.ask(SubscriptionActor, id, {
            _tag: "RotateSecret",
            secret: sealed,
            previous_valid_seconds,
            blocked,
            revision,
            ...context
          })
          if (reply._tag !== "Rotated") return yield* new WebhookRotateSecretFailed()
          return { rotation: reply.rotation, secret }
        })
    }
    return changes
  })
