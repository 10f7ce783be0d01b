// A webhook subscription as an actor: it finds what is due, sends it, and writes down what came of it.
import { Clock, Effect, Layer, Schedule, Schema } from "effect"
import { DeliveryReads } from "../../domain/ports/DeliveryReads.ts"
import type { DeliveryRow, EventRow, RedeliveryRow } from "../../domain/journal/Rows.ts"
import { WebhookSender } from "../../domain/ports/WebhookSender.ts"
import { webhookDisabledEmail } from "../../domain/mail/EmailTemplates.ts"
import { decideSubscription } from "../../domain/webhooks/DecideSubscription.ts"
import { deliveryBody } from "../../domain/webhooks/DeliveryBody.ts"
import type { DueDelivery, Outcome } from "../../domain/webhooks/DeliveryRecord.ts"
import { planSubscription, type SubscriptionWork } from "../../domain/webhooks/PlanSubscription.ts"
import { secretUnset } from "../../domain/webhooks/Settlement.ts"
import {
  blank,
  evolve,
  initial,
  type Kept,
  roomOf,
  secretsOf,
  type Subscription,
  type SubscriptionEvent
} from "../../domain/webhooks/Subscription.ts"
import { subscriptionAudit } from "../../domain/webhooks/SubscriptionAudit.ts"
import { SubscriptionCommand, SubscriptionReply } from "../../domain/webhooks/SubscriptionCommand.ts"
import { NotifyAdmins } from "../mail/NotifyAdmins.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { publishedEvent } from "../../domain/webhooks/PublishedEvent.ts"
import { resealable } from "../runtime/Resealable.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { makeOpenSecrets } from "./VoiceSecrets.ts"
import { webhookAnswer } from "./WebhookResponses.ts"
import type { Change } from "../../domain/Decision.ts"
import type { Definition, Perform, Recorded, Self } from "../runtime/Definition.ts"

const rowsOf = (events: ReadonlyArray<SubscriptionEvent>): ReadonlyArray<DeliveryRow> =>
  events.flatMap((event) => {
    if (event._tag !== "DeliverySettled" && event._tag !== "DeliveryMoved") return []
    const {
      delivery: { created_at, id },
      settlement: { attempt_log, last_error, ...rest }
    } = event
    const error = last_error === null ? null : JSON.stringify(last_error)
    return [{ id, created_at, ...rest, last_error: error, attempt_log: JSON.stringify(attempt_log) }]
  })

const redeliveriesOf = (
  { events, id, uuid }: Change<Subscription, SubscriptionEvent>,
  workspace_id: string
): ReadonlyArray<RedeliveryRow> =>
  events.flatMap((event) =>
    event._tag !== "Replayed"
      ? []
      : event.events.map((row) => ({
          ...row,
          id: uuid(),
          workspace_id,
          subscription_id: id,
          created_at: event.at
        }))
  )

/** Told to the workspace's other subscriptions. */
const disabledEvents = (
  { events, id, uuid }: Change<Subscription, SubscriptionEvent>,
  { disabled_reason, failing_since, sequence, url, workspace_id }: Kept
): ReadonlyArray<EventRow> =>
  events.flatMap((event) => {
    if (event._tag !== "Disabled") return []
    const payload = {
      kind: "webhook.disabled" as const,
      workspace_id,
      subscription_id: id,
      url,
      reason: disabled_reason,
      disabled_at: new Date(event.at).toISOString(),
      failing_since: failing_since === null ? null : new Date(failing_since).toISOString()
    }
    return [publishedEvent(uuid(), { workspace_id, subject_id: id, sequence, at: event.at, payload })]
  })

const record = (change: Change<Subscription, SubscriptionEvent>): Recorded => {
  const kept = change.after.kept!
  const { created_at, kinds, number_ids, status, workspace_id } = kept
  return {
    workspace_id,
    state: JSON.stringify(kept),
    columns: { status, kinds, number_ids, created_at },
    deliveries: rowsOf(change.events),
    events: disabledEvents(change, kept),
    redeliveries: redeliveriesOf(change, workspace_id),
    audit: subscriptionAudit(change.before, change.after, change.events)
  }
}

export const SubscriptionActor: Definition<
  Subscription,
  SubscriptionCommand,
  SubscriptionEvent,
  SubscriptionReply,
  SubscriptionWork
> = resealable({
  type: "Subscription",
  initial,
  restore: ({ state }, id) => ({ id, kept: JSON.parse(state) as Kept, memory: blank }),
  decide: decideSubscription,
  evolve,
  plan: planSubscription,
  record,
  answer: webhookAnswer,
  creates: ({ _tag }) => _tag === "Create",
  wake: { _tag: "Poke" },
  wakesOnFanOut: true,
  wire: { command: SubscriptionCommand, reply: SubscriptionReply, notice: Schema.Never }
})

/** That it was disabled is no news any more after so long. */
const news_ms = 3 * 86_400_000

type Actor = Self<Subscription, SubscriptionCommand, SubscriptionReply>

/** A database that is away is asked again, ever less often. */
const patience = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("30 seconds")])

/** Later than anything is due: 9999-12-31. Of a deleted subscription everything is to be found. */
const endOfTime = 253_402_214_400_000

const unsigned = (at: number): Outcome => ({
  at,
  duration_ms: 0,
  http_status: null,
  error: secretUnset,
  response_excerpt: null,
  retry_after_ms: null
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const reads = yield* DeliveryReads
    const sender = yield* WebhookSender
    const system = yield* ActorSystem
    const openSecrets = yield* makeOpenSecrets
    const write = yield* NotifyAdmins

    const load = (self: Actor) =>
      Effect.gen(function* () {
        const state = self.state()
        const { loads, pokes, window } = state.memory
        const due = yield* reads.due({
          workspace_id: state.kept!.workspace_id,
          subscription_id: self.id,
          now: state.kept!.status === "deleted" ? endOfTime : yield* Clock.currentTimeMillis,
          limit: Math.max(1, roomOf(state)),
          except: window.map(({ id }) => id)
        })
        yield* self.tell({ _tag: "Loaded", load: loads, pokes, ...due })
      })

    const send = (id: string, kept: Kept, delivery: DueDelivery) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { api_version, signature_format, url, workspace_id } = kept
        const secrets = yield* openSecrets(id, workspace_id, secretsOf(kept, now))
        return secrets.length === 0
          ? unsigned(now)
          : yield* sender.send({
              url,
              delivery_id: delivery.id,
              event_kind: delivery.event_kind,
              body: deliveryBody(delivery, workspace_id, api_version),
              signature_format,
              secrets
            })
      })

    const attempt = (self: Actor, delivery: DueDelivery) =>
      Effect.flatMap(send(self.id, self.state().kept!, delivery), (outcome) =>
        self.tell({ _tag: "AttemptFinished", delivery_id: delivery.id, attempt: delivery.attempts + 1, outcome })
      )

    const mail = (self: Actor, at: number) =>
      Effect.suspend(() => {
        const { disabled_reason, url, workspace_id } = self.state().kept!
        const letter = (workspace: string) =>
          webhookDisabledEmail({ workspace, url, reason: disabled_reason ?? "failing" })
        const news = { workspace_id, id: `${self.id}.${at}`, letter, expires_at: at + news_ms }
        return Effect.andThen(write(news), self.tell({ _tag: "DisablingMailed", at }))
      })

    const perform: Perform<Subscription, SubscriptionCommand, SubscriptionReply, SubscriptionWork> = (work, self) =>
      work._tag === "Load"
        ? load(self).pipe(
            Effect.retry({ while: (error) => error._tag === "ReadFailed", schedule: patience }),
            Effect.ignore
          )
        : work._tag === "Attempt"
          ? Effect.ignore(attempt(self, work.delivery))
          : Effect.asVoid(retryWithBackoff(mail(self, work.at)))

    yield* system.register(SubscriptionActor, perform)
  })
)
