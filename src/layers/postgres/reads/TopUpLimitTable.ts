import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { TopUpLimitTable } from "../../../domain/ports/money/TopUpLimitTable.ts"
import type { TopUpLimit } from "../../../domain/topups/TopUpLimit.ts"
import { writeAudit } from "../database/AuditWrites.ts"

interface Row {
  readonly currency: TopUpLimit["currency"]
  readonly minimum_minor: bigint
  readonly maximum_minor: bigint
}

const limitOf = ({ currency, maximum_minor, minimum_minor }: Row): TopUpLimit => ({
  currency,
  minimum_minor: Number(minimum_minor),
  maximum_minor: Number(maximum_minor)
})

export const layer = Layer.effect(
  TopUpLimitTable,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const list = sql<Row>`SELECT currency, minimum_minor, maximum_minor FROM topup_limits ORDER BY currency`.pipe(
      Effect.map((rows) => rows.map(limitOf)),
      Effect.mapError((cause) => new ReadFailed({ cause }))
    )
    return TopUpLimitTable.of({
      set: (limits, audit) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              for (const { currency, maximum_minor, minimum_minor } of limits) {
                yield* sql`
              UPDATE topup_limits SET minimum_minor = ${BigInt(minimum_minor)}, maximum_minor = ${BigInt(maximum_minor)}
              WHERE currency = ${currency}`
              }
              yield* writeAudit(audit)
            })
          )
          .pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.mapError((cause) => new NotCommitted({ reason: "unavailable", cause }))
          ),
      list,
      of: (currency) =>
        Effect.flatMap(list, (all) => {
          const own = all.find((limit) => limit.currency === currency)
          return own === undefined
            ? Effect.fail(new ReadFailed({ cause: `There are no limits for ${currency}.` }))
            : Effect.succeed(own)
        })
    })
  })
)
