// The ports that PostgreSQL implements. The journal is not among them: a composition measures it first.
import { Layer } from "effect"
import { CarrierData } from "../../../domain/ports/numbers/CarrierData.ts"
import { ChangeFeed } from "../cache/ChangeFeed.ts"
import * as PgDirectory from "../cache/PgDirectory.ts"
import * as SharedCounts from "../cache/SharedCounts.ts"
import * as CallBlocks from "../calls/CallBlocks.ts"
import * as CallHistory from "../calls/CallHistory.ts"
import * as CallReads from "../calls/CallReads.ts"
import * as CallStatistics from "../calls/CallStatistics.ts"
import * as PgLiveCalls from "../calls/PgLiveCalls.ts"
import * as PgDenyList from "../people/PgDenyList.ts"
import * as PgKeyUse from "../people/PgKeyUse.ts"
import * as PgSandboxCalls from "../people/PgSandboxCalls.ts"
import * as PgSessions from "../people/PgSessions.ts"
import * as PgSignIns from "../people/PgSignIns.ts"
import * as ApiKeyReads from "../reads/ApiKeyReads.ts"
import * as AuditReads from "../reads/AuditReads.ts"
import * as BillingReads from "../reads/BillingReads.ts"
import * as Charges from "../reads/Charges.ts"
import * as ConferenceReads from "../reads/ConferenceReads.ts"
import * as CredentialReads from "../reads/CredentialReads.ts"
import * as DeliveryReads from "../reads/DeliveryReads.ts"
import * as EventLog from "../reads/EventLog.ts"
import * as GatewayTenants from "../reads/GatewayTenants.ts"
import * as IncomingPaymentReferences from "../reads/IncomingPaymentReferences.ts"
import * as NumberReads from "../reads/NumberReads.ts"
import * as PgIdempotency from "../reads/PgIdempotency.ts"
import * as ProviderStore from "../reads/ProviderStore.ts"
import * as RateTable from "../reads/RateTable.ts"
import * as RecordingReads from "../reads/RecordingReads.ts"
import * as SeriesStore from "../reads/SeriesStore.ts"
import * as StoragePrices from "../reads/StoragePrices.ts"
import * as StorageReads from "../reads/StorageReads.ts"
import * as SubscriptionReads from "../reads/SubscriptionReads.ts"
import * as TopUpLimitTable from "../reads/TopUpLimitTable.ts"
import * as TopUpReads from "../reads/TopUpReads.ts"
import * as TrunkReads from "../reads/TrunkReads.ts"
import * as Trunks from "../reads/Trunks.ts"
import * as WalletReads from "../reads/WalletReads.ts"
import * as WorkspaceReads from "../reads/WorkspaceReads.ts"
import * as SealedRows from "./SealedRows.ts"

const callPorts = Layer.mergeAll(
  PgLiveCalls.layer,
  CallReads.layer,
  CallStatistics.layer,
  CallBlocks.layer,
  CallHistory.layer,
  Charges.layer,
  ConferenceReads.layer,
  RecordingReads.layer,
  StorageReads.layer,
  StoragePrices.layer,
  PgSandboxCalls.layer.pipe(Layer.provideMerge(SharedCounts.layer))
)

const moneyPorts = Layer.mergeAll(
  WalletReads.layer,
  BillingReads.layer,
  TopUpReads.layer,
  TopUpLimitTable.layer,
  IncomingPaymentReferences.layer
)

const numberPorts = Layer.mergeAll(
  NumberReads.layer,
  RateTable.layer,
  SeriesStore.layer,
  ProviderStore.layer,
  Trunks.layer,
  TrunkReads.layer,
  CredentialReads.layer,
  GatewayTenants.layer,
  CarrierData.none
)

const accountPorts = Layer.mergeAll(
  PgDirectory.layer,
  PgDenyList.layer,
  PgKeyUse.layer,
  PgIdempotency.layer,
  PgSignIns.layer,
  ApiKeyReads.layer,
  AuditReads.layer,
  WorkspaceReads.layer
)

const webhookPorts = Layer.mergeAll(EventLog.layer, DeliveryReads.layer, SubscriptionReads.layer)

export interface PostgresPortsOptions {
  /** The e-mail addresses of operators, in lower case. */
  readonly operators: ReadonlySet<string>
  /** The id of the current master key if it replaced another one. */
  readonly replaced_key: string | undefined
}

export const postgresPorts = ({ operators, replaced_key }: PostgresPortsOptions) =>
  Layer.mergeAll(
    callPorts,
    moneyPorts,
    numberPorts,
    accountPorts,
    webhookPorts,
    PgSessions.layer(operators),
    SealedRows.layer(replaced_key)
  ).pipe(Layer.provide(ChangeFeed.layer))
