// Carries out a report of each event once a journal has stored it.
import { Effect, Layer } from "effect"
import type { Committed, EventRow } from "../../domain/journal/Rows.ts"
import { type Append, Journal } from "../../domain/ports/engine/Journal.ts"

/** The same journal. `reportOf` says how a stored event is reported; undefined: it is not. */
export const reporting = (
  reportOf: (event: EventRow) => Effect.Effect<void> | undefined
): Layer.Layer<Journal, never, Journal> =>
  Layer.effect(
    Journal,
    Effect.gen(function* () {
      const journal = yield* Journal
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const told = (append: Append): Append => {
        const reports = append.entry.events?.flatMap((event) => reportOf(event) ?? []) ?? []
        if (reports.length === 0) return append
        const done = (outcome: Committed) => {
          if (outcome.ok) run(Effect.all(reports, { discard: true }))
          append.done(outcome)
        }
        return { ...append, done }
      }
      return Journal.of({
        ...journal,
        appendTied: (unit) => journal.appendTied(unit.map(told)),
        append: (entry, done, span) => {
          if (entry.events === undefined) return journal.append(entry, done, span)
          journal.append(entry, told({ entry, done }).done, span)
        }
      })
    })
  )
