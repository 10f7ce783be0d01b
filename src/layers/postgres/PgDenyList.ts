// The revoked API keys in memory: a revocation is heard as soon as it is committed.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schedule } from "effect"
import { DenyList } from "../../domain/ports/DenyList.ts"
import { Changes } from "./Changes.ts"

/** Those that have expired are dropped, and whatever went unheard is found. */
const refresh = Schedule.spaced("1 minute")

export const layer = Layer.effect(
  DenyList,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const changes = yield* Changes
    let revoked: ReadonlySet<string> = new Set()
    let heard = new Set<string>()

    const load = Effect.gen(function*() {
      heard = new Set()
      const now = new Date(yield* Clock.currentTimeMillis)
      const rows = yield* sql<{ readonly id: string }>`
        SELECT id FROM api_keys WHERE revoked_at IS NOT NULL AND expires_at > ${now}`
      // What was heard while the rows were on their way may not be among them.
      revoked = new Set([...rows.map(({ id }) => id), ...heard])
    })

    yield* changes.subscribe({
      connected: load,
      changed: (what, id = "") => {
        if (what === "revoked") heard.add(id)
      }
    })
    yield* Effect.ignore(load).pipe(Effect.schedule(refresh), Effect.forkScoped)

    return DenyList.of({ isRevoked: (jti) => revoked.has(jti) || heard.has(jti) })
  })
)
