// The workspaces of a test: their numbers, prices and money.
import { getCountryCallingCode, type CountryCode } from "libphonenumber-js"
import { toGatewayId, toNumberId, toWorkspaceId, type WorkspaceId } from "../domain/BrandedIds.ts"
import type { CallingPolicy } from "../domain/calls/policy/CallingPolicy.ts"
import type { Routing } from "../domain/numbers/Routing.ts"
import type { Currency } from "../domain/wallet/Currency.ts"
import type { DirectoryData, WorkspaceData } from "../layers/memory/MemoryDirectory.ts"

export interface WorkspaceOptions {
  /** Default: Test. */
  readonly name?: string
  /** Default: KES. */
  readonly currency?: Currency
  /** In E.164. Default: one number of Kenya. */
  readonly numbers?: ReadonlyArray<string>
  /** What becomes of inbound calls, for example `{ voice_url }`. */
  readonly routing?: Partial<Routing>
  /** What is in the wallet at the start. Default: 1,000,000 (10,000.00). */
  readonly balance_minor?: number
  /** Changes to the calling policy. */
  readonly calling_policy?: Partial<CallingPolicy>
}

/** A price for the destinations of a prefix, in digits without `+`. */
export interface RateOptions {
  readonly prefix: string
  readonly per_min_minor: number
}

export interface Tenant {
  readonly id: WorkspaceId
  readonly name: string
  readonly currency: Currency
  readonly numbers: ReadonlyArray<string>
  readonly balance_minor: number
  readonly tenant_pbx_id: string
  readonly voice_secret: string
  readonly data: WorkspaceData
}

/** The price of a minute where nothing else is said, in minor units. */
export const minute_minor = 300
const inboundMinute_minor = 100

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

const countryOf = (number: string): string => {
  const countries: ReadonlyArray<CountryCode> = ["KE", "UG", "TZ", "RW", "ZA", "GH", "NG", "US", "GB", "DE"]
  return countries.find((country) => number.startsWith(`+${getCountryCallingCode(country)}`)) ?? "KE"
}

export const tenantOf = (options: WorkspaceOptions, index: number): Tenant => {
  const { balance_minor = 1_000_000, calling_policy = {}, currency = "KES", name = "Test", routing = {} } = options
  const { numbers = [`+2547000000${hex(index + 1, 2)}`] } = options
  const id = toWorkspaceId(`0199a000-0000-7000-8000-${hex(index + 1, 12)}`)
  const tenant_pbx_id = `test${index + 1}`
  const voice_secret = `whsec_${Buffer.from(`voice secret of workspace ${hex(index + 1, 4)}`).toString("base64")}`
  const policy = { max_concurrent_calls: 1_000, calls_per_second: 1_000, max_calls_per_destination_per_hour: null }
  const data: WorkspaceData = {
    id,
    name,
    status: "active",
    currency,
    tenant_pbx_id,
    gateway_id: toGatewayId("default"),
    voice_secret,
    calling_policy: { ...policy, ...calling_policy },
    numbers: numbers.map((number, place) => ({
      id: toNumberId(`0199a000-0000-7000-8001-${hex(index + 1, 6)}${hex(place + 1, 6)}`),
      number,
      status: "active",
      country: countryOf(number),
      outbound_per_min_minor: minute_minor,
      inbound_per_min_minor: inboundMinute_minor,
      routing
    }))
  }
  return { id, name, currency, numbers, balance_minor, tenant_pbx_id, voice_secret, data }
}

export const directoryOf = (tenants: ReadonlyArray<Tenant>, rates: ReadonlyArray<RateOptions>): DirectoryData => {
  const currencies = [...new Set(tenants.map(({ currency }) => currency))]
  const everywhere = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((prefix) => ({
    prefix,
    per_min_minor: minute_minor
  }))
  return {
    workspaces: tenants.map(({ data }) => data),
    rates: currencies.flatMap((currency) =>
      [...everywhere, ...rates].map((rate) => ({ ...rate, class: "normal" as const, currency }))
    )
  }
}
