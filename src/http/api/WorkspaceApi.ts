import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CallingPolicy, CallingPolicyChange } from "../../domain/calls/policy/CallingPolicy.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { RotateSecretRequest } from "../../domain/webhooks/SubscriptionRecord.ts"
import { VoiceSecretRotation } from "../../domain/workspace/VoiceSecret.ts"
import { WorkspacePatch, WorkspaceRecord } from "../../domain/workspace/WorkspaceRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { withOptionalBody } from "./OptionalBody.ts"

const get = HttpApiEndpoint.get("get", "/v1/workspace", {
  success: WorkspaceRecord,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { scope: "calls.read" })
  .annotateMerge(OpenApi.annotations({ summary: "Read the workspace", description: "Its name, status and settings." }))

const patch = HttpApiEndpoint.patch("patch", "/v1/workspace", {
  payload: WorkspacePatch,
  success: WorkspaceRecord,
  error: responses(BadRequest, NotFound)
})
  .annotate(EndpointPolicy, { account: true })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the workspace",
      description: "Absent members stay unchanged. For signed-in admins only."
    })
  )
  .middleware(JsonWrite)

const close = HttpApiEndpoint.post("close", "/v1/workspace/close", {
  success: WorkspaceRecord,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { role: "owner", account: true })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Close the workspace",
      description:
        "Cannot be undone. Members can still read the workspace, but nothing in it can be changed. Its numbers and its trunk are released, its API keys are revoked, and its storage is not renewed. Contact support about the rest of the balance. For owners only."
    })
  )

const VoiceSecret = Schema.Struct({
  ...VoiceSecretRotation.fields,
  voice_secret: Schema.String.annotate({ description: "Shown only once." })
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
        "Creates a new secret. It signs voice callbacks and webhooks to the `events_url` of a call. Until the old secret expires, both sign. The first secret of a workspace is never shown, so rotate it once to get one. For signed-in admins only.",
      transform: withOptionalBody
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
      description: "Where the workspace may call. No API key can change it, so a stolen key cannot lift the limits."
    })
  )

const changeCallingPolicy = HttpApiEndpoint.patch("changeCallingPolicy", "/v1/workspace/calling-policy", {
  payload: CallingPolicyChange,
  success: CallingPolicy,
  error: responses(BadRequest, NotFound)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the calling policy",
      description:
        "Absent members stay unchanged. Takes effect within a second. For signed-in admins only; API keys are refused."
    })
  )
  .middleware(JsonWrite)

export class WorkspaceApi extends HttpApiGroup.make("workspace")
  .add(get, patch, rotateVoiceSecret, close, callingPolicy, changeCallingPolicy)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Workspace", description: "The settings of the workspace." })) {}
