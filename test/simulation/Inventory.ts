// What is rented by the month: numbers of the platform, which two workspaces claim, and storage. A month of one number
// and of the storage falls due while people call.
import { Effect, Layer } from "effect"
import { type NumberId, toNumberId } from "../../src/domain/BrandedIds.ts"
import { numberState } from "../../src/domain/numbers/StoredNumber.ts"
import { routingOf } from "../../src/domain/numbers/Routing.ts"
import type { NumberData, NumberTerms } from "../../src/domain/numbers/PhoneNumber.ts"
import { ApiKeyReads } from "../../src/domain/ports/access/ApiKeyReads.ts"
import { ChatAppProvider } from "../../src/domain/ports/pbx/ChatAppProvider.ts"
import { NumberReads } from "../../src/domain/ports/numbers/NumberReads.ts"
import { Tokens } from "../../src/domain/ports/access/Tokens.ts"
import { Trunks } from "../../src/domain/ports/pbx/Trunks.ts"
import { freeStorage, storageState } from "../../src/domain/storage/Storage.ts"
import type { MemoryTables } from "../../src/layers/journal/MemoryTables.ts"
import { workspace_id } from "./Customer.ts"

const terms: NumberTerms = {
  currency: "KES",
  monthly_price_minor: 700,
  inbound_per_min_minor: 100,
  outbound_per_min_minor: 300
}

/** By size in MB. */
export const storagePrices = { 5_120: 10_000, 10_240: 20_000, 25_600: 40_000 }
export const storageSizes_gb = [5, 10, 25] as const
const firstTier_mb = 5_120

const digitsOf = (index: number): string => String(index).padStart(2, "0")
const idOf = (index: number): NumberId => toNumberId(`0199a000-0000-7000-8000-0000000001${digitsOf(index)}`)

/** A number that is rented from the beginning. */
export const rentedNumber = idOf(0)
export const freeNumbers: ReadonlyArray<NumberId> = Array.from({ length: 40 }, (_, index) => idOf(index + 1))

const absent = {
  currency: null,
  monthly_price_minor: null,
  inbound_per_min_minor: null,
  outbound_per_min_minor: null,
  claimed_at: null,
  renews_at: null
}

const numberOf = (index: number, rented: Partial<NumberData>): NumberData => ({
  number: `+2542000000${digitsOf(index)}`,
  series_id: null,
  source: "platform",
  country: "KE",
  type: "local",
  locality: null,
  capabilities: ["voice"],
  status: "available",
  workspace_id: null,
  label: null,
  routing: routingOf({}),
  routed_at: 0,
  told: null,
  leaving: [],
  claim: null,
  charge_id: null,
  retry_at: null,
  past_due_since: null,
  suspended_at: null,
  released_at: null,
  sequence: 0,
  ...absent,
  ...rented
})

export interface Due {
  readonly began_at: number
  /** When the month of the number is over. */
  readonly number_at: number
  /** When the month of the storage is over. Undefined: the storage is free. */
  readonly storage_at: number | undefined
}

/** Stores the numbers and the storage as they are before the first engine starts. */
export const stock = (tables: MemoryTables, { began_at, number_at, storage_at }: Due): void => {
  const rented = { ...terms, status: "active", workspace_id, claimed_at: began_at, renews_at: number_at } as const
  for (const [index, actor_id] of [rentedNumber, ...freeNumbers].entries()) {
    const isRented = actor_id === rentedNumber
    const data = numberOf(index, isRented ? rented : {})
    const snapshot = { version: 1, state: numberState.write(data), columns: { status: data.status } }
    const alarm = isRented ? number_at : null
    tables.write({ actor_type: "Number", actor_id, workspace_id: data.workspace_id, snapshot, alarm }, began_at)
  }
  if (storage_at === undefined) return
  const { [firstTier_mb]: price_minor } = storagePrices
  const paid = { tier_mb: firstTier_mb, price_minor, currency: "KES", renews_at: storage_at } as const
  const state = storageState.write({ ...freeStorage(workspace_id), ...paid })
  const snapshot = { version: 1, state, columns: {} }
  tables.write({ actor_type: "Storage", actor_id: workspace_id, workspace_id, snapshot, alarm: storage_at }, began_at)
}

export const numberReads = (tables: MemoryTables) =>
  Layer.mock(NumberReads)({
    offer: (id) =>
      Effect.sync(() => {
        const row = tables.snapshot("Number", id)
        if (row === undefined) return undefined
        const { number, status } = JSON.parse(row.state) as NumberData
        return { status, number, terms }
      })
  })

/** What the numbers and workspaces of a simulation never ask for. */
export const unasked = Layer.mergeAll(
  Layer.mock(ApiKeyReads)({}),
  Layer.mock(ChatAppProvider)({}),
  Layer.succeed(Tokens)({ random: () => "", hash: () => "", sign: () => "", read: () => undefined }),
  Layer.mock(Trunks)({})
)
