// Logs and counts what operators must look at once a journal has stored it: security alerts of workspaces, and calls
// that a PBX gateway began when they were over (docs/operations.md).
import { Effect, Metric, Option, Schema } from "effect"
import { startedLate } from "../../domain/calls/views/CallPayload.ts"
import type { EventRow } from "../../domain/journal/Rows.ts"
import { reporting } from "./StoredReports.ts"

const alerts = Metric.counter("trunkline_security_alerts_total", {
  description: "Security alerts of workspaces (docs/webhooks.md), by kind.",
  incremental: true
})

const lateStarts = Metric.counter("trunkline_calls_started_late_total", {
  description: "Calls that a PBX gateway began at or after the not_after of its command (docs/pbx-protocol.md).",
  incremental: true
})

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
  if (event.kind.startsWith("security.")) return reportAlert(event)
  return event.kind === "call.answer_ignored" && Option.isSome(readStep(event.payload))
    ? reportLateStart(event)
    : undefined
}

/** The same journal. Each report is logged once it is on disk. */
export const layer = reporting(reportOf)
