// The ports of engines in memory, over the tables of a journal.
import { Effect, Layer } from "effect"
import { KeyUse } from "../../domain/ports/access/KeyUse.ts"
import { SandboxCalls } from "../../domain/ports/calls/SandboxCalls.ts"
import { StreamHeaders } from "../../domain/ports/calls/StreamHeaders.ts"
import { CarrierData } from "../../domain/ports/numbers/CarrierData.ts"
import { SealedRows } from "../../domain/ports/engine/SealedRows.ts"
import { SharedCounts } from "../../domain/ports/engine/SharedCounts.ts"
import { InvoiceIssuer } from "../../domain/ports/money/InvoiceIssuer.ts"
import { TopUpLimitTable } from "../../domain/ports/money/TopUpLimitTable.ts"
import type { Rate } from "../../domain/numbers/Rate.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import * as EventSignals from "../journal/EventSignals.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import * as LibPhoneNumber from "../numberplan/LibPhoneNumber.ts"
import * as JournalDirectory from "./JournalDirectory.ts"
import * as MemoryAccountReads from "./MemoryAccountReads.ts"
import * as MemoryBillingReads from "./MemoryBillingReads.ts"
import * as MemoryCallHistory from "./MemoryCallHistory.ts"
import * as MemoryCallStatistics from "./MemoryCallStatistics.ts"
import * as MemoryConferenceReads from "./MemoryConferenceReads.ts"
import * as MemoryCredentialReads from "./MemoryCredentialReads.ts"
import { eventLog } from "./MemoryEventLog.ts"
import * as MemoryIdempotency from "./MemoryIdempotency.ts"
import * as MemoryNumberReads from "./MemoryNumberReads.ts"
import * as MemoryPeople from "./MemoryPeople.ts"
import * as MemoryReads from "./MemoryReads.ts"
import * as MemoryRecordingReads from "./MemoryRecordingReads.ts"
import * as MemoryStorageReads from "./MemoryStorageReads.ts"
import * as MemoryTopUpReads from "./MemoryTopUpReads.ts"
import * as MemoryTrunkReads from "./MemoryTrunkReads.ts"
import * as MemoryWalletReads from "./MemoryWalletReads.ts"
import { deliveryReads, subscriptionReads } from "./MemoryWebhookReads.ts"
import { noOperatorTables } from "./OperatorTables.ts"

/** Monthly price by size in MB, the same number in every currency. */
export type StoragePriceTable = Readonly<Record<string, number>>

/** What calls need. */
export const memoryCallPorts = (journal: MemoryJournal, storage_prices: StoragePriceTable) =>
  Layer.mergeAll(
    MemoryReads.callReads(journal),
    MemoryReads.liveCalls(journal),
    MemoryReads.charges(journal),
    MemoryWalletReads.layer(journal),
    MemoryStorageReads.layer(journal, storage_prices),
    LibPhoneNumber.layer,
    StreamHeaders.none,
    SandboxCalls.none
  )

const limitOf = (currency: Currency) => ({ currency, minimum_minor: 10_000, maximum_minor: 25_000_000 })

const topUpLimits = Layer.succeed(TopUpLimitTable)({
  set: () => Effect.void,
  list: Effect.succeed([]),
  of: (currency) => Effect.succeed(limitOf(currency))
})

const moneyPorts = (journal: MemoryJournal) =>
  Layer.mergeAll(
    MemoryTopUpReads.layer(journal),
    MemoryBillingReads.layer(journal),
    topUpLimits,
    Layer.succeed(InvoiceIssuer)({ name: "Test operator", address: [], tax_number: null })
  )

const accountPorts = (journal: MemoryJournal) =>
  Layer.mergeAll(
    MemoryAccountReads.layer(journal),
    MemoryPeople.layer(journal, new Set()),
    MemoryIdempotency.layer(journal),
    Layer.succeed(KeyUse)({ used: () => {} }),
    SharedCounts.none,
    CarrierData.none,
    Layer.succeed(SealedRows)({
      current: undefined,
      others: () => Effect.succeed([]),
      replacePassword: () => Effect.void
    })
  )

const webhookPorts = (journal: MemoryJournal) =>
  Layer.mergeAll(
    deliveryReads(journal),
    subscriptionReads(journal),
    EventSignals.layer.pipe(Layer.provide(journal.layer), Layer.provideMerge(eventLog(journal)))
  )

export interface MemoryPortsOptions {
  readonly journal: MemoryJournal
  readonly rates: ReadonlyArray<Rate & { readonly currency: string }>
  readonly number_prices: MemoryNumberReads.NumberPrices
  readonly storage_prices: StoragePriceTable
}

/** Every port that PostgreSQL implements for `npm start`. */
export const memoryPorts = ({ journal, number_prices, rates, storage_prices }: MemoryPortsOptions) =>
  Layer.mergeAll(
    memoryCallPorts(journal, storage_prices),
    MemoryCallHistory.layer(journal),
    MemoryCallStatistics.layer(journal),
    MemoryRecordingReads.layer(journal),
    MemoryConferenceReads.layer(journal),
    MemoryNumberReads.layer(journal, number_prices),
    MemoryCredentialReads.layer(journal),
    MemoryTrunkReads.layer(journal),
    JournalDirectory.layer(journal, rates),
    moneyPorts(journal),
    accountPorts(journal),
    webhookPorts(journal),
    noOperatorTables
  )
