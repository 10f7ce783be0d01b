// The `events_url` of a call is a subscription that receives the events of the calls that name it, and no others.
import { Context, Effect, Layer } from "effect"
import { WebhookDispatcherUnavailable, WebhookLimitReached } from "../../domain/errors/WebhookErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SubscriptionReads } from "../../domain/ports/webhooks/SubscriptionReads.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import { subscriptionDefaults } from "../../domain/webhooks/ReadRequest.ts"
import { voiceSecretItself } from "../../domain/workspace/VoiceSecret.ts"
import { oneAtATime } from "../shared/OneAtATime.ts"
import { systemContext } from "../shared/RequestContext.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { type SubscriptionId, toSubscriptionId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

/** How many different URLs the calls of a workspace may name. */
const maxUrls = 100

const limitReached = new WebhookLimitReached({
  message: `Calls of this workspace have named ${maxUrls} different events_urls.`,
  resolution:
    "Use one URL and tell calls apart by `client_reference` or `metadata`, or delete subscriptions that are no longer used."
})

type FindCallSubscriptionError = ServiceUnavailable | WebhookDispatcherUnavailable | WebhookLimitReached
export type SubscribeCallError = FindCallSubscriptionError | NotCommitted

const make = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const reads = yield* SubscriptionReads
  // The first calls to a URL may come at the same time. In this process they share its subscription.
  const creating = yield* oneAtATime
  const unavailable = Effect.mapError((cause: ReadFailed) => new ServiceUnavailable({ cause }))

  const create = Effect.fnUntraced(function* (workspace_id: WorkspaceId, url: string) {
    const id = toSubscriptionId(ids.uuid())
    const facts = {
      workspace_id,
      url,
      ...subscriptionDefaults,
      events: ["call.*"],
      source: "call",
      secret: voiceSecretItself
    } as const
    // The id is new, so no deleted subscription has it.
    yield* system
      .ask(SubscriptionCommands.Create, id, { facts, ...systemContext })
      .pipe(Effect.catchTag("webhooks.not_found", Effect.die))
    return id
  })

  const search = Effect.fnUntraced(function* (workspace_id: WorkspaceId, url: string) {
    const known = yield* unavailable(reads.callUrls(workspace_id))
    const found = known.get(url)
    return found === undefined && known.size >= maxUrls ? yield* limitReached : found
  })

  const find = traced("CallWebhooks.find")(function* (workspace_id: WorkspaceId, url: string) {
    return (yield* unavailable(reads.ofCallUrl(workspace_id, url))) ?? (yield* search(workspace_id, url))
  })

  const subscribe = traced("CallWebhooks.subscribe")((workspace_id: WorkspaceId, url: string) =>
    creating(workspace_id)(
      Effect.flatMap(search(workspace_id, url), (found) =>
        found === undefined ? create(workspace_id, url) : Effect.succeed(found)
      )
    )
  )
  return { find, subscribe }
})

export class CallWebhooks extends Context.Service<
  CallWebhooks,
  {
    /** Returns the id of the subscription that sends to this URL; undefined if the URL may get one. */
    readonly find: (
      workspace_id: WorkspaceId,
      url: string
    ) => Effect.Effect<SubscriptionId | undefined, FindCallSubscriptionError>
    /** Returns the id of the subscription that sends to this URL. It is created if there is none. */
    readonly subscribe: (workspace_id: WorkspaceId, url: string) => Effect.Effect<SubscriptionId, SubscribeCallError>
  }
>()("trunkline/actors/CallWebhooks") {
  static readonly layer = Layer.effect(CallWebhooks, make)

  /** No webhooks are sent, so no call may have an `events_url`. For engines without subscriptions. */
  static readonly none = Layer.succeed(CallWebhooks)({
    find: () => Effect.fail(new WebhookDispatcherUnavailable()),
    subscribe: () => Effect.fail(new WebhookDispatcherUnavailable())
  })
}
