import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  CallNotFound,
  RecordingExpired,
  RecordingFailed,
  RecordingNotFound,
  RecordingProcessing
} from "../../domain/errors/CallErrors.ts"
import { BadRequest, RangeNotSatisfiable } from "../../domain/errors/GeneralErrors.ts"
import { RecordingRecord, RecordingStatus } from "../../domain/recordings/RecordingRecord.ts"
import { CallRef, idOf } from "../request/CallRef.ts"
import { FilterInstant } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { CallId, RecordingId } from "../../domain/BrandedIds.ts"
import { customerEndpoints, plainEndpoints } from "./Endpoints.ts"

const LinkedRecording = Schema.Struct({
  ...RecordingRecord.fields,
  download_url: Schema.NullOr(Schema.String).annotate({
    description:
      "Link to the audio. Valid for 15 minutes, needs no API key. Each issued link is recorded in the audit log."
  }),
  download_url_expires_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LinkedRecording" })

const params = { id: CallRef }
const query = {
  recording_id: Schema.optionalKey(
    idOf(RecordingId).pipe(
      Schema.annotateEncoded({ description: "Selects one of several recordings. Default: the newest available." })
    )
  )
}

const endpoint = customerEndpoints({ read: { scope: "recordings.read" }, write: { scope: "recordings.write" } })
const linked = plainEndpoints()

export class RecordingsApi extends HttpApiGroup.make("recordings")
  .add(
    endpoint.list("list", "/v1/recordings", {
      summary: "List recordings",
      description: "Newest first, including expired and deleted recordings.",
      query: {
        status: Schema.optionalKey(RecordingStatus),
        call_id: Schema.optionalKey(idOf(CallId)),
        created_after: Schema.optionalKey(FilterInstant),
        created_before: Schema.optionalKey(FilterInstant)
      },
      success: RecordingRecord,
      errors: [RecordingFailed]
    }),
    endpoint.get("get", "/v1/calls/:id/recording", {
      summary: "Read a call's recording",
      description:
        "Responds with 409 while the recording is in progress or being processed, " +
        "and with 410 once it has been removed; `reason` says why.",
      params,
      query,
      success: LinkedRecording,
      errors: [BadRequest, CallNotFound, RecordingNotFound, RecordingProcessing, RecordingExpired, RecordingFailed]
    }),
    endpoint.get("download", "/v1/calls/:id/recording/download", {
      summary: "Download a call's recording",
      description: "Redirects to a link to the audio. The link is valid for 15 minutes and needs no API key.",
      params,
      query,
      success: HttpApiSchema.Empty(302).annotate({ description: "`Location` is the link to the audio." }),
      errors: [BadRequest, CallNotFound, RecordingNotFound, RecordingProcessing, RecordingExpired, RecordingFailed]
    }),
    endpoint.remove("delete", "/v1/calls/:id/recording", {
      summary: "Delete a call's recording",
      description: "Deletes the audio and invalidates its links at once. The metadata remains.",
      params,
      query,
      success: HttpApiSchema.NoContent,
      errors: [BadRequest, CallNotFound, RecordingNotFound, RecordingProcessing, RecordingExpired, RecordingFailed]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Recordings", description: "Recordings of calls." })) {}

const Wav = HttpApiSchema.StreamUint8Array({ contentType: "audio/wav" })

export class RecordingAudioApi extends HttpApiGroup.make("recordingAudio")
  .add(
    linked.get("audio", "/v1/recordings/:id/audio", {
      summary: "Read the audio of a recording",
      description: "The target of download links. Needs no authentication beyond the link. Supports byte ranges.",
      params: { id: idOf(RecordingId) },
      query: { token: Schema.String.check(Schema.isMaxLength(1024)) },
      headers: {
        range: Schema.optionalKey(Schema.String).annotate({
          description: "A single byte range (RFC 9110, section 14)."
        }),
        "if-range": Schema.optionalKey(Schema.String)
      },
      success: [Wav, HttpApiSchema.Empty(206).annotate({ description: "The requested part of the audio." })],
      errors: [
        BadRequest,
        RecordingNotFound,
        RecordingProcessing,
        RecordingExpired,
        RangeNotSatisfiable,
        RecordingFailed
      ]
    })
  )
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Audio", description: "The targets of download links." })) {}
