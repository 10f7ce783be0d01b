// The `events_url` of a call is a subscription that receives the events of the calls that name it, and no others.
import { Context, Effect, Layer } from "effect"
import { WebhookDispatcherUnavailable, WebhookLimitReached } from "../../domain/errors/WebhookErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
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

/** How many subscriptions a process remembers by their URL; the oldest are forgotten first. */
const remembered_max = 10_000

const limitReached = new WebhookLimitReached({
  message: `Calls of this workspace have named ${maxUrls} different events_urls.`,
  resolution:
    "Use one URL and tell calls apart by `client_reference` or `metadata`, or delete subscriptions that are no longer used."
})

export type SubscribeCallError = ServiceUnavailable | WebhookDispatcherUnavailable | WebhookLimitReached | NotCommitted

const make = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const reads = yield* SubscriptionReads
  // The first calls to a URL may come at the same time. In this process they share its subscription.
  const creating = yield* oneAtATime
  const remembered = new Map<string, SubscriptionId>()

  const remember = (key: string, id: SubscriptionId): void => {
    remembered.set(key, id)
    const [oldest] = remembered.keys()
    if (remembered.size > remembered_max && oldest !== undefined) remembered.delete(oldest)
  }

  const ofCalls = (workspace_id: WorkspaceId) =>
    Effect.map(reads.list(workspace_id), (all) => all.filter(({ source }) => source === "call")).pipe(
      Effect.mapError((cause) => new ServiceUnavailable({ cause }))
    )

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

  /** The subscription that was used before, unless it was deleted since. */
  const rememberedId = (workspace_id: WorkspaceId, key: string) =>
    Effect.gen(function* () {
      const id = remembered.get(key)
      if (id === undefined) return undefined
      const found = yield* reads.find(workspace_id, id)
      if (found === undefined) remembered.delete(key)
      return found?.id
    }).pipe(Effect.mapError((cause) => new ServiceUnavailable({ cause })))

  const search = Effect.fnUntraced(function* (workspace_id: WorkspaceId, url: string) {
    const known = yield* ofCalls(workspace_id)
    const found = known.find((subscription) => subscription.url === url)
    if (found !== undefined) return found.id
    return known.length < maxUrls ? yield* create(workspace_id, url) : yield* limitReached
  })

  const subscribe = traced("CallWebhooks.subscribe")(function* (workspace_id: WorkspaceId, url: string) {
    const key = `${workspace_id} ${url}`
    const id = yield* rememberedId(workspace_id, key)
    if (id !== undefined) return id
    const made = yield* creating(workspace_id)(search(workspace_id, url))
    remember(key, made)
    return made
  })
  return { subscribe }
})

export class CallWebhooks extends Context.Service<
  CallWebhooks,
  {
    /** Returns the id of the subscription that sends to this URL. It is created when the URL is first named. */
    readonly subscribe: (workspace_id: WorkspaceId, url: string) => Effect.Effect<SubscriptionId, SubscribeCallError>
  }
>()("trunkline/actors/CallWebhooks") {
  static readonly layer = Layer.effect(CallWebhooks, make)

  /** No webhooks are sent, so no call may have an `events_url`. For engines without subscriptions. */
  static readonly none = Layer.succeed(CallWebhooks)({
    subscribe: () => Effect.fail(new WebhookDispatcherUnavailable())
  })
}
