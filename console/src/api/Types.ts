// The records of the API, as the contract declares them. Types alone: nothing of the engine is bundled.
export type { SessionView } from "../../../src/domain/access/AuthRecords.ts"
export type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
export type { CallStats } from "../../../src/domain/calls/views/CallStats.ts"
export type { ChargeBreakdown } from "../../../src/domain/calls/views/ChargeBreakdown.ts"
export type { DestinationCheck } from "../../../src/domain/calls/policy/DestinationCheck.ts"
export type { Timeline } from "../../../src/domain/calls/views/Timeline.ts"
export type { TimelineEntry } from "../../../src/domain/calls/views/TimelineEntry.ts"
export type { CallerIdRecord as CallerId } from "../../../src/domain/callerids/CallerIdRecord.ts"
export type { NumberRecord } from "../../../src/domain/numbers/NumberRecord.ts"
export type { WalletBalance } from "../../../src/domain/wallet/WalletBalance.ts"
export type { SubscriptionRecord } from "../../../src/domain/webhooks/SubscriptionRecord.ts"
export type { WorkspaceRecord } from "../../../src/domain/workspace/WorkspaceRecord.ts"
export type { HoldRecord } from "../../../src/domain/wallet/HoldRecord.ts"
export type { StatementEntry } from "../../../src/domain/wallet/StatementEntry.ts"
export type { TopUpRecord } from "../../../src/domain/topups/TopUpRecord.ts"
export type { ListedDelivery } from "../../../src/domain/webhooks/DeliveryRecord.ts"
export type { ApiKeyRecord } from "../../../src/domain/access/ApiKeyRecord.ts"
export type {
  AvailableNumber,
  ChatAppCallSettings,
  ChatAppCallSettingsShown,
  ChatAppTrunk,
  NumberRoutingChange,
  NumberRoutingView,
  SipCredential,
  SipCredentialWithPassword,
  SipTrunk,
  WebhookDeliveryWithBody
} from "../../../src/client/generated/Types.ts"
export type {
  AuditEntry,
  AuditVerdict,
  CallingPolicy,
  ChangedStorage,
  Gateway,
  Invitation,
  LinkedRecording,
  Member,
  Provider,
  Rate,
  RateRequest,
  Recording,
  Role,
  Series,
  SessionRow,
  Storage,
  SuspendedPayment,
  Workspace
} from "../../../src/client/generated/Types.ts"
