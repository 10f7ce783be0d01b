import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CallId, ConferenceId } from "../../domain/BrandedIds.ts"
import { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import { ConferenceName } from "../../domain/conferences/ConferenceAction.ts"
import { ParticipantChange } from "../../domain/conferences/ConferenceCommand.ts"
import { ConferenceStatus } from "../../domain/conferences/Conference.ts"
import { ConferenceRecord, ParticipantRecord } from "../../domain/conferences/ConferenceRecord.ts"
import { AnnouncementRequest, ParticipantRequest } from "../../domain/conferences/ConferenceRequests.ts"
import {
  CallActionUnsupported,
  CallConcurrencyLimitReached,
  CallDestinationRefused,
  CallGatewayUnavailable,
  CallInvalidCallbackUrl,
  CallInvalidDestination,
  CallRateLimited,
  CallSpendLimitReached
} from "../../domain/errors/CallErrors.ts"
import {
  ConferenceEnded,
  ConferenceNotFound,
  ConferenceReadFailed,
  ParticipantNotFound
} from "../../domain/errors/ConferenceErrors.ts"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { WalletInsufficientFunds, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { WebhookDispatcherUnavailable, WebhookLimitReached } from "../../domain/errors/WebhookErrors.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { idOf } from "../request/CallRef.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { ListOf, paging } from "../request/Pagination.ts"
import { responses } from "../request/Responses.ts"

const ofConference = { id: idOf(ConferenceId) }
const ofParticipant = { ...ofConference, call_id: idOf(CallId) }
const rules = { whenIdMalformed: ConferenceNotFound, whenReadFails: ConferenceReadFailed }

const list = HttpApiEndpoint.get("list", "/v1/conferences", {
  query: {
    ...paging,
    status: Schema.optionalKey(ConferenceStatus),
    name: Schema.optionalKey(ConferenceName)
  },
  success: ListOf(ConferenceRecord),
  error: responses(BadRequest, InvalidCursor, ConferenceReadFailed)
})
  .annotate(EndpointPolicy, { scope: "calls.read", whenReadFails: ConferenceReadFailed })
  .annotateMerge(
    OpenApi.annotations({ summary: "List conferences", description: "Newest first, with those that have ended." })
  )

const get = HttpApiEndpoint.get("get", "/v1/conferences/:id", {
  params: ofConference,
  success: ConferenceRecord,
  error: responses(ConferenceNotFound, ConferenceReadFailed)
})
  .annotate(EndpointPolicy, { scope: "calls.read", ...rules })
  .annotateMerge(
    OpenApi.annotations({ summary: "Read a conference", description: "With the calls that take part now." })
  )

const dialIn = HttpApiEndpoint.post("dialIn", "/v1/conferences/:id/participants", {
  params: ofConference,
  headers: idempotencyHeader,
  payload: ParticipantRequest,
  success: HttpApiSchema.WithHeaders(CallRecord, {
    location: Schema.String.annotate({ description: "The URL of the call." })
  }).pipe(HttpApiSchema.status(201)),
  error: responses(
    ConferenceNotFound,
    ConferenceEnded,
    ConferenceReadFailed,
    WalletInsufficientFunds,
    CallSpendLimitReached,
    CallInvalidDestination,
    CallDestinationRefused,
    CallInvalidCallbackUrl,
    CallActionUnsupported,
    CallConcurrencyLimitReached,
    CallRateLimited,
    CallGatewayUnavailable,
    NumberNotFound,
    NumberNotActive,
    WalletNotFound,
    WebhookLimitReached,
    WebhookDispatcherUnavailable,
    BadRequest
  )
})
  .annotate(EndpointPolicy, { scope: "calls.write", role: "member", shed: "calls", ...rules })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Call somebody into a conference",
      description: "Places a call that joins when it is answered. It is charged as any call."
    })
  )
  .middleware(JsonWrite)

const change = HttpApiEndpoint.patch("change", "/v1/conferences/:id/participants/:call_id", {
  params: ofParticipant,
  payload: ParticipantChange,
  success: ParticipantRecord,
  error: responses(BadRequest, ConferenceNotFound, ParticipantNotFound, ConferenceEnded)
})
  .annotate(EndpointPolicy, { scope: "calls.write", role: "member", ...rules })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change a participant",
      description: "Mutes, deafens or holds it, or lets it speak to one participant alone. Members left out stay."
    })
  )
  .middleware(JsonWrite)

const remove = HttpApiEndpoint.delete("remove", "/v1/conferences/:id/participants/:call_id", {
  params: ofParticipant,
  success: HttpApiSchema.NoContent,
  error: responses(ConferenceNotFound, ParticipantNotFound, ConferenceEnded)
})
  .annotate(EndpointPolicy, { scope: "calls.write", role: "member", ...rules })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Remove a participant",
      description: "The call goes on with its next action, or ends if it has none."
    })
  )

const announce = HttpApiEndpoint.post("announce", "/v1/conferences/:id/announce", {
  params: ofConference,
  headers: idempotencyHeader,
  payload: AnnouncementRequest,
  success: HttpApiSchema.Empty(202),
  error: responses(BadRequest, ConferenceNotFound, ParticipantNotFound, ConferenceEnded)
})
  .annotate(EndpointPolicy, { scope: "calls.write", role: "member", ...rules })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Announce something",
      description:
        "Says a text or plays a sound to all participants, or to one. A new announcement follows the one before it."
    })
  )
  .middleware(JsonWrite)

const end = HttpApiEndpoint.post("end", "/v1/conferences/:id/end", {
  params: ofConference,
  headers: idempotencyHeader,
  success: ConferenceRecord,
  error: responses(ConferenceNotFound)
})
  .annotate(EndpointPolicy, { scope: "calls.write", role: "member", ...rules })
  .annotateMerge(
    OpenApi.annotations({
      summary: "End a conference",
      description: "Each call goes on with its next action. A conference that has ended stays as it is."
    })
  )
  .middleware(JsonWrite)

export class ConferencesApi extends HttpApiGroup.make("conferences")
  .add(list, get, dialIn, change, remove, announce, end)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Conferences", description: "Calls that hear each other." })) {}
