import { PgClient } from "@effect/sql-pg"
import { type Options, parse } from "csv-parse"
import { once } from "node:events"
import { setImmediate as turn } from "node:timers/promises"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BadRequest } from "../../../domain/errors/GeneralErrors.ts"
import { instantOrNull, isoInstant } from "../../../domain/kit/Instants.ts"
import {
  maxTableRates,
  type RateRecord,
  rates_at_once,
  type RatesChanged,
  type RateWrite
} from "../../../domain/numbers/RateSheet.ts"
import { RateTable } from "../../../domain/ports/numbers/RateTable.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { notCommitted, writeAnswer } from "../database/AnswerWrites.ts"
import { writeAudit } from "../database/AuditWrites.ts"

interface Row extends Omit<RateRecord, "per_min_minor" | "effective_from" | "effective_to"> {
  readonly per_min_minor: bigint
  readonly effective_from: Date
  readonly effective_to: Date | null
}

const rateOf = ({ effective_from, effective_to, per_min_minor, ...row }: Row): RateRecord => ({
  ...row,
  per_min_minor: Number(per_min_minor),
  effective_from: effective_from.toISOString(),
  effective_to: effective_to?.toISOString() ?? null
})

const options = {
  columns: true,
  bom: true,
  skip_empty_lines: true,
  trim: true,
  record_delimiter: ["\r\n", "\n"],
  // A rate is much shorter. An endless line would become one row with very many columns.
  max_record_size: 8_192
} satisfies Options

type Columns = Readonly<Record<string, string>>

/** About 500 rates. */
const slice_bytes = 32_768

/** Parses a table with pauses, so that others have their turn. */
const parsed = async (csv: string): Promise<ReadonlyArray<Columns>> => {
  const bytes = Buffer.from(csv)
  const parser = parse(options)
  const rows: Array<Columns> = []
  parser.on("data", (row: Columns) => rows.push(row))
  const ended = once(parser, "end")
  // It is awaited below, after the last slice.
  ended.catch(() => {})
  for (let at = 0; at < bytes.length && !parser.destroyed && rows.length <= maxTableRates; at += slice_bytes) {
    parser.write(bytes.subarray(at, at + slice_bytes))
    await turn()
  }
  if (rows.length > maxTableRates) parser.destroy()
  else {
    parser.end()
    await ended
  }
  if (rows.length > maxTableRates) throw new Error(`it has more than ${maxTableRates.toLocaleString("en")} rows`)
  return rows
}

/** Leaves unchanged rows alone, so that no process is notified to reload its rates. */
const upsert = `
  INSERT INTO rates (id, currency, direction, prefix, country, description, per_min_minor, class, effective_from, effective_to)
  SELECT gen_random_uuid(), r.* FROM json_to_recordset($1::text::json) AS r (
    currency text, direction text, prefix text, country text, description text, per_min_minor int8, class text,
    effective_from timestamptz, effective_to timestamptz
  )
  ON CONFLICT (currency, direction, prefix, effective_from) DO UPDATE SET country = excluded.country,
    description = excluded.description, per_min_minor = excluded.per_min_minor, class = excluded.class,
    effective_to = excluded.effective_to
  WHERE (rates.country, rates.description, rates.per_min_minor, rates.class, rates.effective_to) IS DISTINCT FROM
    (excluded.country, excluded.description, excluded.per_min_minor, excluded.class, excluded.effective_to)
  RETURNING xmax = 0 AS inserted`

const tableOf = (rates: ReadonlyArray<RateWrite>): string =>
  JSON.stringify(
    rates.map(({ effective_from, effective_to, ...rate }) => ({
      ...rate,
      effective_from: isoInstant(effective_from),
      effective_to: instantOrNull(effective_to)
    }))
  )

export const layer = Layer.effect(
  RateTable,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return RateTable.of({
      upsert: (rates, audit, answer) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              let [inserted, updated] = [0, 0]
              for (let first = 0; first < rates.length; first += rates_at_once) {
                const part = tableOf(rates.slice(first, first + rates_at_once))
                const rows = yield* sql.unsafe<{ readonly inserted: boolean }>(upsert, [part])
                const created = rows.filter((row) => row.inserted).length
                inserted += created
                updated += rows.length - created
              }
              const changed: RatesChanged = { inserted, updated, unchanged: rates.length - inserted - updated }
              if (inserted + updated > 0) yield* writeAudit(audit(changed))
              yield* writeAnswer(answer(changed))
              return changed
            })
          )
          .pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.mapError(notCommitted)),
      list: (filter, after, limit) =>
        sql<Row>`
          SELECT id, currency, direction, prefix, country, description, per_min_minor, class, effective_from, effective_to
          FROM rates
          WHERE ${sql.and([
            sql`true`,
            ...Object.entries(filter).map(([column, value]) => sql`${sql(column)} = ${value}`),
            ...(after === undefined ? [] : [sql`(effective_from, id) < (${new Date(after.at)}, ${after.id}::uuid)`])
          ])}
          ORDER BY effective_from DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(rateOf)),
          Effect.mapError((cause) => new ReadFailed({ cause }))
        ),
      rows: (csv) =>
        Effect.tryPromise({
          try: () => parsed(csv),
          catch: (cause) =>
            new BadRequest({
              message: `The CSV cannot be parsed: ${cause instanceof Error ? cause.message : "not CSV"}`
            })
        })
    })
  })
)
