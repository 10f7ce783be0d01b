// Rows of the demo workspaces, their numbers and rates. The ids are fixed, so that a second run inserts nothing.
import { type Array as Arrays, Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { testPrices } from "../../../domain/numbers/TestNetwork.ts"
import { Currency } from "../../../domain/wallet/Currency.ts"
import { NumberActor } from "../../../actors/numbers/NumberActor.ts"
import { anniversary, dayOfMonth } from "../../../domain/numbers/NumberStatus.ts"
import { Vault } from "../../../domain/ports/engine/Vault.ts"
import { voiceSecretBound } from "../../../domain/workspace/VoiceSecret.ts"
import { toNumberId, toWorkspaceId } from "../../../domain/BrandedIds.ts"

const kinds = { workspace: 1, series: 2, number: 3, rate: 4, credit: 5, user: 6 } as const

/** A fixed id: a UUID of version 8, which is for custom formats (RFC 9562, section 5.8). */
export const idOf = (kind: keyof typeof kinds, n: number): string =>
  `de300000-0000-8000-8000-${kinds[kind].toString(16).padStart(4, "0")}${n.toString(16).padStart(8, "0")}`

const currency = "KES"

const workspaces = [
  {
    id: toWorkspaceId(idOf("workspace", 1)),
    name: "Demo",
    tenant_pbx_id: "demo",
    number: { id: toNumberId(idOf("number", 1)), number: "+254207900001" }
  },
  {
    id: toWorkspaceId(idOf("workspace", 2)),
    name: "Other",
    tenant_pbx_id: "other",
    number: { id: toNumberId(idOf("number", 2)), number: "+254207900002" }
  }
] as const

export const [demoWorkspace, otherWorkspace] = workspaces

/** The opening balances. */
export const credits = workspaces.map(
  ({ id }, n) =>
    ({
      workspace_id: id,
      currency,
      entry_id: idOf("credit", n + 1),
      amount_minor: 1_000_000
    }) as const
)

const calling_policy = JSON.stringify({
  max_concurrent_calls: 1_000,
  calls_per_second: 200,
  max_calls_per_destination_per_hour: null
})

interface Price {
  readonly monthly_price_minor: number
  readonly inbound_per_min_minor: number
  readonly outbound_per_min_minor: number
}

interface Series {
  readonly id: string
  readonly country: string
  readonly prefix: string
  readonly locality: string
  /** How many numbers can be claimed. */
  readonly available: number
  readonly prices: Readonly<Record<Currency, Price>>
}

/** How many minor units of a currency are about one of the Kenyan shilling: as many as a call costs in both. */
const factorOf = (currency: Currency): number => testPrices[currency].per_min_minor / testPrices.KES.per_min_minor

/** About the same amount in another currency, minor units. */
const inCurrency = (currency: Currency, kes_minor: number): number => Math.round(kes_minor * factorOf(currency))

const inEveryCurrency = <A>(of: (currency: Currency) => A): Record<Currency, A> => ({
  KES: of("KES"),
  UGX: of("UGX"),
  TZS: of("TZS"),
  RWF: of("RWF"),
  ZAR: of("ZAR"),
  GHS: of("GHS"),
  NGN: of("NGN")
})

/** The prices of a number in every currency. */
const pricesFrom = (kes: Price): Series["prices"] =>
  inEveryCurrency((currency) => ({
    monthly_price_minor: inCurrency(currency, kes.monthly_price_minor),
    inbound_per_min_minor: inCurrency(currency, kes.inbound_per_min_minor),
    outbound_per_min_minor: inCurrency(currency, kes.outbound_per_min_minor)
  }))

const kenya: Series = {
  id: idOf("series", 1),
  country: "KE",
  prefix: "+2542079",
  locality: "Nairobi",
  available: 20,
  prices: pricesFrom({ monthly_price_minor: 50_000, inbound_per_min_minor: 100, outbound_per_min_minor: 300 })
}
const uganda: Series = {
  id: idOf("series", 2),
  country: "UG",
  prefix: "+2563129",
  locality: "Kampala",
  available: 5,
  prices: pricesFrom({ monthly_price_minor: 60_000, inbound_per_min_minor: 120, outbound_per_min_minor: 1_200 })
}

/** Outbound rates in KES minor units. */
const countryRates: ReadonlyArray<
  readonly [prefix: string, country: string, description: string, per_min_minor: number]
> = [
  ["254", "KE", "Kenya", 300],
  ["256", "UG", "Uganda", 1_200],
  ["255", "TZ", "Tanzania", 1_200],
  ["250", "RW", "Rwanda", 1_400],
  ["27", "ZA", "South Africa", 900],
  ["233", "GH", "Ghana", 1_600],
  ["234", "NG", "Nigeria", 1_100]
]
const test_per_min_minor = 300

/** Prefixes that cover every number of the country code except `code + rest`. Used to leave one number unrated. */
export const prefixesBut = (code: string, rest: string): ReadonlyArray<string> =>
  [...rest].flatMap((taken, at) =>
    [..."0123456789"].filter((digit) => digit !== taken).map((digit) => code + rest.slice(0, at) + digit)
  )

const kesRates = [
  ...countryRates,
  ...prefixesBut("999", "00000007").map((prefix) => [prefix, null, "Test network", test_per_min_minor] as const)
]

/** The rates in Kenyan shillings come first and keep their ids. */
const rates = Currency.literals
  .flatMap((currency) => kesRates.map((rate) => [currency, ...rate] as const))
  .map(([currency, prefix, country, description, kes_minor], n) => ({
    id: idOf("rate", n + 1),
    currency,
    direction: "outbound",
    prefix,
    country,
    description,
    per_min_minor: inCurrency(currency, kes_minor),
    effective_from: new Date(0)
  }))

const capabilities = "{voice,sms,webrtc}"

const series = [kenya, uganda].map(({ country, id, prefix }) => ({
  id,
  country,
  prefix,
  status: "active",
  capabilities
}))

const seriesPrices = [kenya, uganda].flatMap(({ id, prices }) =>
  Object.entries(prices).map(([currency, price]) => ({ series_id: id, currency, ...price }))
)

/** Numbers for sale: `+254207900100` and up. `+254207900001` and up belong to the demo workspaces. */
const available = [kenya, uganda].flatMap(({ available, country, id, locality, prefix }, n) =>
  Array.from({ length: available }, (_, index) => ({
    id: idOf("number", 1_000 * (n + 1) + index),
    series_id: id,
    number: `${prefix}${String(100 + index).padStart(5, "0")}`,
    status: "available",
    source: "platform",
    country,
    type: "local",
    locality,
    capabilities
  }))
)

type Row = Record<string, string | number | Date | null>

/**
 * Inserts all rows except wallets and keys, in one transaction. Existing rows stay unchanged. `gateway_id`: the gateway
 * of the workspaces.
 */
export const insertRows = Effect.fnUntraced(
  function* (gateway_id: string) {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const created_at = new Date(yield* Clock.currentTimeMillis)
    const renews_at = new Date(anniversary(dayOfMonth(created_at.getTime()), created_at.getTime()))
    const insert = (table: string, rows: ReadonlyArray<Row>) =>
      sql`INSERT INTO ${sql(table)} ${sql.insert(rows as Arrays.NonEmptyReadonlyArray<Row>)} ON CONFLICT DO NOTHING`
    const claimed = workspaces.map(({ id, number }) => ({
      ...number,
      series_id: kenya.id,
      workspace_id: id,
      status: "active",
      source: "platform",
      country: kenya.country,
      type: "local",
      locality: kenya.locality,
      capabilities,
      currency,
      ...kenya.prices[currency],
      claimed_at: created_at,
      renews_at
    }))
    yield* insert(
      "workspaces",
      workspaces.map(({ id, name, tenant_pbx_id }) => ({
        id,
        name,
        status: "active",
        currency,
        tenant_pbx_id,
        gateway_id,
        voice_secret: vault.seal(vault.newSecret(), voiceSecretBound(id)),
        calling_policy,
        number_mode: "platform",
        created_at
      }))
    )
    yield* insert(
      "number_series",
      series.map((row) => ({ ...row, created_at }))
    )
    yield* insert("number_series_prices", seriesPrices)
    yield* insert("numbers", claimed)
    yield* insert("numbers", available)
    yield* insert(
      "alarms",
      claimed.map(({ id, renews_at }) => ({ actor_type: NumberActor.type, actor_id: id, due_at: renews_at }))
    )
    yield* insert("rates", rates)
    yield* Effect.forEach(
      Currency.literals,
      (currency) => sql`
      INSERT INTO storage_prices (currency, tier_mb, monthly_price_minor)
      SELECT ${currency}, tier_mb, round(monthly_price_minor * ${factorOf(currency)}::numeric)
      FROM storage_prices WHERE currency = 'KES' ON CONFLICT DO NOTHING`,
      { discard: true }
    )
  },
  (inserts) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(inserts))
)
