import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  CallNotFound,
  RecordingExpired,
  RecordingFailed,
  RecordingNotFound,
  RecordingProcessing
} from "../../domain/errors/CallErrors.ts"
import { BadRequest, InvalidCursor, RangeNotSatisfiable } from "../../domain/errors/GeneralErrors.ts"
import { RecordingRecord, RecordingStatus } from "../../domain/recordings/RecordingRecord.ts"
import { CallRef, idOf } from "../request/CallRef.ts"
import { FilterInstant, ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { CallId, RecordingId } from "../../domain/BrandedIds.ts"

const LinkedRecording = Schema.Struct({
  ...RecordingRecord.fields,
  download_url: Schema.NullOr(Schema.String).annotate({
    description:
      "Link to the audio. Valid for 15 minutes, needs no API key. Each issued link is recorded in the audit log."
  }),
  download_url_expires_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LinkedRecording" })

const ofCall = {
  params: { id: CallRef },
  query: {
    recording_id: Schema.optionalKey(idOf(RecordingId)).annotate({
      description: "Selects one of several recordings. Default: the newest available."
    })
  }
}
const rules = { whenIdMalformed: CallNotFound, whenReadFails: RecordingFailed }

const get = HttpApiEndpoint.get("get", "/v1/calls/:id/recording", {
  ...ofCall,
  success: LinkedRecording,
  error: responses(BadRequest, CallNotFound, RecordingNotFound, RecordingProcessing, RecordingExpired, RecordingFailed)
})
  .annotate(EndpointPolicy, { scope: "recordings.read", ...rules })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read a call's recording",
      description:
        "Responds with 409 while the recording is in progress or being processed, " +
        "and with 410 once it has been removed; `reason` says why."
    })
  )

const download = HttpApiEndpoint.get("download", "/v1/calls/:id/recording/download", {
  ...ofCall,
  success: HttpApiSchema.Empty(302).annotate({ description: "`Location` is the link to the audio." }),
  error: responses(BadRequest, CallNotFound, RecordingNotFound, RecordingProcessing, RecordingExpired, RecordingFailed)
})
  .annotate(EndpointPolicy, { scope: "recordings.read", ...rules })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Download a call's recording",
      description: "Redirects to a link to the audio. The link is valid for 15 minutes and needs no API key."
    })
  )

const remove = HttpApiEndpoint.delete("delete", "/v1/calls/:id/recording", {
  ...ofCall,
  success: HttpApiSchema.NoContent,
  error: responses(BadRequest, CallNotFound, RecordingNotFound, RecordingProcessing, RecordingExpired, RecordingFailed)
})
  .annotate(EndpointPolicy, { scope: "recordings.write", ...rules })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Delete a call's recording",
      description: "Deletes the audio and invalidates its links at once. The metadata remains."
    })
  )

const list = HttpApiEndpoint.get("list", "/v1/recordings", {
  query: {
    ...paging,
    status: Schema.optionalKey(RecordingStatus),
    call_id: Schema.optionalKey(idOf(CallId)),
    created_after: Schema.optionalKey(FilterInstant),
    created_before: Schema.optionalKey(FilterInstant)
  },
  success: ListOf(RecordingRecord),
  error: responses(BadRequest, InvalidCursor, RecordingFailed)
})
  .annotate(EndpointPolicy, { scope: "recordings.read", whenReadFails: RecordingFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List recordings",
      description: "Newest first, including expired and deleted recordings."
    })
  )

export class RecordingsApi extends HttpApiGroup.make("recordings")
  .add(list, get, download, remove)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Recordings", description: "Recordings of calls." })) {}

const Wav = HttpApiSchema.StreamUint8Array({ contentType: "audio/wav" })

const audio = HttpApiEndpoint.get("audio", "/v1/recordings/:id/audio", {
  params: { id: idOf(RecordingId) },
  query: { token: Schema.String.check(Schema.isMaxLength(1024)) },
  headers: {
    range: Schema.optionalKey(Schema.String).annotate({ description: "A single byte range (RFC 9110, section 14)." }),
    "if-range": Schema.optionalKey(Schema.String)
  },
  success: [Wav, HttpApiSchema.Empty(206).annotate({ description: "The requested part of the audio." })],
  error: responses(
    BadRequest,
    RecordingNotFound,
    RecordingProcessing,
    RecordingExpired,
    RangeNotSatisfiable,
    RecordingFailed
  )
})
  .annotate(EndpointPolicy, { whenIdMalformed: RecordingNotFound, whenReadFails: RecordingFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the audio of a recording",
      description: "The target of download links. Needs no authentication beyond the link. Supports byte ranges."
    })
  )

export class RecordingAudioApi extends HttpApiGroup.make("recordingAudio")
  .add(audio)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Audio", description: "The targets of download links." })) {}
