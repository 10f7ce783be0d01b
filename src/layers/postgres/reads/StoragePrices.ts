import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { StoragePrices } from "../../../domain/ports/calls/StoragePrices.ts"
import type { StoragePrice } from "../../../domain/storage/StoragePrice.ts"
import { writeAudit } from "../database/AuditWrites.ts"

interface Row extends Omit<StoragePrice, "monthly_price_minor"> {
  readonly monthly_price_minor: bigint
}

export const layer = Layer.effect(
  StoragePrices,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return StoragePrices.of({
      set: (prices, audit) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              for (const { currency, monthly_price_minor, tier_mb } of prices) {
                yield* sql`
              INSERT INTO storage_prices (currency, tier_mb, monthly_price_minor)
              VALUES (${currency}, ${tier_mb}, ${BigInt(monthly_price_minor)})
              ON CONFLICT (currency, tier_mb) DO UPDATE SET monthly_price_minor = excluded.monthly_price_minor`
              }
              yield* writeAudit(audit)
            })
          )
          .pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.mapError((cause) => new NotCommitted({ reason: "unavailable", cause }))
          ),
      list: sql<Row>`SELECT currency, tier_mb, monthly_price_minor FROM storage_prices ORDER BY currency, tier_mb`.pipe(
        Effect.map((rows) => rows.map((row) => ({ ...row, monthly_price_minor: Number(row.monthly_price_minor) }))),
        Effect.mapError((cause) => new ReadFailed({ cause }))
      )
    })
  })
)
