import { Result } from "effect"
import type { Decided, Decision } from "../Decision.ts"
import { phase } from "./Breaker.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import { WebhookDeliveryNotRetryable, WebhookNotFound } from "../errors/WebhookErrors.ts"
import { accepted, gone, hastened, orphaned, secretUnset, settle } from "./Settlement.ts"
import type { Kept, Live, Subscription, SubscriptionEvent } from "./Subscription.ts"
import type { SubscriptionCommand, SubscriptionReply } from "./SubscriptionCommand.ts"
import type { DisabledReason } from "./SubscriptionRecord.ts"
import { recordOf } from "./RecordOf.ts"
import { current, evolve, isLive, secretsOf } from "./Subscription.ts"
import type { DeliveryRecord, Outcome } from "./DeliveryRecord.ts"

type Decide = Decided<SubscriptionEvent, SubscriptionReply>
type Command<Tag extends SubscriptionCommand["_tag"]> = Extract<SubscriptionCommand, { _tag: Tag }>

/** A receiver that accepts nothing for so long is given up. */
const giveUpAfter_ms = 120 * 3_600_000

const noted: SubscriptionReply = { _tag: "Noted" }
const answer = (decision: Decision<SubscriptionEvent, SubscriptionReply>): Decide => Result.succeed(decision)
const nothing = answer({ events: [], reply: noted })
const remembered = (event: SubscriptionEvent) => answer({ events: [event], reply: noted, volatile: true })

const absent: Decide = Result.fail(new WebhookNotFound())

const create = (state: Subscription, { facts, origin }: Command<"Create">, now: number): Decide => {
  const events: ReadonlyArray<SubscriptionEvent> =
    state.kept === null ? [{ _tag: "Created", facts, at: now, origin }] : []
  const { kept } = events.reduce(evolve, state)
  return isLive(kept) ? answer({ events, reply: { _tag: "Created", record: recordOf(state.id, kept) } }) : absent
}

/** Asking again changes nothing. */
const route = (state: Subscription, { facts, origin }: Command<"Route">, now: number): Decide => {
  const { url } = facts
  const created = !isLive(state.kept)
  const events: ReadonlyArray<SubscriptionEvent> = created
    ? [{ _tag: "Created", facts, at: now, origin }]
    : state.kept.url === url
      ? []
      : [{ _tag: "Changed", change: { url }, at: now, origin }]
  const { kept } = events.reduce(evolve, state)
  return isLive(kept)
    ? answer({ events, reply: { _tag: "Routed", record: recordOf(state.id, kept), created } })
    : absent
}

/** An answer to another load than the one under way comes from a fiber that was interrupted too late. */
const load = ({ memory }: Subscription, { load, ...found }: Command<"Loaded">): Decide =>
  load === memory.loads ? remembered({ ...found, _tag: "LoadCame" }) : nothing

const disabledBy = (kept: Kept, outcome: Outcome, now: number): DisabledReason | undefined => {
  if (kept.status === "disabled" || accepted(outcome) || outcome.error === secretUnset) return undefined
  if (gone(outcome)) return "receiver_gone"
  return kept.failing_since !== null && now - kept.failing_since >= giveUpAfter_ms ? "failing" : undefined
}

const finish = (
  { kept, memory }: Subscription,
  { attempt, delivery_id, outcome }: Command<"AttemptFinished">,
  now: number
): Decide => {
  const delivery = memory.window.find(({ id }) => id === delivery_id)
  if (kept === null || delivery === undefined || delivery.attempts + 1 !== attempt) return nothing
  const reason = disabledBy(kept, outcome, now)
  const settled: SubscriptionEvent = {
    _tag: "DeliverySettled",
    delivery,
    settlement: settle(delivery, outcome, now),
    at: now
  }
  return answer({
    events: reason === undefined ? [settled] : [settled, { _tag: "Disabled", reason, at: now }],
    reply: noted
  })
}

/** Nothing is sent any more: whatever a load finds, due or not, ends. */
const sweep = ({ memory }: Subscription, { deliveries, load, ...found }: Command<"Loaded">, now: number): Decide => {
  if (load !== memory.loads) return nothing
  const came: SubscriptionEvent = { ...found, _tag: "LoadCame", deliveries: [] }
  const ended = current(memory, found.revision, deliveries).map((delivery): SubscriptionEvent => ({
    _tag: "DeliveryMoved",
    delivery,
    settlement: orphaned(delivery, now)
  }))
  return ended.length === 0 ? remembered(came) : answer({ events: [came, ...ended], reply: noted })
}

const change = (state: Subscription, { change, origin }: Command<"Change">, now: number): Decide => {
  const events: ReadonlyArray<SubscriptionEvent> =
    Object.keys(change).length === 0 ? [] : [{ _tag: "Changed", change, at: now, origin }]
  const { kept } = events.reduce(evolve, state)
  return isLive(kept) ? answer({ events, reply: { _tag: "Shown", record: recordOf(state.id, kept) } }) : absent
}

const atOnce = (delivery: DeliveryRecord, now: number): SubscriptionEvent => ({
  _tag: "DeliveryMoved",
  delivery: { id: delivery.id, created_at: Date.parse(delivery.created_at) },
  settlement: hastened(delivery, now)
})

const rotate = (
  { id, memory }: Subscription,
  kept: Live,
  { blocked, origin, previous_valid_seconds, revision, secret }: Command<"RotateSecret">,
  now: number
): Decide => {
  const previous_expires_at = kept.secret === null ? null : now + previous_valid_seconds * 1_000
  const requeued = current(memory, revision, blocked).map((delivery) => atOnce(delivery, now))
  const rotation = {
    id,
    previous_expires_at: previous_expires_at === null ? null : new Date(previous_expires_at).toISOString(),
    requeued_deliveries: requeued.length
  }
  return answer({
    events: [{ _tag: "SecretRotated", secret, previous_expires_at, at: now, origin }, ...requeued],
    reply: { _tag: "Rotated", rotation }
  })
}

/** One that is in flight is being tried already. */
const retry = ({ memory }: Subscription, { delivery, revision }: Command<"Retry">, now: number): Decide => {
  if (delivery.status === "succeeded" || delivery.status === "dead_letter")
    return Result.fail(new WebhookDeliveryNotRetryable())
  if (memory.window.some(({ id }) => id === delivery.id))
    return answer({ events: [], reply: { _tag: "Retried", delivery } })
  if (current(memory, revision, [delivery]).length === 0) return Result.fail(new ServiceUnavailable())
  const { status } = hastened(delivery, now)
  return answer({
    events: [atOnce(delivery, now)],
    reply: { _tag: "Retried", delivery: { ...delivery, status, next_attempt_at: new Date(now).toISOString() } }
  })
}

const sending = (kept: Live, now: number): Decide => {
  const { api_version, signature_format, url } = kept
  return answer({
    events: [],
    reply: { _tag: "Sending", url, signature_format, api_version, secrets: secretsOf(kept, now) }
  })
}

const replay = ({ events, origin, replay }: Command<"Replay">, now: number): Decide =>
  answer({ events: [{ _tag: "Replayed", replay, events, at: now, origin }], reply: { _tag: "Replayed", replay } })

type Asked = Extract<
  SubscriptionCommand,
  { _tag: "Change" | "Delete" | "RotateSecret" | "Replay" | "Retry" | "AskInFlight" | "AskSending" | "Test" }
>

/** What its workspace asks of it. To that, a deleted subscription is as one that never was. */
const serve = (state: Subscription, command: Asked, now: number): Decide => {
  const { kept } = state
  if (!isLive(kept)) return absent
  switch (command._tag) {
    case "Change":
      return change(state, command, now)
    case "Delete":
      return answer({ events: [{ _tag: "Deleted", at: now, origin: command.origin }], reply: noted })
    case "RotateSecret":
      return rotate(state, kept, command, now)
    case "Retry":
      return retry(state, command, now)
    case "Replay":
      return replay(command, now)
    case "AskInFlight":
      return answer({
        events: [],
        reply: { _tag: "InFlight", delivery_ids: state.memory.window.map(({ id }) => id) }
      })
    case "AskSending":
      return sending(kept, now)
    case "Test":
      return answer({ events: [], reply: { _tag: "Tested", result: command.result } })
  }
}

export const decideSubscription = (state: Subscription, command: SubscriptionCommand, now: number): Decide => {
  switch (command._tag) {
    case "Create":
      return create(state, command, now)
    case "Route":
      return route(state, command, now)
    case "Change":
    case "Delete":
    case "RotateSecret":
    case "Replay":
    case "Retry":
    case "AskInFlight":
    case "AskSending":
    case "Test":
      return serve(state, command, now)
  }
  if (state.kept === null) return nothing
  switch (command._tag) {
    case "Poke":
      return remembered({ _tag: "Poked", at: now })
    case "ProbeDue":
      return phase(state.memory.breaker) === "open" ? remembered({ _tag: "ProbeBegan" }) : nothing
    case "DisablingMailed":
      return state.kept.unmailed_at === command.at ? answer({ events: [{ _tag: "Mailed" }], reply: noted }) : nothing
    case "Loaded":
      return isLive(state.kept) ? load(state, command) : sweep(state, command, now)
    case "AttemptFinished":
      return finish(state, command, now)
  }
}
