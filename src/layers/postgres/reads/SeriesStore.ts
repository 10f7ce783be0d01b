import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { SeriesSuffixCollision } from "../../../domain/errors/NumberErrors.ts"
import type { PriceRecord, SeriesFacts, SeriesRecord, SuffixRange } from "../../../domain/numbers/Series.ts"
import type { AuditRow, IdempotencyRow } from "../../../domain/journal/Rows.ts"
import type { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { SeriesStore } from "../../../domain/ports/numbers/SeriesStore.ts"
import { notCommitted, writeAnswer } from "../database/AnswerWrites.ts"
import { writeAudit } from "../database/AuditWrites.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"

type Row = Omit<SeriesRecord, "created_at"> & { readonly created_at: Date }
type PriceRow = { readonly [K in keyof PriceRecord]: PriceRecord[K] extends number ? bigint : PriceRecord[K] }

const recordOf = ({ created_at, ...row }: Row): SeriesRecord => ({ ...row, created_at: created_at.toISOString() })

const priceOf = ({ currency, series_id, ...row }: PriceRow): PriceRecord => ({
  series_id,
  currency,
  monthly_price_minor: Number(row.monthly_price_minor),
  inbound_per_min_minor: Number(row.inbound_per_min_minor),
  outbound_per_min_minor: Number(row.outbound_per_min_minor)
})

const columns = `s.id, s.provider_id, s.country, s.prefix, s.start_suffix, s.end_suffix, s.suffix_length, s.type, s.locality,
  s.capabilities, s.status, s.created_at,
  coalesce((SELECT json_agg(json_build_object('currency', currency, 'monthly_price_minor', monthly_price_minor,
    'inbound_per_min_minor', inbound_per_min_minor, 'outbound_per_min_minor', outbound_per_min_minor) ORDER BY currency)
    FROM number_series_prices WHERE series_id = s.id), '[]') AS prices`

const numberOf = "prefix || lpad(n::text, suffix_length, '0')"

const taken = `SELECT number FROM numbers
  WHERE status <> 'removed' AND number IN (
    SELECT ${numberOf} FROM number_series, generate_series($2::int, $3::int) n WHERE id = $1
  ) ORDER BY number LIMIT 5`

const insert = `INSERT INTO numbers (id, series_id, number, status, source, country, type, locality, capabilities)
  SELECT gen_random_uuid(), id, ${numberOf}, 'available', 'platform', country, type, locality, capabilities
  FROM number_series, generate_series($2::int, $3::int) n WHERE id = $1`

const isTaken = (error: NotCommitted | SeriesSuffixCollision): boolean =>
  error._tag === "NotCommitted" &&
  error.reason !== "duplicate" &&
  error.cause instanceof SqlError.SqlError &&
  error.cause.reason._tag === "UniqueViolation"

const collision = (numbers: ReadonlyArray<{ readonly number: string }>) =>
  new SeriesSuffixCollision({
    details: numbers.map(({ number }) => ({
      field: "/start_suffix",
      code: "exists",
      message: `${number} already exists.`
    }))
  })

type Write<A, E = never> = Effect.Effect<A, E | SqlError.SqlError, SqlClient.SqlClient>

const find = (id: string): Write<SeriesRecord | undefined> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql.unsafe<Row>(`SELECT ${columns} FROM number_series s WHERE id = $1`, [id]),
      ([row]) => row && recordOf(row)
    )
  )

const upsertPrices = (prices: ReadonlyArray<PriceRecord>): Write<unknown> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe(
      `INSERT INTO number_series_prices (series_id, currency, monthly_price_minor, inbound_per_min_minor, outbound_per_min_minor)
       SELECT * FROM json_to_recordset($1::text::json) AS r (series_id uuid, currency text, monthly_price_minor int8,
         inbound_per_min_minor int8, outbound_per_min_minor int8)
       ON CONFLICT (series_id, currency) DO UPDATE SET monthly_price_minor = excluded.monthly_price_minor,
         inbound_per_min_minor = excluded.inbound_per_min_minor, outbound_per_min_minor = excluded.outbound_per_min_minor`,
      [JSON.stringify(prices)]
    )
  )

const create = Effect.fnUntraced(function* (
  id: string,
  { prices, ...facts }: SeriesFacts,
  audit: AuditRow,
  answer: (created: SeriesRecord) => IdempotencyRow | undefined
) {
  const sql = yield* SqlClient.SqlClient
  const { provider_id } = facts
  if (provider_id !== null) {
    const provider = yield* sql`SELECT FROM number_providers WHERE id = ${provider_id} AND status = 'active' FOR SHARE`
    if (provider.length === 0) return undefined
  }
  const row = {
    ...facts,
    id,
    capabilities: `{${facts.capabilities.join(",")}}`,
    created_at: new Date(audit.created_at)
  }
  yield* sql`INSERT INTO number_series ${sql.insert(row)}`
  yield* upsertPrices(prices.map((price) => ({ series_id: id, ...price })))
  yield* writeAudit(audit)
  const created = expectPresent(yield* find(id), "The written series")
  yield* writeAnswer(answer(created))
  return created
})

const generate = Effect.fnUntraced(function* (
  id: string,
  { end_suffix, start_suffix }: SuffixRange,
  audit: (generated: number) => AuditRow,
  answer: (generated: number) => IdempotencyRow | undefined
) {
  const sql = yield* SqlClient.SqlClient
  const generated = end_suffix - start_suffix + 1
  const line = audit(generated)
  const fresh = yield* sql`
    INSERT INTO number_generations (series_id, start_suffix, end_suffix, generated_at)
    VALUES (${id}, ${start_suffix}, ${end_suffix}, ${new Date(line.created_at)})
    ON CONFLICT DO NOTHING RETURNING 1`
  if (fresh.length === 0) {
    yield* writeAnswer(answer(0))
    return 0
  }
  const range = [id, start_suffix, end_suffix]
  const collisions = yield* sql.unsafe<{ readonly number: string }>(taken, range)
  if (collisions.length > 0) return yield* collision(collisions)
  yield* sql.unsafe(insert, range)
  yield* writeAudit(line)
  yield* writeAnswer(answer(generated))
  return generated
})

/** Raises the version of each number, so that its actor, if in memory, reloads at its next write. */
const retire = Effect.fnUntraced(function* (id: string, audit: (numbers: number) => AuditRow) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE number_series SET status = 'retired' WHERE id = ${id}`
  const retired = yield* sql`
    UPDATE numbers SET status = 'retired', version = version + 1
    WHERE series_id = ${id} AND status = 'available' AND reserved_for IS NULL RETURNING 1`
  yield* writeAudit(audit(retired.length))
  return retired.length
})

const setPrices = Effect.fnUntraced(function* (prices: ReadonlyArray<PriceRecord>, audit: AuditRow) {
  const sql = yield* SqlClient.SqlClient
  const ids = [...new Set(prices.map(({ series_id }) => series_id))]
  const known = yield* sql`SELECT FROM number_series WHERE ${sql.in("id", ids)}`
  if (known.length < ids.length) return false
  yield* upsertPrices(prices)
  yield* writeAudit(audit)
  return true
})

export const layer = Layer.effect(
  SeriesStore,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    const withSql = Effect.provideService(SqlClient.SqlClient, sql)
    const whole = <A, E>(write: Write<A, E>) =>
      withSql(sql.withTransaction(write)).pipe(Effect.catchTag("SqlError", (cause) => Effect.fail(notCommitted(cause))))
    const where = (filter: object) => Object.entries(filter).map(([name, value]) => sql`${sql(name)} = ${value}`)

    return SeriesStore.of({
      create: (id, facts, audit, answer) => whole(create(id, facts, audit, answer)),
      find: (id) => failed(withSql(find(id))),
      list: (filter, after, limit) =>
        sql<Row>`SELECT ${sql.literal(columns)} FROM number_series s WHERE ${sql.and([
          sql`true`,
          ...where(filter),
          ...(after === undefined ? [] : [sql`(created_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`])
        ])} ORDER BY created_at DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(recordOf)),
          failed
        ),
      generate: ({ id }, range, audit, answer) =>
        // A concurrent request may have created one of the numbers. The second attempt reports it.
        whole(generate(id, range, audit, answer)).pipe(Effect.retry({ times: 1, while: isTaken })),
      retire: (id, audit) => whole(retire(id, audit)),
      setPrices: (prices, audit) => whole(setPrices(prices, audit)),
      prices: (filter) =>
        sql<PriceRow>`SELECT * FROM number_series_prices WHERE ${sql.and([sql`true`, ...where(filter)])}
        ORDER BY series_id, currency LIMIT 1000`.pipe(
          Effect.map((rows) => rows.map(priceOf)),
          failed
        )
    })
  })
)
