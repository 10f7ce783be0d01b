import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CallingPolicy } from "../../domain/calls/CallingPolicy.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { Rules } from "../Rules.ts"

const callingPolicy = HttpApiEndpoint.get("callingPolicy", "/v1/workspace/calling-policy", {
  success: CallingPolicy
}).annotate(Rules, { scope: "calls.read" }).annotateMerge(OpenApi.annotations({
  summary: "Read the calling policy",
  description: "Where the workspace may call. No API key changes it: a stolen one must not lift what limits the damage."
}))

export class WorkspaceApi extends HttpApiGroup.make("workspace")
  .add(callingPolicy)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Workspace", description: "The rules that the workspace works under." }))
{}
