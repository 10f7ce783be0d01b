// A webhook subscription as an actor: it reads due deliveries, sends them, and stores the outcome of each attempt.
import { Clock, Effect, Layer, Schedule } from "effect"
import { webhookDisabledEmail } from "../../domain/mail/EmailTemplates.ts"
import { DeliveryReads } from "../../domain/ports/webhooks/DeliveryReads.ts"
import { WebhookSender } from "../../domain/ports/webhooks/WebhookSender.ts"
import { decideSubscription } from "../../domain/webhooks/DecideSubscription.ts"
import { deliveryBody } from "../../domain/webhooks/DeliveryBody.ts"
import type { DueDelivery, Outcome } from "../../domain/webhooks/DeliveryRecord.ts"
import { evolveSubscription } from "../../domain/webhooks/EvolveSubscription.ts"
import { planSubscription, type SubscriptionWork } from "../../domain/webhooks/PlanSubscription.ts"
import { recordSubscription } from "../../domain/webhooks/RecordSubscription.ts"
import { testDeliveryOf } from "../../domain/webhooks/TestDelivery.ts"
import { secretUnset } from "../../domain/webhooks/Settlement.ts"
import {
  absentSubscription,
  isProven,
  loadSize,
  type PresentSubscription,
  restoreSubscription,
  sendOptions,
  type Subscription,
  type SubscriptionData,
  type SubscriptionEvent
} from "../../domain/webhooks/Subscription.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import { NotifyAdmins } from "../mail/NotifyAdmins.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor, type Perform, type Self } from "../runtime/Definition.ts"
import { resealable } from "../runtime/Resealable.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { makeFinishedAttempts } from "./FinishedAttempts.ts"
import { makeOpenSecrets } from "./VoiceSecrets.ts"
import { subscriptionAnswers } from "./WebhookResponses.ts"
import { traced } from "../../domain/Traced.ts"

export const SubscriptionActor = resealable(
  actor<Subscription, SubscriptionCommands, SubscriptionEvent, SubscriptionWork>({
    type: "Subscription",
    commands: SubscriptionCommands,
    initial: absentSubscription,
    restore: restoreSubscription,
    decide: decideSubscription,
    evolve: evolveSubscription,
    plan: planSubscription,
    record: recordSubscription,
    answers: subscriptionAnswers,
    creates: ({ _tag }) => _tag === "Create",
    wake: { _tag: "Poke" },
    wakesOnFanOut: true,
    eventOf: (work) => (work._tag === "Attempt" ? work.delivery.event_id : undefined)
  })
)

/** The admins are no longer notified of a disablement that is older. */
const notificationLife_ms = 3 * 86_400_000

type Actor = Self<Subscription, SubscriptionCommands>

const readRetries = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("30 seconds")])

/** 9999-12-31, later than any due time: a deleted subscription ends all of its deliveries. */
const endOfTime_ms = 253_402_214_400_000

const unsigned = (at: number): Outcome => ({
  at,
  duration_ms: 0,
  http_status: null,
  error: secretUnset,
  response_excerpt: null,
  retry_after_ms: null
})

/** Work is planned only for a subscription that is present. */
const whilePresent = <E>(self: Actor, work: (state: PresentSubscription) => Effect.Effect<void, E>) =>
  Effect.suspend(() => {
    const state = self.state()
    return state._tag === "Absent" ? Effect.void : work(state)
  })

const makeLoad = Effect.map(DeliveryReads, (reads) => {
  const load = traced("Subscription.load")(function* (self: Actor, state: PresentSubscription) {
    const { data, memory } = state
    const due = yield* reads.due({
      workspace_id: data.workspace_id,
      subscription_id: self.id,
      now: data.status === "deleted" ? endOfTime_ms : yield* Clock.currentTimeMillis,
      limit: Math.max(1, loadSize(state)),
      except: memory.window.map(({ id }) => id)
    })
    yield* self.tell({ _tag: "Loaded", load: memory.loads, pokes: memory.pokes, ...due })
  })
  return (self: Actor) =>
    whilePresent(self, (state) => load(self, state)).pipe(
      Effect.tapError((error) =>
        Effect.logWarning("Reading due deliveries failed", { subscription_id: self.id, error })
      ),
      Effect.retry({ while: (error) => error._tag === "ReadFailed", schedule: readRetries }),
      Effect.ignore
    )
})

const makeAttempt = Effect.gen(function* () {
  const sender = yield* WebhookSender
  const openSecrets = yield* makeOpenSecrets
  const report = yield* makeFinishedAttempts

  const send = (id: string, data: SubscriptionData, delivery: DueDelivery): Effect.Effect<Outcome> =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const { workspace_id } = data
      const { api_version, secrets: sealed, ...target } = sendOptions(data, now)
      return Effect.flatMap(openSecrets(id, workspace_id, sealed), (secrets) =>
        secrets.length === 0
          ? Effect.succeed(unsigned(now))
          : sender.send({
              workspace_id,
              ...target,
              receiver: id,
              proven: isProven(data),
              delivery_id: delivery.id,
              event_kind: delivery.event_kind,
              body: deliveryBody(delivery, workspace_id, api_version),
              secrets
            })
      )
    })

  /** What an event of a test does before its last attempt. */
  const before = Effect.fnUntraced(function* (self: Actor, data: SubscriptionData, delivery: DueDelivery) {
    const test = testDeliveryOf(data.workspace_id, delivery)
    if (test?.delay_ms !== undefined && delivery.attempts === 0) {
      const due = delivery.occurred_at + test.delay_ms
      yield* Effect.sleep(Math.max(0, due - (yield* Clock.currentTimeMillis)))
    }
    if (test?.twice === true) yield* send(self.id, data, delivery)
  })

  const attempt = traced("Subscription.attempt")((
    self: Actor,
    { data }: PresentSubscription,
    delivery: DueDelivery
  ): Effect.Effect<void> => {
    const last = Effect.flatMap(send(self.id, data, delivery), (outcome) =>
      report(self, { delivery_id: delivery.id, attempt: delivery.attempts + 1, outcome })
    )
    return testDeliveryOf(data.workspace_id, delivery) === undefined
      ? last
      : Effect.andThen(before(self, data, delivery), last)
  })
  return (self: Actor, delivery: DueDelivery) => whilePresent(self, (state) => attempt(self, state, delivery))
})

const makeNotify = Effect.map(NotifyAdmins, ({ notify }) => {
  const notifyDisabled = traced("Subscription.notifyDisabled")(function* (
    self: Actor,
    { data: { disabled_reason, url, workspace_id } }: PresentSubscription,
    at: number
  ) {
    yield* notify({
      workspace_id,
      id: `${self.id}.${at}`,
      letter: (workspace) => webhookDisabledEmail({ workspace, url, reason: disabled_reason ?? "failing" }),
      expires_at: at + notificationLife_ms
    })
    yield* self.tell({ _tag: "DisablingMailed", at })
  })
  return (self: Actor, at: number) => retryWithBackoff(whilePresent(self, (state) => notifyDisabled(self, state, at)))
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const load = yield* makeLoad
    const attempt = yield* makeAttempt
    const notifyDisabled = yield* makeNotify

    const perform: Perform<Subscription, SubscriptionCommands, SubscriptionWork> = (work, self) => {
      switch (work._tag) {
        case "Load":
          return load(self)
        case "Attempt":
          return attempt(self, work.delivery)
        case "MailDisabling":
          return notifyDisabled(self, work.at)
      }
    }

    yield* system.register(SubscriptionActor, perform)
  })
)
