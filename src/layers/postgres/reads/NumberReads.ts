import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import type { HeldNumber, NumberFilter, NumberRecord } from "../../../domain/numbers/NumberRecord.ts"
import { type Routing, routingOf } from "../../../domain/numbers/Routing.ts"
import type { InventoryFilter, InventoryItem, Offer } from "../../../domain/numbers/InventoryItem.ts"
import type { NumberTerms } from "../../../domain/numbers/PhoneNumber.ts"
import type { Currency } from "../../../domain/wallet/Currency.ts"
import { NumberReads } from "../../../domain/ports/numbers/NumberReads.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import type { NumberId, WorkspaceId } from "../../../domain/BrandedIds.ts"
import { isSandbox } from "../../../domain/kit/Sandbox.ts"
import { fillTestInventory } from "./TestInventory.ts"

type Price = "monthly_price_minor" | "inbound_per_min_minor" | "outbound_per_min_minor"
type Moment = "claimed_at" | "renews_at" | "past_due_since" | "released_at"

type NumberRow = Omit<NumberRecord, Price | Moment | "routing"> & { readonly [K in Price]: bigint | null } & {
  readonly [K in Moment]: Date | null
} & { readonly routing: Partial<Routing> }

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

interface PriceRow {
  readonly currency: Currency
  readonly monthly_price_minor: bigint
  readonly inbound_per_min_minor: bigint
  readonly outbound_per_min_minor: bigint
}

type ItemRow = Omit<InventoryItem, keyof PriceRow> & PriceRow

const termsOf = ({
  currency,
  inbound_per_min_minor,
  monthly_price_minor,
  outbound_per_min_minor
}: PriceRow): NumberTerms => ({
  currency,
  monthly_price_minor: Number(monthly_price_minor),
  inbound_per_min_minor: Number(inbound_per_min_minor),
  outbound_per_min_minor: Number(outbound_per_min_minor)
})

const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))

/** The conditions of a filter. */
const chosen = (sql: PgClient.PgClient, filter: InventoryFilter | NumberFilter) =>
  Object.entries(filter).map(([name, value]) => {
    if (name === "capability") return sql`${value} = ANY(capabilities)`
    return name === "contains" ? sql`position(${value} IN number) > 0` : sql`${sql(name)} = ${value}`
  })

/** Reads of the numbers that the platform offers, with their prices in a currency. */
const inventoryReads = (sql: PgClient.PgClient) => {
  const terms = sql.literal("p.monthly_price_minor, p.inbound_per_min_minor, p.outbound_per_min_minor, p.currency")
  const outOfUse = sql.literal("EXISTS (SELECT FROM number_series WHERE id = n.series_id AND status = 'retired')")
  return {
    available: (
      workspace_id: WorkspaceId,
      currency: string,
      filter: InventoryFilter,
      limit: number,
      after?: Pick<InventoryItem, "country" | "number">
    ) => {
      const sandbox = isSandbox(workspace_id)
      const found = sql<ItemRow>`
        SELECT n.id AS inventory_id, number, country, type, locality, capabilities, ${terms}
        FROM numbers n JOIN number_series_prices p USING (series_id)
        WHERE ${sql.and([
          sql`status = 'available'`,
          sql`starts_with(number, '+999') = ${sandbox}`,
          sql`reserved_for IS NULL`,
          sql`NOT ${outOfUse}`,
          sql`p.currency = ${currency}`,
          ...chosen(sql, filter),
          ...(after === undefined ? [] : [sql`(country, number) > (${after.country}, ${after.number})`])
        ])}
        ORDER BY country, number LIMIT ${limit}`
      return failed(
        Effect.map(sandbox ? Effect.andThen(fillTestInventory(sql), found) : found, (rows) =>
          rows.map((row) => ({ ...row, ...termsOf(row), setup_price_minor: 0 }))
        )
      )
    },
    offer: (id: string, currency: string) =>
      sql<Pick<Offer, "status" | "number"> & (PriceRow | { readonly currency: null })>`
        SELECT CASE WHEN n.status = 'available' AND ${outOfUse} THEN 'retired' ELSE n.status END AS status, n.number, ${terms} FROM numbers n
        LEFT JOIN number_series_prices p ON p.series_id = n.series_id AND p.currency = ${currency}
        WHERE n.id = ${id} AND n.source = 'platform'`.pipe(
        Effect.map(
          ([row]) =>
            row && { status: row.status, number: row.number, terms: row.currency === null ? null : termsOf(row) }
        ),
        failed,
        forEverybody
      )
  }
}

export const layer = Layer.effect(
  NumberReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const columns = sql.literal(
      `id, number, status, source, country, type, capabilities, label, currency, monthly_price_minor, inbound_per_min_minor,
      outbound_per_min_minor, routing, claimed_at, renews_at, past_due_since, released_at`
    )
    // No `coalesce`: under row security PostgreSQL finds nothing by an index on it.
    const listedAt = sql.literal("CASE WHEN claimed_at IS NULL THEN 'epoch' ELSE claimed_at END")
    return NumberReads.of({
      find: (workspace_id, id) =>
        sql<NumberRow>`
          SELECT ${columns} FROM numbers
          WHERE workspace_id = ${workspace_id} AND id = ${id} AND status NOT IN ('available', 'removed')`.pipe(
          Effect.map(([row]) => row && recordOf(row)),
          failed
        ),
      list: (workspace_id, filter, after, limit) =>
        sql<NumberRow>`
          SELECT ${columns} FROM numbers
          WHERE ${sql.and([
            sql`workspace_id = ${workspace_id}`,
            sql`status NOT IN ('available', 'removed')`,
            ...chosen(sql, filter),
            ...(after === undefined ? [] : [sql`(${listedAt}, id) < (${new Date(after.at)}, ${after.id}::uuid)`])
          ])}
          ORDER BY ${listedAt} DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(recordOf)),
          failed
        ),
      ...inventoryReads(sql),
      held: (workspace_id) =>
        sql<HeldNumber>`
          SELECT id, source, status = 'available' AS claiming FROM numbers
          WHERE (workspace_id = ${workspace_id} AND status IN ('active', 'past_due', 'suspended')) OR reserved_for = ${workspace_id}`.pipe(
          failed
        ),
      holder: (e164) =>
        sql<{ readonly id: NumberId }>`SELECT id FROM numbers WHERE number = ${e164} AND status <> 'removed'`.pipe(
          Effect.map(([row]) => row?.id),
          failed,
          forEverybody
        )
    })
  })
)
