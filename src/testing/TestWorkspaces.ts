// The workspaces of a test: their numbers, prices and money.
import { getCountryCallingCode, type CountryCode } from "libphonenumber-js"
import { type NumberId, toGatewayId, toNumberId, toWorkspaceId, type WorkspaceId } from "../domain/BrandedIds.ts"
import type { CallingPolicy } from "../domain/calls/policy/CallingPolicy.ts"
import { type NumberData, type NumberFacts, unclaimed } from "../domain/numbers/PhoneNumber.ts"
import { recordNumber } from "../domain/numbers/RecordNumber.ts"
import { type Routing, routingOf } from "../domain/numbers/Routing.ts"
import type { Vault } from "../domain/ports/engine/Vault.ts"
import type { Currency } from "../domain/wallet/Currency.ts"
import { recordWorkspace } from "../domain/workspace/RecordWorkspace.ts"
import { voiceSecretBound } from "../domain/workspace/VoiceSecret.ts"
import { changeFacts, founded } from "../domain/workspace/Workspace.ts"
import type { MemoryJournal } from "../layers/journal/MemoryJournal.ts"

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
  readonly calling_policy: Partial<CallingPolicy>
  readonly routing: Partial<Routing>
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
  return {
    id,
    name,
    currency,
    numbers,
    balance_minor,
    tenant_pbx_id,
    voice_secret,
    calling_policy: { ...policy, ...calling_policy },
    routing
  }
}

/** Prices of a minute in every currency of the workspaces. */
export const ratesOf = (tenants: ReadonlyArray<Tenant>, rates: ReadonlyArray<RateOptions>) => {
  const currencies = [...new Set(tenants.map(({ currency }) => currency))]
  const everywhere = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((prefix) => ({
    prefix,
    per_min_minor: minute_minor
  }))
  return currencies.flatMap((currency) =>
    [...everywhere, ...rates].map((rate) => ({ ...rate, class: "normal" as const, currency }))
  )
}

interface Stock {
  readonly journal: MemoryJournal
  readonly vault: Vault["Service"]
  /** Epoch milliseconds. */
  readonly at: number
}

const nothingHappened = { steps: [], events: [], uuid: () => "" }

const writeWorkspace = ({ at, journal, vault }: Stock, tenant: Tenant): void => {
  const { calling_policy, currency, id, name, tenant_pbx_id, voice_secret } = tenant
  const founding = {
    name,
    currency,
    tenant_pbx_id,
    gateway_id: toGatewayId("default"),
    voice_secret: vault.seal(voice_secret, voiceSecretBound(id)),
    calling_policy
  }
  const facts = changeFacts(founded(founding, at), { _tag: "WalletOpened" })
  const { columns, state, workspace_id } = recordWorkspace({ after: { id, facts }, ...nothingHappened })
  const snapshot = { version: 1, state, columns }
  journal.tables.write({ actor_type: "Workspace", actor_id: id, workspace_id, snapshot }, at)
}

const writeNumber = ({ at, journal }: Stock, id: NumberId, data: NumberData): void => {
  const after = { _tag: "Present" as const, id, data }
  const { columns, state, workspace_id } = recordNumber({ id, before: after, after, now: at, ...nothingHappened })
  const snapshot = { version: 1, state, columns }
  journal.tables.write({ actor_type: "Number", actor_id: id, workspace_id, snapshot }, at)
}

const factsOf = (number: string): NumberFacts => ({
  number,
  series_id: null,
  source: "platform",
  country: countryOf(number),
  type: "mobile",
  locality: null,
  capabilities: ["voice"]
})

/** A number that the workspace has without rent. */
const ownedBy = ({ currency, id, routing }: Tenant, number: string, claimed_at: number): NumberData => ({
  ...unclaimed(factsOf(number)),
  status: "active",
  workspace_id: id,
  currency,
  monthly_price_minor: 0,
  inbound_per_min_minor: inboundMinute_minor,
  outbound_per_min_minor: minute_minor,
  routing: routingOf(routing),
  claimed_at
})

/** Stores the workspaces, their numbers, and numbers that can be claimed, as they are before the engine starts. */
export const stock = (to: Stock, tenants: ReadonlyArray<Tenant>, inventory: ReadonlyArray<string>): void => {
  for (const [index, tenant] of tenants.entries()) {
    writeWorkspace(to, tenant)
    for (const [place, number] of tenant.numbers.entries()) {
      const id = toNumberId(`0199a000-0000-7000-8001-${hex(index + 1, 6)}${hex(place + 1, 6)}`)
      writeNumber(to, id, ownedBy(tenant, number, to.at))
    }
  }
  for (const [place, number] of inventory.entries())
    writeNumber(to, toNumberId(`0199a000-0000-7000-8003-${hex(place + 1, 12)}`), unclaimed(factsOf(number)))
}
