// `POST /v1/webhooks/pbx/events`: what a PBX reports, for gateways that take their commands elsewhere.
import { ByteSize, Clock, Effect, Result } from "effect"
import { HttpIncomingMessage, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Ingested, PbxIngest } from "../../actors/ingest/PbxIngest.ts"
import { ApiKeyInvalid } from "../../domain/errors/ApiKeyErrors.ts"
import { toEnvelope } from "../../domain/errors/Envelope.ts"
import { type Failure } from "../../domain/errors/Failure.ts"
import {
  PbxBodyReadFailed,
  PbxIngestFailed,
  PbxPayloadDecodeFailed,
  PbxResolveFailed
} from "../../domain/errors/PbxErrors.ts"
import { eventsMax } from "../../domain/pbx/Frame.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import { PbxAuth } from "../../domain/ports/pbx/PbxAuth.ts"
import { parseJson } from "../request/JsonBody.ts"
import { answerFailure } from "../request/AnswerFailure.ts"
import { decodeEvent, notAdmitted } from "./PbxIngressAuth.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { makeDeadline, RequestTimeout, RequestTookTooLong } from "../request/RequestDeadline.ts"
import { RequestId } from "../request/RequestId.ts"

const bodyMax = ByteSize.kibibytes(256)

class BodyTooLarge extends PbxBodyReadFailed {}

const readBody = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.mapError(request.arrayBuffer, ({ reason }: HttpServerError.HttpServerError) =>
    reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
      ? new BodyTooLarge({ message: "The body is larger than 256 KiB." })
      : new PbxBodyReadFailed()
  ).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyMax))

const notAnArray = new PbxPayloadDecodeFailed({
  details: [{ field: "/events", code: "invalid", message: `Expected an array of 1 to ${eventsMax} events.` }]
})

/** One event, or `{events: […]}`; the faults of all of them at once. */
const decodeBody = (document: unknown): Result.Result<ReadonlyArray<PbxEvent>, PbxPayloadDecodeFailed> => {
  const batch = typeof document === "object" && document !== null && "events" in document ? document.events : undefined
  if (batch === undefined) return Result.map(decodeEvent(document, ""), (event) => [event])
  if (!Array.isArray(batch) || batch.length === 0 || batch.length > eventsMax) return Result.fail(notAnArray)
  const decoded = batch.map((value, index) => decodeEvent(value, `/events/${index}`))
  const details = decoded.flatMap((each) => (Result.isFailure(each) ? (each.failure.details ?? []) : []))
  return details.length === 0
    ? Result.succeed(decoded.flatMap((each) => (Result.isSuccess(each) ? [each.success] : [])))
    : Result.fail(new PbxPayloadDecodeFailed({ details }))
}

const receipt = ({ accepted, away, duplicate, failed, ignored_late, refused, taken, unresolved }: Ingested) => {
  if (unresolved) return Effect.fail(new PbxResolveFailed(away && { away, retry_after_seconds: 1 }))
  if (failed.length > 0) return Effect.fail(new PbxIngestFailed())
  if (taken.length === 0 && refused[0] !== undefined) return Effect.fail(refused[0].failure)
  return Effect.succeed(
    HttpServerResponse.jsonUnsafe(
      {
        accepted,
        duplicate,
        ignored_late,
        ...(refused.length > 0 && {
          refused: refused.map(({ event_id, failure: { _tag: code, message } }) => ({ event_id, code, message }))
        })
      },
      { status: 202 }
    )
  )
}

const receive = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const auth = yield* PbxAuth
  const { authorization, "x-pbx-signature": signature } = request.headers
  const bearer = auth.admit(authorization)
  if (bearer === undefined) return yield* notAdmitted(authorization)
  yield* (yield* RateLimits).count("pbx_ingest", "")
  const body = yield* readBody(request)
  if (!bearer.signed(signature, new Uint8Array(body), yield* Clock.currentTimeMillis)) {
    return yield* new ApiKeyInvalid({
      message: "X-Pbx-Signature is missing, too old, or not of this body.",
      resolution: "Sign the raw body, a dot and the Unix time: X-Pbx-Signature: t=<time>,v1=<hex HMAC-SHA256>."
    })
  }
  const document = yield* Effect.fromResult(
    Result.mapError(
      parseJson(body),
      ({ details, message }) => new PbxPayloadDecodeFailed({ message, ...(details && { details }) })
    )
  )
  const events = yield* Effect.fromResult(decodeBody(document))
  const ingest = yield* PbxIngest
  return yield* receipt(yield* ingest.ingest(bearer.identity, events))
})

/** 413 is this route's only status that does not go by the code. */
const refusal = (failure: Failure) =>
  failure instanceof BodyTooLarge
    ? Effect.map(RequestId, (request_id) =>
        HttpServerResponse.jsonUnsafe(toEnvelope(failure, request_id), { status: 413 })
      )
    : answerFailure(failure)

/** Events that are not stored in time are requested again. A second time they are duplicates. */
const late = new PbxIngestFailed({
  message: "The events could not be stored in time. It is not known whether they will be."
})

/** Takes the events within the deadline of requests. */
export const receivePbxEvents = Effect.fnUntraced(function* () {
  const { timeout_ms } = yield* RequestTimeout
  const withDeadline = yield* makeDeadline(timeout_ms)
  return withDeadline(receive, "POST").pipe(
    Effect.catch((error) => refusal(error instanceof RequestTookTooLong ? late : error))
  )
})
