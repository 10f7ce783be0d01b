import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CallSettings, CallSettingsRequest, Restriction } from "../../domain/chatapp/CallSettings.ts"
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
import { idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { NumberId } from "../../domain/BrandedIds.ts"

const ofNumber = { id: idOf(NumberId) }
const reads = { scope: "chatapp.read", whenIdMalformed: NumberNotFound } as const
const writes = { scope: "chatapp.write", whenIdMalformed: NumberNotFound } as const

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
        "Returns the stored settings and the provider's current ones. If the provider cannot be read, the status is still 200 and `live_error` has the reason."
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
        "Replaces all settings; an empty list clears that list. The response comes after the provider has accepted the settings. The trunk is not changed."
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
      description: "Returns the state of the trunk over which the provider sends the number's calls to the platform."
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
        "Makes the provider send the number's calls to the platform. If a trunk exists, it is returned unchanged."
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
      description: "Starts provisioning again. Only a failed trunk can be retried."
    })
  )
  .middleware(JsonWrite)

export class ChatAppApi extends HttpApiGroup.make("chatapp")
  .add(settings, write, trunk, provision, retry)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Chat-app calling", description: "Calls to numbers from the chat app." })
  ) {}
