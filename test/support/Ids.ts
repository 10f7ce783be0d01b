// Ids for tests: any text, with the brand that the code asks for.
import {
  toApiKeyId,
  toCallId,
  toCredentialId,
  toGatewayId,
  toNumberId,
  toPbxTrunkId,
  toRecordingId,
  toSubscriptionId,
  toTopUpId,
  toTrunkId,
  toUserId,
  toWorkspaceId
} from "../../src/domain/BrandedIds.ts"

export const workspaceId = toWorkspaceId
export const callId = toCallId
export const numberId = toNumberId
export const subscriptionId = toSubscriptionId
export const gatewayId = toGatewayId
export const apiKeyId = toApiKeyId
export const topUpId = toTopUpId
export const recordingId = toRecordingId
export const credentialId = toCredentialId
export const trunkId = toTrunkId
export const pbxTrunkId = toPbxTrunkId
export const userId = toUserId
