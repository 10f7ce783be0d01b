// The webhooks of an engine on the memory journal, with a scripted receiver.
import { Clock, Effect, Layer } from "effect"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../src/actors/runtime/LocalSystem.ts"
import * as SubscriptionActor from "../../src/actors/webhooks/SubscriptionActor.ts"
import { NotifyAdmins } from "../../src/actors/mail/NotifyAdmins.ts"
import { VoiceSecrets } from "../../src/actors/webhooks/VoiceSecrets.ts"
import { Webhooks } from "../../src/actors/webhooks/Webhooks.ts"
import { AllowedTargets } from "../../src/domain/ports/engine/AllowedTargets.ts"
import { SubscriptionReads } from "../../src/domain/ports/webhooks/SubscriptionReads.ts"
import { WebhookSender } from "../../src/domain/ports/webhooks/WebhookSender.ts"
import type { Outcome, WebhookRequest } from "../../src/domain/webhooks/DeliveryRecord.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { AesVault } from "../../src/layers/keyring/AesVault.ts"
import { deliveryReads, subscriptionReads } from "../../src/layers/memory/MemoryWebhookReads.ts"
import type { NumberId, WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { workspaceId } from "./Ids.ts"

export interface Sent extends WebhookRequest {
  readonly at: number
}

export const answered = (http_status: number, change: Partial<Outcome> = {}): Partial<Outcome> => ({
  http_status,
  ...change
})

/** What the receiver does with a request, the how-manieth of its delivery it is. */
export type Script = (request: WebhookRequest, attempt: number) => Effect.Effect<Partial<Outcome>>

export const makeReceiver = (script: Script) => {
  const sent: Array<Sent> = []
  const flying = new Map<string, number>()
  let most = 0
  const layer = Layer.succeed(WebhookSender)({
    send: (request) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const attempt = 1 + sent.filter(({ delivery_id }) => delivery_id === request.delivery_id).length
        sent.push({ ...request, at })
        flying.set(request.delivery_id, (flying.get(request.delivery_id) ?? 0) + 1)
        most = Math.max(
          most,
          [...flying.values()].reduce((sum, count) => sum + count, 0)
        )
        const ending = yield* Effect.ensuring(
          script(request, attempt),
          Effect.sync(() => flying.delete(request.delivery_id))
        )
        return {
          at,
          duration_ms: (yield* Clock.currentTimeMillis) - at,
          http_status: null,
          error: null,
          response_excerpt: null,
          retry_after_ms: null,
          ...ending
        }
      })
  })
  return {
    layer,
    sent,
    /** The maximum number of simultaneous requests. */
    most: () => most,
    /** Whether a delivery is in flight twice now. */
    twice: () => [...flying.values()].some((count) => count > 1)
  }
}

export const master = new Uint8Array(32).fill(9)

/** One engine on the journal. It ends with its scope. */
export const engine = (
  memory: MemoryJournal,
  sender: Layer.Layer<WebhookSender>,
  seed = 1,
  notifyAdmins = NotifyAdmins.none,
  reads = subscriptionReads(memory)
) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      Layer.mergeAll(SubscriptionActor.layer, Webhooks.layer).pipe(
        Layer.provideMerge(LocalSystem.layer),
        Layer.provideMerge(
          Layer.mergeAll(
            memory.layer,
            Layer.succeed(AllowedTargets)({ allow_insecure: false, allow_private: false }),
            sender,
            notifyAdmins,
            VoiceSecrets.none,
            deliveryReads(memory),
            reads,
            AesVault(master),
            SystemIds.seeded(seed)
          )
        )
      )
    )
    return yield* Effect.gen(function* () {
      const system = yield* ActorSystem
      yield* system.start
      return { system, webhooks: yield* Webhooks, reads: yield* SubscriptionReads, context }
    }).pipe(Effect.provideContext(context))
  })

let events = 0

/** Commits one event with its deliveries. Returns once it is stored. */
export const happen = (
  memory: MemoryJournal,
  change: {
    readonly kind?: string
    readonly workspace_id?: WorkspaceId
    readonly number_id?: NumberId
    /** Default: its kind. */
    readonly payload?: object
  } = {}
) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const id = `e${++events}`
    const { kind = "call.completed", number_id = null, workspace_id = "w1" } = change
    const payload = JSON.stringify(change.payload ?? { kind })
    const journal = memory.open()
    yield* Effect.callback<void>((resume) =>
      journal.append(
        {
          actor_type: "Call",
          actor_id: `c${events}`,
          workspace_id: workspaceId(workspace_id),
          snapshot: { version: 1, state: "{}", columns: {} },
          events: [
            {
              id,
              workspace_id: workspaceId(workspace_id),
              subject_id: `c${events}`,
              sequence: 1,
              kind,
              occurred_at: now,
              late: false,
              payload,
              number_id,
              fan_out: true
            }
          ]
        },
        () => resume(Effect.void)
      )
    )
    // The journal is notifying its listeners: let it finish.
    yield* Effect.yieldNow
    return id
  })
