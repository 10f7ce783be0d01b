// Changes to existing subscriptions.
import { Effect } from "effect"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { WebhookEventUnsupported, WebhookNotFound } from "../../domain/errors/WebhookErrors.ts"
import { DeliveryReads } from "../../domain/ports/webhooks/DeliveryReads.ts"
import { SubscriptionReads } from "../../domain/ports/webhooks/SubscriptionReads.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { changeFromPatch } from "../../domain/webhooks/ReadRequest.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import type { RotationRecord, SubscriptionPatch, SubscriptionRecord } from "../../domain/webhooks/SubscriptionRecord.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { sealContext } from "../shared/SealedResponse.ts"
import { ownSubscription } from "./OwnSubscription.ts"
import { webhookSecret } from "./WebhookResponses.ts"
import type { SubscriptionId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"

/** Most blocked deliveries that one rotation makes due. */
const maxRequeued = 5_000

/** Errors of everything that reads a subscription and then asks it. */
export type SubscriptionErrors = WebhookNotFound | NotCommitted | ReadFailed

export interface RotatedSecret {
  readonly rotation: RotationRecord
  /** The new secret, which is shown only here. */
  readonly secret: string
}

export interface WebhookChanges {
  readonly change: (
    workspace_id: WorkspaceId,
    id: SubscriptionId,
    patch: SubscriptionPatch,
    context?: RequestContext
  ) => Effect.Effect<SubscriptionRecord, SubscriptionErrors | BadRequest | WebhookEventUnsupported>
  /** Afterwards the subscription is not found. Its deliveries that have not succeeded end. */
  readonly remove: (
    workspace_id: WorkspaceId,
    id: SubscriptionId,
    context?: RequestContext
  ) => Effect.Effect<void, SubscriptionErrors | BadRequest>
  readonly rotateSecret: (
    workspace_id: WorkspaceId,
    id: SubscriptionId,
    previous_valid_seconds: number,
    context?: RequestContext
  ) => Effect.Effect<RotatedSecret, SubscriptionErrors>
}

/** A new secret for the subscription, plain and sealed. */
export const newSecret = (vault: Vault["Service"], id: SubscriptionId, workspace_id: WorkspaceId) => {
  const secret = vault.newSecret()
  return { secret, sealed: vault.seal(secret, sealContext(webhookSecret, id, workspace_id)) }
}

/** The subscription of a number is changed and deleted by the number's routing only. */
const refuseNumberRouting = ({ source }: SubscriptionRecord, field: string): Effect.Effect<void, BadRequest> =>
  source !== "number_routing"
    ? Effect.void
    : Effect.fail(
        new BadRequest({
          message: "This subscription belongs to the `events_url` of a number.",
          reason: "number_routing",
          details: [{ field, code: "number_routing", message: "Change it with the routing of the number." }]
        })
      )

/** Members that the routing of a number decides. */
const routedMembers = ["url", "events", "filters"] as const

export const makeWebhookChanges = Effect.gen(function* () {
  const policy = yield* AllowedTargets
  const system = yield* ActorSystem
  const deliveries = yield* DeliveryReads
  const vault = yield* Vault
  const own = yield* ownSubscription
  const { caughtUp } = yield* SubscriptionReads

  /** The next call that names the URL finds what was changed. */
  const untilCallsKnow = ({ source }: SubscriptionRecord) => (source === "call" ? caughtUp : Effect.void)

  const changes: WebhookChanges = {
    change: traced("Webhooks.change")(function* (workspace_id, id, patch, context = systemContext) {
      const record = yield* own(workspace_id, id)
      const member = routedMembers.find((name) => patch[name] !== undefined)
      if (member !== undefined) yield* refuseNumberRouting(record, `/${member}`)
      const change = yield* Effect.fromResult(changeFromPatch(patch, policy))
      const changed = yield* system.ask(SubscriptionCommands.Change, id, { change, origin: context.origin })
      yield* untilCallsKnow(record)
      return changed
    }),
    remove: traced("Webhooks.remove")(function* (workspace_id, id, context = systemContext) {
      const record = yield* own(workspace_id, id)
      yield* refuseNumberRouting(record, "")
      yield* system.ask(SubscriptionCommands.Delete, id, { origin: context.origin })
      yield* untilCallsKnow(record)
    }),
    rotateSecret: traced("Webhooks.rotateSecret")(function* (
      workspace_id,
      id,
      previous_valid_seconds,
      context = systemContext
    ) {
      yield* own(workspace_id, id)
      const { deliveries: blocked, revision } = yield* deliveries.find(workspace_id, id, { blocked: true }, maxRequeued)
      const { sealed, secret } = newSecret(vault, id, workspace_id)
      const command = { secret: sealed, previous_valid_seconds, blocked, revision, ...context }
      const rotation = yield* system.ask(SubscriptionCommands.RotateSecret, id, command)
      return { rotation, secret }
    })
  }
  return changes
})
