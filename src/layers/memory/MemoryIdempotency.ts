// Kept answers over the memory journal.
import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { Idempotency } from "../../domain/ports/access/Idempotency.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"

export const layer = ({ tables }: MemoryJournal) =>
  Layer.succeed(Idempotency)({
    fingerprint: (text) => createHash("sha256").update(text).digest("hex"),
    find: ({ key, method, route, workspace_id }) =>
      Effect.sync(() => tables.idempotency.get(JSON.stringify([workspace_id, method, route, key])))
  })
