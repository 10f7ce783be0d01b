// How a delivery continues after an attempt, or after a change to its subscription.
import { isoInstant } from "../kit/Instants.ts"
import { WebhookSecretUnset } from "../errors/WebhookErrors.ts"
import { maxAttempts, nextAttemptAt } from "./DeliverySchedule.ts"
import type { Attempt, DeliveryStatus, DueDelivery, Outcome } from "./DeliveryRecord.ts"

/** The subscription has no secret to sign with, so no attempt was made. */
export const secretUnset = WebhookSecretUnset.code

/** The delivery waited for its turn while an attempt before it failed. It was not sent, which counts as no attempt. */
export const notSent = "not_sent"

/** The last error of a delivery whose subscription was deleted before it succeeded. */
const subscriptionDeleted = "webhooks.deliver.subscription_deleted"

export interface Settlement {
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly next_attempt_at: number | null
  readonly finished_at: number | null
  readonly last_error: { readonly code: string; readonly http_status: number | null } | null
  readonly attempt_log: ReadonlyArray<Attempt>
}

export const accepted = ({ http_status, error }: Outcome): boolean =>
  error === null && http_status !== null && http_status >= 200 && http_status < 300

/** 410 Gone: the receiver wants no more events (RFC 9110, section 15.5.11). */
export const gone = ({ http_status }: Outcome): boolean => http_status === 410

/** Responses whose `Retry-After` counts. */
const mayDelay = (http_status: number | null): boolean => http_status === 429 || http_status === 503

const errorOf = (outcome: Outcome): string | null => {
  if (outcome.error !== null || accepted(outcome)) return outcome.error
  return outcome.http_status !== null && outcome.http_status < 400 ? "redirect_refused" : "http_error"
}

/** The delivery after an attempt that ended with `outcome` at `now`. */
export const settle = (delivery: DueDelivery, outcome: Outcome, now: number): Settlement => {
  const { http_status } = outcome
  const error = errorOf(outcome)
  const last_error = error === null ? null : { code: error, http_status }
  if (error === secretUnset) {
    const { attempt_log, attempts } = delivery
    return { status: "blocked", attempts, next_attempt_at: null, finished_at: null, last_error, attempt_log }
  }
  const attempts = delivery.attempts + 1
  const attempt: Attempt = {
    at: isoInstant(outcome.at),
    duration_ms: outcome.duration_ms,
    http_status,
    error,
    response_excerpt: outcome.response_excerpt
  }
  const attempt_log = [...delivery.attempt_log, attempt].slice(-maxAttempts)
  const retry_after_ms = mayDelay(http_status) ? outcome.retry_after_ms : null
  const next_attempt_at =
    error === null || gone(outcome) ? null : nextAttemptAt({ delivery_id: delivery.id, attempts, now, retry_after_ms })
  const status = error === null ? "succeeded" : next_attempt_at === null ? "dead_letter" : "retrying"
  return {
    status,
    attempts,
    next_attempt_at,
    finished_at: next_attempt_at === null ? now : null,
    last_error,
    attempt_log
  }
}

/** The attempts of a delivery so far. */
type Attempts = Pick<DueDelivery, "attempts" | "attempt_log">

/** A delivery whose subscription was deleted. */
export const endedByDeletion = ({ attempt_log, attempts }: Attempts, now: number): Settlement => ({
  status: "dead_letter",
  attempts,
  next_attempt_at: null,
  finished_at: now,
  last_error: { code: subscriptionDeleted, http_status: null },
  attempt_log
})

/** A delivery that is due at once instead of at its scheduled time. */
export const dueNow = ({ attempt_log, attempts }: Attempts, now: number): Settlement => {
  const last = attempt_log.at(-1)
  const last_error =
    last === undefined || last.error === null ? null : { code: last.error, http_status: last.http_status }
  return {
    status: attempts === 0 ? "pending" : "retrying",
    attempts,
    next_attempt_at: now,
    finished_at: null,
    last_error,
    attempt_log
  }
}
