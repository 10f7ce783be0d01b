import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import { type Routing, routingOf } from "../../domain/numbers/Routing.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import { ReadFailed } from "../../domain/ports/ReadFailed.ts"

type Price = "monthly_price_minor" | "inbound_per_min_minor" | "outbound_per_min_minor"
type Moment = "claimed_at" | "renews_at" | "past_due_since" | "released_at"

type NumberRow =
  & Omit<NumberRecord, Price | Moment | "routing">
  & { readonly [K in Price]: bigint | null }
  & { readonly [K in Moment]: Date | null }
  & { readonly routing: Partial<Routing> }

const price = (minor: bigint | null): number | null => (minor === null ? null : Number(minor))
const moment = (at: Date | null): string | null => at?.toISOString() ?? null

const recordOf = (row: NumberRow): NumberRecord => ({
  ...row,
  monthly_price_minor: price(row.monthly_price_minor),
  inbound_per_min_minor: price(row.inbound_per_min_minor),
  outbound_per_min_minor: price(row.outbound_per_min_minor),
  routing: routingOf(row.routing),
  claimed_at: moment(row.claimed_at),
  renews_at: moment(row.renews_at),
  past_due_since: moment(row.past_due_since),
  released_at: moment(row.released_at)
})

export const layer = Layer.effect(
  NumberReads,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    const columns = sql.literal(
      `id, number, status, source, country, type, capabilities, label, currency, monthly_price_minor, inbound_per_min_minor,
      outbound_per_min_minor, routing, claimed_at, renews_at, past_due_since, released_at`
    )
    return NumberReads.of({
      find: (workspace_id, id) =>
        sql<NumberRow>`
          SELECT ${columns} FROM numbers
          WHERE workspace_id = ${workspace_id} AND id = ${id} AND status NOT IN ('available', 'removed')`.pipe(
          Effect.map(([row]) => row && recordOf(row)),
          failed
        ),
      list: (workspace_id, after, limit) =>
        sql<NumberRow>`
          SELECT ${columns} FROM numbers
          WHERE ${sql.and([
            sql`workspace_id = ${workspace_id}`,
            sql`status NOT IN ('available', 'removed')`,
            ...(after === undefined ? [] : [sql`(coalesce(claimed_at, 'epoch'), id) < (${new Date(after.at)}, ${after.id}::uuid)`])
          ])}
          ORDER BY coalesce(claimed_at, 'epoch') DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(recordOf)),
          failed
        )
    })
  })
)
