import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { CallingPolicyChange, CallingPolicyRecord } from "../../domain/calls/policy/CallingPolicy.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { RotateSecretRequest } from "../../domain/webhooks/SubscriptionRecord.ts"
import { VoiceSecretRotation } from "../../domain/workspace/VoiceSecret.ts"
import { WorkspacePatch, WorkspaceRecord } from "../../domain/workspace/WorkspaceRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const VoiceSecret = Schema.Struct({
  ...VoiceSecretRotation.fields,
  voice_secret: Schema.String.annotate({ description: "Shown only once." })
}).annotate({ identifier: "RotatedVoiceSecret" })

const endpoint = customerEndpoints({ read: { scope: "calls.read" }, write: {} })

export class WorkspaceApi extends HttpApiGroup.make("workspace")
  .add(
    endpoint.get("get", "/v1/workspace", {
      summary: "Read the workspace",
      description: "Its name, status and settings.",
      success: WorkspaceRecord,
      errors: [NotFound]
    }),
    endpoint.patch("patch", "/v1/workspace", {
      summary: "Change the workspace",
      description: "Absent members stay unchanged. For signed-in admins only.",
      policy: { account: true },
      payload: WorkspacePatch,
      success: WorkspaceRecord,
      errors: [BadRequest, NotFound]
    }),
    endpoint.post("rotateVoiceSecret", "/v1/workspace/rotate-voice-secret", {
      summary: "Rotate the voice secret",
      description:
        "Creates a new secret. It signs voice callbacks and webhooks to the `events_url` of a call. Until the old secret expires, both sign. The first secret of a workspace is never shown, so rotate it once to get one. For signed-in admins only.",
      payload: [RotateSecretRequest, Schema.Null],
      success: VoiceSecret,
      errors: [BadRequest, NotFound]
    }),
    endpoint.act("close", "/v1/workspace/close", {
      summary: "Close the workspace",
      description:
        "Cannot be undone. Members can still read the workspace, but nothing in it can be changed. Its numbers and its trunk are released, its API keys are revoked, and its storage is not renewed. Contact support about the rest of the balance. For owners only.",
      policy: { account: true, role: "owner" },
      success: WorkspaceRecord,
      errors: [NotFound]
    }),
    endpoint.get("callingPolicy", "/v1/workspace/calling-policy", {
      summary: "Read the calling policy",
      description: "Where the workspace may call. No API key can change it, so a stolen key cannot lift the limits.",
      success: CallingPolicyRecord
    }),
    endpoint.patch("changeCallingPolicy", "/v1/workspace/calling-policy", {
      summary: "Change the calling policy",
      description:
        "Absent members stay unchanged. Takes effect within a second. For signed-in admins only; API keys are refused.",
      payload: CallingPolicyChange,
      success: CallingPolicyRecord,
      errors: [BadRequest, NotFound]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Workspace", description: "The settings of the workspace." })) {}
