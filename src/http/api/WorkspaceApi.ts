import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CallingPolicy, CallingPolicyChange } from "../../domain/calls/CallingPolicy.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { JsonWrite } from "../middleware/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../Responses.ts"
import { Rules } from "../Rules.ts"

const callingPolicy = HttpApiEndpoint.get("callingPolicy", "/v1/workspace/calling-policy", {
  success: CallingPolicy
}).annotate(Rules, { scope: "calls.read" }).annotateMerge(OpenApi.annotations({
  summary: "Read the calling policy",
  description: "Where the workspace may call. No API key changes it: a stolen one must not lift what limits the damage."
}))

const changeCallingPolicy = HttpApiEndpoint.patch("changeCallingPolicy", "/v1/workspace/calling-policy", {
  payload: CallingPolicyChange,
  success: CallingPolicy,
  error: responses(BadRequest)
}).annotateMerge(OpenApi.annotations({
  summary: "Change the calling policy",
  description: "Members that are absent stay as they are. It holds within a second. For signed-in admins alone: no API key may."
})).middleware(JsonWrite)

export class WorkspaceApi extends HttpApiGroup.make("workspace")
  .add(callingPolicy, changeCallingPolicy)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Workspace", description: "The rules that the workspace works under." }))
{}
