// Ids for tests: any text, with the brand that the code asks for.
import {
  toApiKeyId,
  toCallId,
  toGatewayId,
  toNumberId,
  toRecordingId,
  toSubscriptionId,
  toTopUpId,
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
