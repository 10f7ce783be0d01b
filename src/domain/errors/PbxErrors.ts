import { failure, operationFailure } from "./Failure.ts"

export class PbxBodyReadFailed extends failure(
  "pbx.body_read_failed",
  400,
  "The body could not be read.",
  "Send the events again, in smaller batches if they are large."
) {}

export class PbxPayloadDecodeFailed extends failure(
  "pbx.payload_decode_failed",
  400,
  "The body is not JSON, or not a valid PBX event.",
  "See `details`. Do not send the same body again."
) {}

export class PbxUnknownWorkspace extends failure(
  "pbx.unknown_workspace",
  404,
  "No workspace has this tenant_pbx_id."
) {}

export class PbxResolveFailed extends operationFailure(
  "pbx.resolve_failed",
  "The workspace of this tenant_pbx_id could not be looked up.",
  "Retry with exponential backoff."
) {}

export class PbxIngestFailed extends failure(
  "pbx.ingest_failed",
  503,
  "The events could not be stored.",
  "Send the same events again with exponential backoff; duplicates are ignored.",
  1
) {}

export const PbxErrors = [
  PbxBodyReadFailed,
  PbxPayloadDecodeFailed,
  PbxUnknownWorkspace,
  PbxResolveFailed,
  PbxIngestFailed
] as const
