// Revoked API keys, kept in memory. A revocation applies as soon as it is committed.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schedule, Semaphore } from "effect"
import { DenyList } from "../../../domain/ports/numbers/DenyList.ts"
import { ChangeFeed } from "../cache/ChangeFeed.ts"

/** Reloads drop expired keys and find revocations whose notification was missed. */
const reloadSchedule = Schedule.spaced("1 minute")

export const layer = Layer.effect(
  DenyList,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const changes = yield* ChangeFeed
    let revoked = new Set<string>()
    // Revocations that arrive while `load` runs may be missing from its rows.
    let revokedDuringLoad = new Set<string>()

    const load = (yield* Semaphore.make(1)).withPermit(
      Effect.gen(function* () {
        revokedDuringLoad = new Set()
        const now = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* sql<{ readonly id: string }>`
        SELECT id FROM api_keys WHERE revoked_at IS NOT NULL AND expires_at > ${now}`
        revoked = new Set([...rows.map(({ id }) => id), ...revokedDuringLoad])
      })
    )

    yield* changes.subscribe({
      connected: load,
      changed: (what, id = "") => {
        if (what !== "revoked") return
        revoked.add(id)
        revokedDuringLoad.add(id)
      }
    })
    yield* Effect.ignore(load).pipe(Effect.schedule(reloadSchedule), Effect.forkScoped)

    return DenyList.of({ isRevoked: (jti) => revoked.has(jti) })
  })
)
