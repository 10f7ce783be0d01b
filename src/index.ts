/**
 * The engine as a library: the whole engine as one layer, its doors, and the verifier of its webhooks.
 * `trunkline/testing` has an engine in memory for tests.
 */
export type { Terminated } from "./actors/CallChanges.ts"
export { Calls } from "./actors/Calls.ts"
export { PbxIngest } from "./actors/PbxIngest.ts"
export { Webhooks } from "./actors/Webhooks.ts"
export { CallRecord } from "./domain/calls/CallRecord.ts"
export { OriginateRequest } from "./domain/calls/OriginateRequest.ts"
export { VoiceAction, VoiceActions } from "./domain/calls/VoiceAction.ts"
export { Catalog } from "./domain/errors/Catalog.ts"
export { Failure } from "./domain/errors/Failure.ts"
export { PbxCommand } from "./domain/pbx/PbxCommand.ts"
export { PbxEvent } from "./domain/pbx/PbxEvent.ts"
export { Api } from "./http/Api.ts"
export { Embedded } from "./layers/Embedded.ts"
export { type SignedWebhook, type Verification, verifyWebhook } from "./layers/http-client/VerifyWebhook.ts"
export { Settings } from "./layers/Settings.ts"
