// Kept answers over the memory journal.
import { createHash } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { Idempotency } from "../../domain/ports/access/Idempotency.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"

export const layer = ({ tables }: MemoryJournal) =>
  Layer.succeed(Idempotency)({
    fingerprint: (text) => createHash("sha256").update(text).digest("hex"),
    find: ({ key, method, route, workspace_id }) =>
      Effect.sync(() => tables.idempotency.get(JSON.stringify([workspace_id, method, route, key]))),
    keep: ({ key, method, route, workspace_id, ...request }, answer) =>
      Effect.flatMap(Clock.currentTimeMillis, (created_at) => {
        const row = JSON.stringify([workspace_id, method, route, key])
        if (tables.idempotency.has(row)) return Effect.fail(new NotCommitted({ reason: "duplicate" }))
        tables.idempotency.set(row, { workspace_id, method, route, key, ...request, ...answer, created_at })
        return Effect.void
      })
  })
