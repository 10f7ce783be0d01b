// Counts what a journal stores, and how long it takes: calls by their ends, set-up times, money and commits.
import { Clock, type Context, Effect, Layer, Metric } from "effect"
import { CallDirection, EndStatus, HangupCause } from "../../domain/calls/state/CallRecord.ts"
import { notCommittedReasons } from "../../domain/errors/NotCommitted.ts"
import { eventKinds } from "../../domain/events/EventTable.ts"
import type { Committed, Entry, EventRow } from "../../domain/journal/Rows.ts"
import { StatementKind } from "../../domain/wallet/StatementEntry.ts"
import { Journal } from "../../domain/ports/engine/Journal.ts"

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

const commits = Metric.histogram("trunkline_journal_commit_duration_seconds", {
  description: "Time from a decision to its commit, the wait for the batch included.",
  boundaries: seconds
})

/** One metric for each set of values of these labels. The values are joined by blanks, which none of them contains. */
const counter =
  (id: string, description: string, ...labels: ReadonlyArray<string>) =>
  (values: string) => {
    const each = values.split(" ")
    const attributes = Object.fromEntries(labels.map((label, index) => [label, each[index] ?? ""]))
    return Metric.counter(id, { description, incremental: true, attributes })
  }

const failures = counter("trunkline_journal_failures_total", "Decisions that could not be stored, by reason.", "reason")
const events = counter("trunkline_events_total", "Events that were stored, by kind (docs/webhooks.md).", "kind")
const ends = counter(
  "trunkline_calls_ended_total",
  "Legs that have ended, by status, hangup cause and direction.",
  "status",
  "direction",
  "cause"
)
const setUp = () =>
  Metric.histogram("trunkline_call_setup_duration_seconds", {
    description: "Time from the creation of a leg to its answer.",
    boundaries: [0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60]
  })
const entries = counter("trunkline_ledger_entries_total", "Entries of the ledger, by kind.", "kind")
const deliveries = counter("trunkline_webhook_deliveries_total", "Webhook deliveries that were created.")

/** The labels of legs that are over, in every combination: any cause may come in either direction. */
const endings = EndStatus.literals.flatMap((status) =>
  CallDirection.literals.flatMap((direction) => HangupCause.literals.map((cause) => `${status} ${direction} ${cause}`))
)

interface CallPayload {
  readonly status?: string
  readonly direction?: string
  readonly hangup_cause?: string | null
  readonly created_at?: string
  readonly answered_at?: string | null
  readonly ended_at?: string | null
}

/** The events after which a leg is over. */
const ended = new Set(["call.completed", "call.no_answer", "call.busy", "call.failed", "call.canceled"])

type OfValues = (values: string) => Metric.Metric<number, unknown>
type Count = (metric: OfValues, values: string, input: number) => void

const countEvent = ({ kind, late, payload }: EventRow, count: Count): void => {
  count(events, kind, 1)
  if (late || (kind !== "call.answered" && !ended.has(kind))) return
  const call = JSON.parse(payload) as CallPayload
  if (kind !== "call.answered") {
    const { direction = "", hangup_cause, status = "" } = call
    return count(ends, `${status} ${direction} ${hangup_cause ?? ""}`, 1)
  }
  const { answered_at, created_at } = call
  if (typeof answered_at === "string" && created_at !== undefined)
    count(setUp, "", (Date.parse(answered_at) - Date.parse(created_at)) / 1_000)
}

const countEntry = ({ deliveries: made = [], events: stored = [], ledger = [] }: Entry, count: Count): void => {
  for (const event of stored) countEvent(event, count)
  for (const { kind } of ledger) count(entries, kind, 1)
  if (made.length > 0) count(deliveries, "", made.length)
}

/** Everything that is counted, with its labels: Prometheus sees no increase in what begins with 1. */
const known: ReadonlyArray<readonly [OfValues, ReadonlyArray<string>]> = [
  [failures, notCommittedReasons],
  [events, eventKinds],
  [ends, endings],
  [setUp, [""]],
  [entries, StatementKind.literals],
  [deliveries, [""]]
]

/** Merging labels into a metric costs more than counting, so each set of values has its metric. They are few. */
const counting = (context: Context.Context<never>): Count => {
  const made = new Map(
    known.map(([ofValues, values]) => [ofValues, new Map(values.map((each) => [each, ofValues(each)]))])
  )
  for (const metrics of made.values()) for (const metric of metrics.values()) metric.valueUnsafe(context)
  return (ofValues, values, input) => {
    const others = made.get(ofValues) ?? new Map<string, Metric.Metric<number, unknown>>()
    const metric = others.get(values) ?? ofValues(values)
    if (!others.has(values)) made.set(ofValues, others.set(values, metric))
    metric.updateUnsafe(input, context)
  }
}

/** The same journal. What it stores is counted once it is on disk. */
export const layer: Layer.Layer<Journal, never, Journal> = Layer.effect(
  Journal,
  Effect.gen(function* () {
    const journal = yield* Journal
    const clock = yield* Clock.Clock
    const context = yield* Effect.context<never>()
    yield* Metric.value(commits)
    const count = counting(context)
    const counted = (entry: Entry, done: (outcome: Committed) => void) => {
      const at = clock.currentTimeMillisUnsafe()
      return (outcome: Committed) => {
        commits.updateUnsafe((clock.currentTimeMillisUnsafe() - at) / 1_000, context)
        if (outcome.ok) countEntry(entry, count)
        else count(failures, outcome.error.reason, 1)
        done(outcome)
      }
    }
    return Journal.of({
      ...journal,
      append: (entry, done, span) => journal.append(entry, counted(entry, done), span),
      appendTied: (unit) =>
        journal.appendTied(unit.map((append) => ({ ...append, done: counted(append.entry, append.done) })))
    })
  })
)
