import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Audio, Recordings } from "../../actors/recordings/Recordings.ts"
import { RangeNotSatisfiable } from "../../domain/errors/GeneralErrors.ts"
import { RecordingReads } from "../../domain/ports/calls/RecordingReads.ts"
import { byteRange } from "../../domain/recordings/ByteRange.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { RequestId } from "../request/RequestId.ts"
import { requestOrigin } from "../request/RequestOrigin.ts"
import { failureResponse } from "../request/FailureResponse.ts"
import type { CallRef, RecordingId } from "../../domain/BrandedIds.ts"

const recordingRef = (request: {
  readonly params: { readonly id: CallRef }
  readonly query: { readonly recording_id?: RecordingId }
}) => Effect.map(CurrentPrincipal, ({ workspace_id }) => ({ workspace_id, call: request.params.id, ...request.query }))

export const RecordingsHandlers = group(
  Api,
  "recordings",
  Effect.fnUntraced(function* (handlers) {
    const recordings = yield* Recordings
    const reads = yield* RecordingReads
    return handlers.handleAll({
      get: Effect.fnUntraced(function* (request) {
        return yield* recordings.ofCall(yield* recordingRef(request), yield* requestOrigin)
      }),
      download: Effect.fnUntraced(function* (request) {
        const location = yield* recordings.link(yield* recordingRef(request), yield* requestOrigin)
        return HttpServerResponse.empty({ status: 302, headers: { location, "cache-control": "no-store" } })
      }),
      delete: Effect.fnUntraced(function* (request) {
        yield* recordings.remove(yield* recordingRef(request), yield* requestOrigin)
      }),
      list: Effect.fnUntraced(function* ({ query: { limit: _limit, cursor: _cursor, ...filter }, query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "recordings", workspace_id, ...filter },
          read: (after, limit) => reads.list(workspace_id, filter, after, limit),
          sort: (recording) => Date.parse(recording.created_at)
        })
      })
    })
  })
)

/** Headers of every audio response. The link is a secret, so shared caches must not store the response. */
const headersOf = ({ record }: Audio) => ({
  "accept-ranges": "bytes",
  "cache-control": "private, no-store",
  "content-disposition": `attachment; filename="${record.id}.wav"`,
  etag: `"${record.sha256}"`
})

const serve = Effect.fnUntraced(function* (
  audio: Audio,
  requested: { readonly range?: string; readonly "if-range"?: string }
) {
  const { read, size_bytes } = audio
  const headers = headersOf(audio)
  const rangeApplies = requested["if-range"] === undefined || requested["if-range"] === headers.etag
  const range = byteRange(rangeApplies ? requested.range : undefined, size_bytes)
  if (range === "unsatisfiable") {
    const refusal = failureResponse(new RangeNotSatisfiable(), yield* RequestId)
    return HttpServerResponse.setHeader(refusal, "content-range", `bytes */${size_bytes}`)
  }
  const { end, start } = range === "whole" ? { start: 0, end: size_bytes } : range
  return HttpServerResponse.stream(yield* read({ start, end }), {
    status: range === "whole" ? 200 : 206,
    contentType: "audio/wav",
    contentLength: end - start,
    headers: range === "whole" ? headers : { ...headers, "content-range": `bytes ${start}-${end - 1}/${size_bytes}` }
  })
})

export const RecordingAudioHandlers = group(
  Api,
  "recordingAudio",
  Effect.fnUntraced(function* (handlers) {
    const recordings = yield* Recordings
    return handlers.handleAll({
      audio: Effect.fnUntraced(function* ({ headers, params, query }) {
        return yield* serve(yield* recordings.open(params.id, query.token), headers)
      })
    })
  })
)
