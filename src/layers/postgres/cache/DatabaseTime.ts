// The clock of the database as that of a cluster: a call that moves to another process goes on in the same time, even
// if the clocks of their machines differ.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import { ClockLeaps } from "../../../domain/ports/engine/ClockLeaps.ts"

/** An answer that took longer says nothing precise. */
const slowest_ms = 400

interface Row {
  readonly now_ms: number
}

/** What happens to the clock, with the time of the database as that of all processes. */
export const layer = Layer.effect(
  ClockLeaps,
  Effect.gen(function* () {
    const leaps = yield* ClockLeaps
    const sql = yield* PgClient.PgClient
    const ask = forEverybody(sql<Row>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms`)
    const ahead_ms = Effect.gen(function* () {
      const asked_at = yield* Clock.currentTimeMillis
      const [row] = yield* ask
      const answered_at = yield* Clock.currentTimeMillis
      const took_ms = answered_at - asked_at
      if (row === undefined || took_ms < 0 || took_ms > slowest_ms) return undefined
      return (asked_at + answered_at) / 2 - row.now_ms
    }).pipe(
      Effect.timeoutOrElse({ duration: slowest_ms, orElse: () => Effect.undefined }),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logDebug("The time of the database is not known", cause), undefined)
      )
    )
    return ClockLeaps.of({ ...leaps, common: { ahead_ms } })
  })
)
