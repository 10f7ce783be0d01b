// What a subscription allows. Absent, live and deleted subscriptions each have a table of rules.
import { Result } from "effect"
import { type Decide, decideBy, type Rules } from "../Command.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import { WebhookDeliveryNotRetryable, WebhookNotFound } from "../errors/WebhookErrors.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { phase } from "./Breaker.ts"
import type { DeliveryRecord, Outcome } from "./DeliveryRecord.ts"
import { changedData, createdData, failingSince } from "./EvolveSubscription.ts"
import { accepted, endedByDeletion, dueNow, gone, notSent, secretUnset, settle } from "./Settlement.ts"
import {
  type AbsentSubscription,
  isLive,
  type LiveSubscription,
  type PresentSubscription,
  sendOptions,
  type Subscription,
  type SubscriptionData,
  type SubscriptionEvent,
  unchangedSince
} from "./Subscription.ts"
import type { SubscriptionCommands, SubscriptionMessage } from "./SubscriptionCommand.ts"
import type { DisabledReason } from "../events/DisabledReason.ts"
import { subscriptionView } from "./SubscriptionView.ts"
import type { SubscriptionId } from "../BrandedIds.ts"

type RulesOf<State> = Rules<State, SubscriptionCommands, SubscriptionEvent>
type AbsentRules = RulesOf<AbsentSubscription>
type LiveRules = RulesOf<LiveSubscription>
type PresentRules = RulesOf<PresentSubscription>

/** A subscription is disabled after it has accepted nothing for this long. */
const giveUpAfter_ms = 120 * 3_600_000

const happened = <Reply>(event: SubscriptionEvent, reply: Reply) => Result.succeed({ events: [event], reply })
const replied = <Reply>(reply: Reply) => Result.succeed({ events: [], reply })
const unchanged = replied(undefined)
const remembered = (event: SubscriptionEvent) =>
  Result.succeed({ events: [event], reply: undefined, volatile: true as const })
const notFound = () => Result.fail(new WebhookNotFound())

const createAbsent: AbsentRules["Create"] = ({ id }, { facts, origin }, now) =>
  happened({ _tag: "Created", facts, at: now, origin }, subscriptionView(id, createdData(undefined, facts, now)))

const createByRoute = (
  id: SubscriptionId,
  previous: SubscriptionData | undefined,
  { facts, origin }: SubscriptionMessage<"Route">,
  now: number
) =>
  happened(
    { _tag: "Created", facts, at: now, origin },
    { record: subscriptionView(id, createdData(previous, facts, now)), created: true }
  )

const routeLive: LiveRules["Route"] = ({ data, id }, { facts: { url }, origin }, now) =>
  data.url === url
    ? replied({ record: subscriptionView(id, data), created: false })
    : happened(
        { _tag: "Changed", change: { url }, at: now, origin },
        { record: subscriptionView(id, changedData(data, { url }, now)), created: false }
      )

const change: LiveRules["Change"] = ({ data, id }, { change, origin }, now) =>
  Object.keys(change).length === 0
    ? replied(subscriptionView(id, data))
    : happened({ _tag: "Changed", change, at: now, origin }, subscriptionView(id, changedData(data, change, now)))

/** An interrupted load may still report: it has an older number. */
const load: LiveRules["Loaded"] = ({ memory }, { load, ...result }) =>
  load === memory.loads ? remembered({ ...result, _tag: "LoadCame" }) : unchanged

/** Ends every delivery that a load finds, due or not. */
const sweep: PresentRules["Loaded"] = ({ memory }, { deliveries, load, ...result }, now) => {
  if (load !== memory.loads) return unchanged
  const came: SubscriptionEvent = { ...result, _tag: "LoadCame", deliveries: [] }
  const ended = unchangedSince(memory, result.revision, deliveries).map((delivery): SubscriptionEvent => ({
    _tag: "DeliveryMoved",
    delivery,
    settlement: endedByDeletion(delivery, now)
  }))
  return ended.length === 0 ? remembered(came) : Result.succeed({ events: [came, ...ended], reply: undefined })
}

const disabledBy = ({ failing_since, status }: Standing, outcome: Outcome, now: number): DisabledReason | undefined => {
  if (status === "disabled" || accepted(outcome) || outcome.error === secretUnset) return undefined
  if (gone(outcome)) return "receiver_gone"
  return failing_since !== null && now - failing_since >= giveUpAfter_ms ? "failing" : undefined
}

/** What decides whether a failure disables the subscription. */
type Standing = Pick<SubscriptionData, "failing_since" | "status">

/** As if each had been told alone: an attempt is judged by what those before it have changed. */
const finish: PresentRules["AttemptsFinished"] = ({ data, memory }, { attempts }, now) => {
  const ended = new Set<string>()
  const events: Array<SubscriptionEvent> = []
  let standing: Standing = data
  for (const { attempt, delivery_id, outcome } of attempts) {
    const delivery = memory.window.find(({ id }) => id === delivery_id)
    if (delivery === undefined || delivery.attempts + 1 !== attempt || ended.has(delivery_id)) continue
    ended.add(delivery_id)
    if (outcome.error === notSent) {
      events.push({ _tag: "DeliveryReturned", delivery_id })
      continue
    }
    const settlement = settle(delivery, outcome, now)
    events.push({ _tag: "DeliverySettled", delivery, settlement, at: now })
    const reason = disabledBy(standing, outcome, now)
    if (reason !== undefined) events.push({ _tag: "Disabled", reason, at: now })
    standing = {
      status: reason === undefined ? standing.status : "disabled",
      failing_since: failingSince(standing, settlement, now)
    }
  }
  if (events.length === 0) return unchanged
  const volatile = events.every(({ _tag }) => _tag === "DeliveryReturned")
  return Result.succeed({ events, reply: undefined, ...(volatile && { volatile }) })
}

const makeDue = (delivery: DeliveryRecord, now: number): SubscriptionEvent => ({
  _tag: "DeliveryMoved",
  delivery: { id: delivery.id, created_at: Date.parse(delivery.created_at) },
  settlement: dueNow(delivery, now)
})

const rotate: LiveRules["RotateSecret"] = ({ data, id, memory }, command, now) => {
  const { blocked, origin, previous_valid_seconds, revision, secret } = command
  const previous_expires_at = data.secret === null ? null : now + previous_valid_seconds * 1_000
  const requeued = unchangedSince(memory, revision, blocked).map((delivery) => makeDue(delivery, now))
  return Result.succeed({
    events: [{ _tag: "SecretRotated", secret, previous_expires_at, at: now, origin }, ...requeued],
    reply: {
      id,
      previous_expires_at: instantOrNull(previous_expires_at),
      requeued_deliveries: requeued.length
    }
  })
}

/** A delivery that is being attempted needs no retry. */
const retry: LiveRules["Retry"] = ({ memory }, { delivery, revision }, now) => {
  if (delivery.status === "succeeded" || delivery.status === "dead_letter")
    return Result.fail(new WebhookDeliveryNotRetryable())
  if (memory.window.some(({ id }) => id === delivery.id)) return replied(delivery)
  if (unchangedSince(memory, revision, [delivery]).length === 0) return Result.fail(new ServiceUnavailable())
  const { status } = dueNow(delivery, now)
  return happened(makeDue(delivery, now), { ...delivery, status, next_attempt_at: isoInstant(now) })
}

const askSending: LiveRules["AskSending"] = ({ data }, _command, now) => replied(sendOptions(data, now))

const present: Pick<PresentRules, "Poke" | "ProbeDue" | "DisablingMailed" | "AttemptsFinished"> = {
  Poke: (_state, _command, now) => remembered({ _tag: "Poked", at: now }),
  ProbeDue: ({ memory }) => (phase(memory.breaker) === "open" ? remembered({ _tag: "ProbeBegan" }) : unchanged),
  DisablingMailed: ({ data }, { at }) =>
    data.unmailed_at === at ? happened({ _tag: "Mailed" }, undefined) : unchanged,
  AttemptsFinished: finish
}

const live: LiveRules = {
  ...present,
  Create: ({ data, id }) => replied(subscriptionView(id, data)),
  Route: routeLive,
  Change: change,
  Delete: (_state, { origin }, now) => happened({ _tag: "Deleted", at: now, origin }, undefined),
  RotateSecret: rotate,
  Replay: (_state, { events, origin, replay }, now) =>
    happened({ _tag: "Replayed", replay, events, at: now, origin }, replay),
  Retry: retry,
  AskInFlight: ({ memory }) => replied(memory.window.map(({ id }) => id)),
  AskSending: askSending,
  Test: (_state, { result }) => replied(result),
  Loaded: load
}

/** To its workspace, a deleted subscription is as one that never existed. */
const unavailable = {
  Change: notFound,
  Delete: notFound,
  RotateSecret: notFound,
  Replay: notFound,
  Retry: notFound,
  AskInFlight: notFound,
  AskSending: notFound,
  Test: notFound
}

const deleted: PresentRules = {
  ...present,
  ...unavailable,
  Create: notFound,
  Route: ({ data, id }, command, now) => createByRoute(id, data, command, now),
  Loaded: sweep
}

const absent: AbsentRules = {
  ...unavailable,
  Create: createAbsent,
  Route: ({ id }, command, now) => createByRoute(id, undefined, command, now),
  Poke: () => unchanged,
  ProbeDue: () => unchanged,
  DisablingMailed: () => unchanged,
  Loaded: () => unchanged,
  AttemptsFinished: () => unchanged
}

const decideAbsent = decideBy<AbsentSubscription, SubscriptionCommands, SubscriptionEvent>(() => absent)
const decideLive = decideBy<LiveSubscription, SubscriptionCommands, SubscriptionEvent>(() => live)
const decideDeleted = decideBy<PresentSubscription, SubscriptionCommands, SubscriptionEvent>(() => deleted)

export const decideSubscription: Decide<Subscription, SubscriptionCommands, SubscriptionEvent> = (
  state,
  command,
  now
) => {
  if (state._tag === "Absent") return decideAbsent(state, command, now)
  return isLive(state) ? decideLive(state, command, now) : decideDeleted(state, command, now)
}
