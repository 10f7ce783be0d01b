/**
 * The engine as a library: the whole engine as one layer, its services, and the verifier of its webhooks.
 * `trunkline/testing` has an engine in memory for tests.
 */
export type { Terminated } from "./actors/calls/CallChanges.ts"
export { Calls } from "./actors/calls/Calls.ts"
export { PbxIngest } from "./actors/ingest/PbxIngest.ts"
export { Webhooks } from "./actors/webhooks/Webhooks.ts"
export {
  toApiKeyId,
  toCallId,
  toCredentialId,
  toGatewayId,
  toNumberId,
  toPbxTrunkId,
  toRecordingId,
  toSessionId,
  toSubscriptionId,
  toTopUpId,
  toTrunkId,
  toUserId,
  toWorkspaceId
} from "./domain/BrandedIds.ts"
export { CallRecord } from "./domain/calls/state/CallRecord.ts"
export { OriginateRequest } from "./domain/calls/verbs/OriginateRequest.ts"
export { VoiceAction, VoiceActions } from "./domain/calls/verbs/VoiceAction.ts"
export { Catalog } from "./domain/errors/Catalog.ts"
export { Failure } from "./domain/errors/Failure.ts"
export { PbxCommand } from "./domain/pbx/PbxCommand.ts"
export { PbxEvent } from "./domain/pbx/PbxEvent.ts"
export { Api } from "./http/api/Api.ts"
export { Engine as Embedded } from "./app/Engine.ts"
export { type SignedBody, type Verification, verifySignature } from "./layers/http-client/VerifySignature.ts"
export { Settings } from "./app/Settings.ts"
