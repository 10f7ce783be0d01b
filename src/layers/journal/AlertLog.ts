// Logs and counts what operators must look at once a journal has stored it: security alerts of workspaces, and calls
// that a PBX gateway began when they were over (docs/operations.md).
import { Effect, Layer, Metric, Option, Schema } from "effect"
import { startedLate } from "../../domain/calls/views/CallPayload.ts"
import { eventKinds } from "../../domain/events/EventTable.ts"
import type { EventRow } from "../../domain/journal/Rows.ts"
import { reporting } from "./StoredReports.ts"

const isAlertKind = (kind: string): boolean => kind.startsWith("security.")
const alertKinds = eventKinds.filter(isAlertKind)

const alerts = Metric.counter("trunkline_security_alerts_total", {
  description: "Security alerts of workspaces (docs/webhooks.md), by kind.",
  incremental: true
})

const lateStarts = Metric.counter("trunkline_calls_started_late_total", {
  description: "Calls that a PBX gateway began at or after the not_after of its command (docs/pbx-protocol.md).",
  incremental: true
})

/** Prometheus sees no increase in what begins with 1. */
const countFromZero = Effect.andThen(
  Metric.value(lateStarts),
  Effect.forEach(alertKinds, (kind) => Metric.value(Metric.withAttributes(alerts, { kind })), { discard: true })
)

const reportAlert = ({ kind, subject_id, workspace_id }: EventRow) =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(alerts, { kind }), 1),
    Effect.annotateLogs(Effect.logWarning("Security alert"), { kind, workspace_id, subject_id })
  )

const reportLateStart = ({ subject_id: call_id, workspace_id }: EventRow) =>
  Effect.andThen(
    Metric.update(lateStarts, 1),
    Effect.annotateLogs(
      Effect.logWarning("A PBX gateway called somebody for a call that was over; it is hung up and costs nothing"),
      { call_id, workspace_id }
    )
  )

const readStep = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ step: Schema.Literal(startedLate) })))

/** How the event is reported; undefined if it is not. */
const reportOf = (event: EventRow): Effect.Effect<void> | undefined => {
  if (isAlertKind(event.kind)) return reportAlert(event)
  return event.kind === "call.answer_ignored" && Option.isSome(readStep(event.payload))
    ? reportLateStart(event)
    : undefined
}

/** The same journal. Each report is logged once it is on disk. */
export const layer = Layer.unwrap(Effect.as(countFromZero, reporting(reportOf)))
