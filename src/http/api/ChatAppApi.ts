import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { NumberId } from "../../domain/BrandedIds.ts"
import { customerEndpoints } from "./Endpoints.ts"

const ofNumber = { id: idOf(NumberId) }

const endpoint = customerEndpoints({ read: { scope: "chatapp.read" }, write: { scope: "chatapp.write" } })

export class ChatAppApi extends HttpApiGroup.make("chatapp")
  .add(
    endpoint.get("settings", "/v1/numbers/:id/chatapp/call-settings", {
      summary: "Read the chat-app call settings",
      description:
        "Returns the stored settings and the provider's current ones. If the provider cannot be read, the status is still 200 and `live_error` has the reason.",
      params: ofNumber,
      success: Schema.Struct({
        stored: CallSettings,
        live: Schema.optionalKey(CallSettings),
        restrictions: Schema.Array(Restriction),
        live_error: Schema.optionalKey(Schema.String),
        propagation_note: Schema.String
      }).annotate({ identifier: "ChatAppCallSettingsShown" }),
      errors: [NumberNotFound]
    }),
    endpoint.put("write", "/v1/numbers/:id/chatapp/call-settings", {
      summary: "Write the chat-app call settings",
      description:
        "Replaces all settings; an empty list clears that list. The response comes after the provider has accepted the settings. The trunk is not changed.",
      params: ofNumber,
      payload: CallSettingsRequest,
      success: CallSettings,
      errors: [
        BadRequest,
        NumberNotFound,
        NumberNotActive,
        ChatAppSettingsInvalid,
        ChatAppNotEligible,
        ChatAppProviderRejected,
        ChatAppProviderUnavailable
      ]
    }),
    endpoint.get("trunk", "/v1/numbers/:id/chatapp/trunk", {
      summary: "Read the chat-app trunk",
      description: "Returns the state of the trunk over which the provider sends the number's calls to the platform.",
      params: ofNumber,
      success: TrunkRecord,
      errors: [NumberNotFound, ChatAppNotProvisioned]
    }),
    endpoint.post("provision", "/v1/numbers/:id/chatapp/trunk", {
      summary: "Provision the chat-app trunk",
      description:
        "Makes the provider send the number's calls to the platform. If a trunk exists, it is returned unchanged.",
      params: ofNumber,
      success: TrunkRecord.pipe(HttpApiSchema.status(202)),
      errors: [NumberNotFound, NumberNotActive, ChatAppNotProvisioned]
    }),
    endpoint.post("retry", "/v1/numbers/:id/chatapp/trunk/retry", {
      summary: "Retry the chat-app trunk",
      description: "Starts provisioning again. Only a failed trunk can be retried.",
      params: ofNumber,
      success: TrunkRecord.pipe(HttpApiSchema.status(202)),
      errors: [NumberNotFound, NumberNotActive, ChatAppNotProvisioned, ChatAppTrunkNotRetryable]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Chat-app calling", description: "Calls to numbers from the chat app." })
  ) {}
