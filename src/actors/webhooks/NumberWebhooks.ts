// The `events_url` of a number is a subscription to the events of its calls, with a secret of its own.
import { Effect } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { WebhookCreateFailed } from "../../domain/errors/WebhookErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { subscriptionOfNumber } from "../../domain/webhooks/DerivedId.ts"
import { callKinds } from "../../domain/webhooks/EventTable.ts"
import { apiVersion } from "../../domain/webhooks/SubscriptionRecord.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { SubscriptionActor } from "./SubscriptionActor.ts"
import { newSecret, type RotatedSecret, type WebhookChanges } from "./WebhookChanges.ts"

export interface NumberSubscription {
  readonly subscription_id: string
  /** Set when the subscription was made by this very request: shown this once. */
  readonly secret?: string
}

export interface NumberWebhooks {
  /**
   * Makes it so that the events of the number's calls go to `url`, or to nobody where it is null. Asking again changes
   * nothing. The URL is taken as it is: whoever asks has checked it.
   */
  readonly setNumberEventsUrl: (
    workspace_id: string,
    number_id: string,
    url: string | null,
    context?: RequestContext
  ) => Effect.Effect<NumberSubscription | undefined, Failure | NotCommitted>
  /** Fails with `webhooks.not_found` where the number of this workspace has no `events_url`. */
  readonly rotateNumberSecret: (
    workspace_id: string,
    number_id: string,
    previous_valid_seconds: number,
    context?: RequestContext
  ) => Effect.Effect<RotatedSecret, Failure | NotCommitted | ReadFailed>
}

export const makeNumberWebhooks = ({ rotateSecret }: WebhookChanges) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const vault = yield* Vault

    const end = (id: string, context: RequestContext) =>
      system.ask(SubscriptionActor, id, { _tag: "Delete", ...context }).pipe(
        Effect.catchTag("webhooks.not_found", () => Effect.void),
        Effect.as(undefined)
      )

    const route = Effect.fnUntraced(function* (
      workspace_id: string,
      number_id: string,
      id: string,
      url: string,
      context: RequestContext
    ) {
      const { sealed, secret } = newSecret(vault, id, workspace_id)
      const facts = {
        workspace_id,
        url,
        description: "",
        events: ["call.*"],
        kinds: callKinds,
        number_ids: [number_id],
        signature_format: "timestamped",
        api_version: apiVersion,
        source: "number_routing",
        secret: sealed
      } as const
      const reply = yield* system.ask(SubscriptionActor, id, { _tag: "Route", facts, ...context })
      if (reply._tag !== "Routed") return yield* new WebhookCreateFailed()
      return { subscription_id: id, ...(reply.created && { secret }) }
    })

    const numbers: NumberWebhooks = {
      setNumberEventsUrl: (workspace_id, number_id, url, context = systemContext) => {
        const id = subscriptionOfNumber(workspace_id, number_id)
        return url === null ? end(id, context) : route(workspace_id, number_id, id, url, context)
      },
      rotateNumberSecret: (workspace_id, number_id, previous_valid_seconds, context) =>
        rotateSecret(workspace_id, subscriptionOfNumber(workspace_id, number_id), previous_valid_seconds, context)
    }
    return numbers
  })
