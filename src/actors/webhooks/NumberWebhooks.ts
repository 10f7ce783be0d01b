// The `events_url` of a number is a subscription to the events of its calls, with a secret of its own.
import { Effect } from "effect"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { subscriptionOfNumber } from "../../domain/webhooks/DerivedId.ts"
import { callKinds } from "../../domain/events/EventTable.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import { subscriptionDefaults } from "../../domain/webhooks/ReadRequest.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { newSecret, type RotatedSecret, type SubscriptionErrors, type WebhookChanges } from "./WebhookChanges.ts"
import type { NumberId, SubscriptionId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

export interface NumberSubscription {
  readonly subscription_id: SubscriptionId
  /** Set if this request created the subscription. The secret is shown only here. */
  readonly secret?: string
}

export interface NumberWebhooks {
  /**
   * Sends the events of the number's calls to `url`, or stops sending them when it is null. Repeating it changes
   * nothing. The caller has validated the URL.
   */
  readonly setNumberEventsUrl: (
    workspace_id: WorkspaceId,
    number_id: NumberId,
    url: string | null,
    context?: RequestContext
  ) => Effect.Effect<NumberSubscription | undefined, NotCommitted>
  /** Fails with WebhookNotFound if the workspace has no such number, or the number has no `events_url`. */
  readonly rotateNumberSecret: (
    workspace_id: WorkspaceId,
    number_id: NumberId,
    previous_valid_seconds: number,
    context?: RequestContext
  ) => Effect.Effect<RotatedSecret, SubscriptionErrors>
}

export const makeNumberWebhooks = ({ rotateSecret }: WebhookChanges) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const vault = yield* Vault

    const remove = (id: SubscriptionId, { origin }: RequestContext) =>
      system
        .ask(SubscriptionCommands.Delete, id, { origin })
        .pipe(Effect.catchTag("webhooks.not_found", () => Effect.void))

    const route = Effect.fnUntraced(function* (
      id: SubscriptionId,
      workspace_id: WorkspaceId,
      number_id: NumberId,
      url: string,
      { origin }: RequestContext
    ) {
      const { sealed, secret } = newSecret(vault, id, workspace_id)
      const facts = {
        workspace_id,
        url,
        ...subscriptionDefaults,
        events: ["call.*"],
        kinds: callKinds,
        number_ids: [number_id],
        source: "number_routing",
        secret: sealed
      } as const
      const { created } = yield* system.ask(SubscriptionCommands.Route, id, { facts, origin })
      return { subscription_id: id, ...(created && { secret }) }
    })

    const numberWebhooks: NumberWebhooks = {
      setNumberEventsUrl: traced("Webhooks.setNumberEventsUrl")(function* (
        workspace_id,
        number_id,
        url,
        context = systemContext
      ) {
        const id = subscriptionOfNumber(workspace_id, number_id)
        if (url !== null) return yield* route(id, workspace_id, number_id, url, context)
        yield* remove(id, context)
        return undefined
      }),
      rotateNumberSecret: (workspace_id, number_id, previous_valid_seconds, context) =>
        rotateSecret(workspace_id, subscriptionOfNumber(workspace_id, number_id), previous_valid_seconds, context)
    }
    return numberWebhooks
  })
