// What the log tells of calls, callbacks, webhooks and top-ups (docs/operations.md, "The log"). In development: each of
// them, one line. In production: what failed, with ids and without phone numbers, and at most so much in a minute.
import { Clock, Effect, Layer } from "effect"
import type { CallbackRequest, RawCallbackAttempt } from "../../domain/calls/state/CallbackAttempt.ts"
import { activityLine, hostOf, inLine, shortId } from "../../domain/events/ActivityLine.ts"
import type { EventRow } from "../../domain/journal/Rows.ts"
import { VoiceCallback } from "../../domain/ports/calls/VoiceCallback.ts"
import type { Journal } from "../../domain/ports/engine/Journal.ts"
import { WebhookSender } from "../../domain/ports/webhooks/WebhookSender.ts"
import type { Outcome, WebhookRequest } from "../../domain/webhooks/DeliveryRecord.ts"
import { accepted, notSent } from "../../domain/webhooks/Settlement.ts"
import { reporting } from "../journal/StoredReports.ts"
import { type LineBudget, makeLineBudget } from "./LineBudget.ts"

export type Environment = "development" | "production"

/** How many lines one workspace, and all together, may cause in a minute. */
const limits = { window_ms: 60_000, each: 5, all: 100 }

const write = (text: string, failed: boolean) => (failed ? Effect.logWarning(text) : Effect.logInfo(text))

interface Facts {
  readonly workspace_id: string
  readonly [name: string]: unknown
}

/** A warning with ids for programs that read the log, if the workspace has lines left. */
const warn = (budget: LineBudget, text: string, facts: Facts) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const { allowed, left_out } = budget.take(facts.workspace_id, now)
    if (!allowed) return Effect.void
    return Effect.annotateLogs(Effect.logWarning(text), { ...facts, ...(left_out > 0 && { lines_left_out: left_out }) })
  })

/** What production tells of stored events: the text, the name of the subject's id, and the members that say why. */
const warnings: Readonly<Record<string, readonly [text: string, id: string, reasons: ReadonlyArray<string>]>> = {
  "call.callback_failed": ["A voice callback failed", "call_id", ["cause", "http_status", "pointer"]],
  "webhook.disabled": ["A webhook is disabled", "webhook_id", ["reason"]]
}

const failures = (budget: LineBudget) => (event: EventRow) => {
  const warning = warnings[event.kind]
  if (warning === undefined) return undefined
  const [text, id, reasons] = warning
  return Effect.suspend(() => {
    const payload = JSON.parse(event.payload) as Readonly<Record<string, unknown>>
    const why = Object.fromEntries(reasons.map((name) => [name, payload[name] ?? null]))
    return warn(budget, text, { workspace_id: event.workspace_id, [id]: event.subject_id, ...why })
  })
}

const everything = (event: EventRow) => {
  const line = activityLine(event)
  return line && write(line.text, line.failed)
}

/** The same journal. Events are told once they are stored. */
export const journal = (environment: Environment): Layer.Layer<Journal, never, Journal> =>
  Layer.unwrap(
    Effect.sync(() => reporting(environment === "production" ? failures(makeLineBudget(limits)) : everything))
  )

const reasonOf = ({ body }: CallbackRequest): string => {
  const { reason } = JSON.parse(body) as { readonly reason?: unknown }
  return typeof reason === "string" ? inLine(reason) : "-"
}

const answerOf = ({ error, http_status }: { readonly error: string | null; readonly http_status: number | null }) =>
  inLine([http_status, error].filter((part) => part !== null).join(" "))

const callbackLine = (request: CallbackRequest, attempt: RawCallbackAttempt) => {
  const { duration_ms, http_status, url } = attempt
  const ok = attempt.error === null && http_status !== null && http_status < 300
  const about = `call ${shortId(request.call_id)}  callback  ${reasonOf(request)} → ${answerOf(attempt)}`
  return write(`${about}, ${duration_ms} ms  ${hostOf(url)}`, !ok)
}

/** Each request to a callback, as it ends. Calls that are only tried are not told. */
const voice = Layer.effect(
  VoiceCallback,
  Effect.gen(function* () {
    const { ask } = yield* VoiceCallback
    const run = Effect.runForkWith(yield* Effect.context<never>())
    return VoiceCallback.of({
      ask: (request) => {
        if (request.simulated === true) return ask(request)
        const attempted = (attempt: RawCallbackAttempt) => {
          run(callbackLine(request, attempt))
          request.attempted?.(attempt)
        }
        return ask({ ...request, attempted })
      }
    })
  })
)

const attemptLine = ({ event_kind, url }: WebhookRequest, outcome: Outcome) =>
  write(`webhook  ${event_kind} → ${answerOf(outcome)}, ${outcome.duration_ms} ms  ${hostOf(url)}`, !accepted(outcome))

/** A receiver that took the last event and refuses this one. Later refusals of it are not told: it is known by then. */
const receiverFails = (budget: LineBudget, { receiver, url, workspace_id }: WebhookRequest, outcome: Outcome) =>
  warn(budget, "A receiver of webhooks no longer accepts events; its deliveries are repeated", {
    workspace_id,
    webhook_id: receiver,
    host: hostOf(url),
    http_status: outcome.http_status,
    error: outcome.error
  })

const webhooks = (environment: Environment) =>
  Layer.effect(
    WebhookSender,
    Effect.map(WebhookSender, ({ send }) => {
      const budget = makeLineBudget(limits)
      const told = (request: WebhookRequest, outcome: Outcome): Effect.Effect<void> => {
        if (outcome.error === notSent) return Effect.void
        if (environment === "development") return attemptLine(request, outcome)
        return request.proven && !accepted(outcome) ? receiverFails(budget, request, outcome) : Effect.void
      }
      return WebhookSender.of({
        send: (request) => Effect.tap(send(request), (outcome) => told(request, outcome))
      })
    })
  )

/** The same callbacks and webhooks. */
export const outgoing = (
  environment: Environment
): Layer.Layer<VoiceCallback | WebhookSender, never, VoiceCallback | WebhookSender> =>
  Layer.merge(environment === "development" ? voice : Layer.effect(VoiceCallback, VoiceCallback), webhooks(environment))
