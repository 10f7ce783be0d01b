// The revoked API keys in memory: a revocation is heard as soon as it is committed.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schedule, Semaphore } from "effect"
import { DenyList } from "../../../domain/ports/DenyList.ts"
import { ChangeFeed } from "../cache/ChangeFeed.ts"

/** Those that have expired are dropped, and whatever went unheard is found. */
const refresh = Schedule.spaced("1 minute")

export const layer = Layer.effect(
  DenyList,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const changes = yield* ChangeFeed
    let revoked = new Set<string>()
    // What is heard while the rows are on their way may not be among them.
    let meanwhile = new Set<string>()

    const load = (yield* Semaphore.make(1)).withPermit(
      Effect.gen(function* () {
        meanwhile = new Set()
        const now = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* sql<{ readonly id: string }>`
        SELECT id FROM api_keys WHERE revoked_at IS NOT NULL AND expires_at > ${now}`
        revoked = new Set([...rows.map(({ id }) => id), ...meanwhile])
      })
    )

    yield* changes.subscribe({
      connected: load,
      changed: (what, id = "") => {
        if (what !== "revoked") return
        revoked.add(id)
        meanwhile.add(id)
      }
    })
    yield* Effect.ignore(load).pipe(Effect.schedule(refresh), Effect.forkScoped)

    return DenyList.of({ isRevoked: (jti) => revoked.has(jti) })
  })
)
