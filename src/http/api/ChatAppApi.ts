import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CallSettings, CallSettingsRequest } from "../../domain/chatapp/CallSettings.ts"
import { TrunkRecord } from "../../domain/chatapp/ChatApp.ts"
import {
  ChatAppNotEligible,
  ChatAppNotProvisioned,
  ChatAppProviderRejected,
  ChatAppProviderUnavailable,
  ChatAppSettingsInvalid,
  ChatAppTrunkNotRetryable
} from "../../domain/errors/ChatAppErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { Restriction } from "../../domain/ports/ChatAppProvider.ts"
import { Id } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../middleware/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "./Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const ofNumber = { id: Id }
const reads = { scope: "chatapp.read", absent: NumberNotFound } as const
const writes = { scope: "chatapp.write", absent: NumberNotFound } as const

const settings = HttpApiEndpoint.get("settings", "/v1/numbers/:id/chatapp/call-settings", {
  params: ofNumber,
  success: Schema.Struct({
    stored: CallSettings,
    live: Schema.optionalKey(CallSettings),
    restrictions: Schema.Array(Restriction),
    live_error: Schema.optionalKey(Schema.String),
    propagation_note: Schema.String
  }).annotate({ identifier: "ChatAppCallSettingsShown" }),
  error: responses(NumberNotFound)
})
  .annotate(EndpointPolicy, reads)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the chat-app call settings",
      description:
        "What was stored last, and what the provider says now. Where it says nothing, `live_error` says why, with 200."
    })
  )

const write = HttpApiEndpoint.put("write", "/v1/numbers/:id/chatapp/call-settings", {
  params: ofNumber,
  payload: CallSettingsRequest,
  success: CallSettings,
  error: responses(
    BadRequest,
    NumberNotFound,
    NumberNotActive,
    ChatAppSettingsInvalid,
    ChatAppNotEligible,
    ChatAppProviderRejected,
    ChatAppProviderUnavailable
  )
})
  .annotate(EndpointPolicy, writes)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Write the chat-app call settings",
      description:
        "The whole object: a list that is empty is emptied. It answers when the provider took it; the trunk is not touched."
    })
  )
  .middleware(JsonWrite)

const trunk = HttpApiEndpoint.get("trunk", "/v1/numbers/:id/chatapp/trunk", {
  params: ofNumber,
  success: TrunkRecord,
  error: responses(NumberNotFound, ChatAppNotProvisioned)
})
  .annotate(EndpointPolicy, reads)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the chat-app trunk",
      description: "How far the provider is with sending the number's calls here."
    })
  )

const provision = HttpApiEndpoint.post("provision", "/v1/numbers/:id/chatapp/trunk", {
  params: ofNumber,
  headers: idempotencyHeader,
  success: TrunkRecord.pipe(HttpApiSchema.status(202)),
  error: responses(NumberNotFound, NumberNotActive, ChatAppNotProvisioned)
})
  .annotate(EndpointPolicy, writes)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Provision the chat-app trunk",
      description:
        "Has the provider send the number's calls here. Where there is a trunk already, it is answered as it is."
    })
  )
  .middleware(JsonWrite)

const retry = HttpApiEndpoint.post("retry", "/v1/numbers/:id/chatapp/trunk/retry", {
  params: ofNumber,
  headers: idempotencyHeader,
  success: TrunkRecord.pipe(HttpApiSchema.status(202)),
  error: responses(NumberNotFound, NumberNotActive, ChatAppNotProvisioned, ChatAppTrunkNotRetryable)
})
  .annotate(EndpointPolicy, writes)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Retry the chat-app trunk",
      description: "Only a failed one: one that is pending would be disturbed, and an active one works."
    })
  )
  .middleware(JsonWrite)

export class ChatAppApi extends HttpApiGroup.make("chatapp")
  .add(settings, write, trunk, provision, retry)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Chat-app calling", description: "How a number is called in the chat app." })
  ) {}
