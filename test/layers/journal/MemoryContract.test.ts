import { Effect, Layer } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { journalContract } from "../../contract/Journal.ts"
import { JournalProbe } from "../../contract/JournalProbe.ts"

const memory = Layer.unwrap(
  Effect.map(MemoryJournal.make, (memory) => {
    const { deliveries, events, holds, idempotency, ledger, trail } = memory.tables
    const probe = Layer.succeed(JournalProbe)({
      events: (id) =>
        Effect.sync(() =>
          events
            .filter(({ subject_id }) => subject_id === id)
            .map(({ recorded_at, sequence }) => ({ sequence, recorded_at }))
            .sort((a, b) => a.sequence - b.sequence)
        ),
      deliveries: (id) =>
        Effect.sync(() =>
          [...deliveries.values()]
            .filter(({ subscription_id }) => subscription_id === id)
            .map(
              ({ attempt_log, attempts, created_at, event_id, event_kind, id, next_attempt_at, sequence, status }) => ({
                id,
                event_id,
                event_kind,
                sequence,
                status,
                attempts,
                next_attempt_at,
                created_at,
                attempt_log
              })
            )
            .sort((a, b) => a.sequence - b.sequence)
        ),
      hold: (id) =>
        Effect.sync(() => {
          const row = holds.get(id)
          return row && { amount_minor: row.amount_minor, captured_minor: row.captured_minor, status: row.status }
        }),
      lines: (id) =>
        Effect.sync(() =>
          ledger
            .filter(({ workspace_id }) => workspace_id === id)
            .flatMap(({ lines }) => lines.map(({ account, amount_minor }) => [account, amount_minor] as const))
            .sort(([a], [b]) => (a < b ? -1 : 1))
        ),
      trail: (id) =>
        Effect.sync(() =>
          [...trail.values()]
            .filter(({ call_id }) => call_id === id)
            .map(({ at, detail, key, kind }) => ({ key, kind, at, detail }))
            .sort((a, b) => (a.key < b.key ? -1 : 1))
        ),
      answers: (id) =>
        Effect.sync(() =>
          [...idempotency.values()]
            .filter(({ workspace_id }) => workspace_id === id)
            .map(({ body, key }) => ({ key, body }))
        )
    })
    return Layer.merge(memory.layer, probe)
  })
)

journalContract("the journal in memory", memory)
