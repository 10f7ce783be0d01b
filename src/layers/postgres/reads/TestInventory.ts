// The numbers of the test network that sandboxes can claim. They never run out: more are made when few are left.
import type { PgClient } from "@effect/sql-pg"
import { type Array, Clock, Effect } from "effect"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import { testCountry, testPrices } from "../../../domain/numbers/TestNetwork.ts"

/** The series of all test numbers. */
const series_id = "7e577e57-0000-8000-8000-000000000001"
/** Phones have the numbers below. */
const first = 10_000_000
const fewest = 20
const batch = 50
/** Advisory lock held while numbers are made: "testnums" as a number. */
const lock = 0x7465_7374_6e75_6d73n

const columns = "id, series_id, number, status, source, country, type, locality, capabilities"

/** Makes numbers until there are at least twenty that can be claimed. */
export const fillTestInventory = (sql: PgClient.PgClient) => {
  const free = sql<{ readonly free: number }>`
    SELECT count(*)::int AS free FROM (
      SELECT FROM numbers WHERE series_id = ${series_id} AND status = 'available' AND reserved_for IS NULL LIMIT ${fewest}
    ) ready`
  const hasEnough = Effect.map(free, ([row]) => (row?.free ?? 0) >= fewest)
  const insertSeries = Effect.gen(function* () {
    const created_at = new Date(yield* Clock.currentTimeMillis)
    yield* sql`
      INSERT INTO number_series (id, country, prefix, status, capabilities, type, locality, created_at)
      VALUES (${series_id}, ${testCountry}, '+999', 'active', '{voice,webrtc}', 'local', 'Test network', ${created_at})
      ON CONFLICT DO NOTHING`
    const prices: ReadonlyArray<Record<string, string | number>> = Object.entries(testPrices).map(
      ([currency, price]) => ({
        series_id,
        currency,
        monthly_price_minor: price.monthly_price_minor,
        inbound_per_min_minor: price.inbound_per_min_minor,
        outbound_per_min_minor: price.per_min_minor
      })
    )
    yield* sql`INSERT INTO number_series_prices ${sql.insert(prices as Array.NonEmptyReadonlyArray<Record<string, string | number>>)} ON CONFLICT DO NOTHING`
  })
  const insertNumbers = sql`
    INSERT INTO numbers (${sql.literal(columns)})
    SELECT gen_random_uuid(), s.id, '+999' || n, 'available', 'platform', s.country, s.type, s.locality, s.capabilities
    FROM number_series s, (
      SELECT coalesce(max(substr(number, 5)::int) + 1, ${first}::int) AS next FROM numbers WHERE series_id = ${series_id}
    ) made, generate_series(made.next, made.next + ${batch - 1}) n
    WHERE s.id = ${series_id}`
  const make = sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${lock})`
      if (yield* hasEnough) return
      yield* insertSeries
      yield* insertNumbers
    })
  )
  return forEverybody(Effect.flatMap(hasEnough, (enough) => (enough ? Effect.void : make)))
}
