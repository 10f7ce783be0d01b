import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { WalletInsufficientFunds, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { WebhookDispatcherUnavailable, WebhookLimitReached } from "../../domain/errors/WebhookErrors.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { idOf } from "../request/CallRef.ts"
import { customerEndpoints } from "./Endpoints.ts"

const ofConference = { id: idOf(ConferenceId) }
const ofParticipant = { ...ofConference, call_id: idOf(CallId) }

const endpoint = customerEndpoints({ read: { scope: "calls.read" }, write: { scope: "calls.write", role: "member" } })

export class ConferencesApi extends HttpApiGroup.make("conferences")
  .add(
    endpoint.list("list", "/v1/conferences", {
      summary: "List conferences",
      description: "Newest first, with those that have ended.",
      query: { status: Schema.optionalKey(ConferenceStatus), name: Schema.optionalKey(ConferenceName) },
      success: ConferenceRecord,
      errors: [ConferenceReadFailed]
    }),
    endpoint.get("get", "/v1/conferences/:id", {
      summary: "Read a conference",
      description: "With the calls that take part now.",
      params: ofConference,
      success: ConferenceRecord,
      errors: [ConferenceNotFound, ConferenceReadFailed]
    }),
    endpoint.post("dialIn", "/v1/conferences/:id/participants", {
      summary: "Call somebody into a conference",
      description: "Places a call that joins when it is answered. It is charged as any call.",
      policy: { shed: "calls" },
      params: ofConference,
      payload: ParticipantRequest,
      success: HttpApiSchema.WithHeaders(CallRecord, {
        location: Schema.String.annotate({ description: "The URL of the call." })
      }).pipe(HttpApiSchema.status(201)),
      errors: [
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
      ]
    }),
    endpoint.patch("change", "/v1/conferences/:id/participants/:call_id", {
      summary: "Change a participant",
      description: "Mutes, deafens or holds it, or lets it speak to one participant alone. Members left out stay.",
      policy: { whenReadFails: ConferenceReadFailed },
      params: ofParticipant,
      payload: ParticipantChange,
      success: ParticipantRecord,
      errors: [BadRequest, ConferenceNotFound, ParticipantNotFound, ConferenceEnded]
    }),
    endpoint.remove("remove", "/v1/conferences/:id/participants/:call_id", {
      summary: "Remove a participant",
      description: "The call goes on with its next action, or ends if it has none.",
      policy: { whenReadFails: ConferenceReadFailed, endsWork: true },
      params: ofParticipant,
      success: HttpApiSchema.NoContent,
      errors: [ConferenceNotFound, ParticipantNotFound, ConferenceEnded]
    }),
    endpoint.post("announce", "/v1/conferences/:id/announce", {
      summary: "Announce something",
      description:
        "Says a text or plays a sound to all participants, or to one. A new announcement follows the one before it.",
      policy: { whenReadFails: ConferenceReadFailed },
      params: ofConference,
      payload: AnnouncementRequest,
      success: HttpApiSchema.Empty(202),
      errors: [BadRequest, ConferenceNotFound, ParticipantNotFound, ConferenceEnded]
    }),
    endpoint.post("end", "/v1/conferences/:id/end", {
      summary: "End a conference",
      description: "Each call goes on with its next action. A conference that has ended stays as it is.",
      policy: { whenReadFails: ConferenceReadFailed, endsWork: true },
      params: ofConference,
      success: ConferenceRecord,
      errors: [ConferenceNotFound]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Conferences", description: "Calls that hear each other." })) {}
