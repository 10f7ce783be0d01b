// Logs and counts the security alerts that a journal has stored, for operators (docs/operations.md).
import { Effect, Layer, Metric } from "effect"
import type { EventRow } from "../../domain/journal/Rows.ts"
import { Journal } from "../../domain/ports/Journal.ts"

const alerts = Metric.counter("trunkline_security_alerts_total", {
  description: "Security alerts of workspaces (docs/webhooks.md), by kind.",
  incremental: true
})

const report = ({ kind, subject_id, workspace_id }: EventRow) =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(alerts, { kind }), 1),
    Effect.annotateLogs(Effect.logWarning("Security alert"), { kind, workspace_id, subject_id })
  )

const isAlert = ({ kind }: EventRow): boolean => kind.startsWith("security.")

/** The same journal. Each alert is logged once it is on disk. */
export const layer: Layer.Layer<Journal, never, Journal> = Layer.effect(
  Journal,
  Effect.gen(function* () {
    const journal = yield* Journal
    const run = Effect.runForkWith(yield* Effect.context<never>())
    return Journal.of({
      ...journal,
      append: (entry, done, span) => {
        const told = entry.events?.filter(isAlert) ?? []
        if (told.length === 0) return journal.append(entry, done, span)
        journal.append(
          entry,
          (outcome) => {
            if (outcome.ok) run(Effect.forEach(told, report, { discard: true }))
            done(outcome)
          },
          span
        )
      }
    })
  })
)
