import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CallingPolicy, CallingPolicyChange } from "../../domain/calls/CallingPolicy.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { RotateSecretRequest } from "../../domain/webhooks/SubscriptionRecord.ts"
import { VoiceSecretRotation } from "../../domain/workspace/VoiceSecret.ts"
import { WorkspacePatch, WorkspaceRecord } from "../../domain/workspace/WorkspaceRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../middleware/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "./Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const get = HttpApiEndpoint.get("get", "/v1/workspace", {
  success: WorkspaceRecord,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { scope: "calls.read" })
  .annotateMerge(OpenApi.annotations({ summary: "Read the workspace", description: "Its name, status and choices." }))

const patch = HttpApiEndpoint.patch("patch", "/v1/workspace", {
  payload: WorkspacePatch,
  success: WorkspaceRecord,
  error: responses(BadRequest, NotFound)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the workspace",
      description: "Members that are absent stay as they are. For signed-in admins alone."
    })
  )
  .middleware(JsonWrite)

const close = HttpApiEndpoint.post("close", "/v1/workspace/close", {
  success: WorkspaceRecord,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { role: "owner" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Close the workspace",
      description:
        "For good: its members can read it from then on, and nothing in it can be changed. Its numbers and its trunk are given back, its API keys are revoked, its storage is paid for no further month. What is left in its wallet is a matter for support. For owners alone."
    })
  )

const VoiceSecret = Schema.Struct({
  ...VoiceSecretRotation.fields,
  voice_secret: Schema.String.annotate({ description: "Shown this once." })
}).annotate({ identifier: "RotatedVoiceSecret" })

const rotateVoiceSecret = HttpApiEndpoint.post("rotateVoiceSecret", "/v1/workspace/rotate-voice-secret", {
  headers: idempotencyHeader,
  payload: [RotateSecretRequest, Schema.Null],
  success: VoiceSecret,
  error: responses(BadRequest, NotFound)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Rotate the voice secret",
      description:
        "Makes a new secret, which signs voice callbacks and what is sent to the `events_url` of a call. Until the old one expires both sign. A new workspace has a secret that nobody has seen: this shows the first. For signed-in admins alone.",
      transform: (operation) => ({
        ...operation,
        requestBody: { ...(operation["requestBody"] as object), required: false }
      })
    })
  )
  .middleware(JsonWrite)

const callingPolicy = HttpApiEndpoint.get("callingPolicy", "/v1/workspace/calling-policy", {
  success: CallingPolicy
})
  .annotate(EndpointPolicy, { scope: "calls.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the calling policy",
      description:
        "Where the workspace may call. No API key changes it: a stolen one must not lift what limits the damage."
    })
  )

const changeCallingPolicy = HttpApiEndpoint.patch("changeCallingPolicy", "/v1/workspace/calling-policy", {
  payload: CallingPolicyChange,
  success: CallingPolicy,
  error: responses(BadRequest)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the calling policy",
      description:
        "Members that are absent stay as they are. It holds within a second. For signed-in admins alone: no API key may."
    })
  )
  .middleware(JsonWrite)

export class WorkspaceApi extends HttpApiGroup.make("workspace")
  .add(get, patch, rotateVoiceSecret, close, callingPolicy, changeCallingPolicy)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Workspace", description: "The rules that the workspace works under." })
  ) {}
