import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { SimulatedCall, SimulationRequest } from "../../domain/calls/views/Simulation.ts"
import {
  CallActionUnsupported,
  CallConcurrencyLimitReached,
  CallDestinationRefused,
  CallInvalidCallbackUrl,
  CallInvalidDestination,
  CallRateLimited,
  CallSpendLimitReached
} from "../../domain/errors/CallErrors.ts"
import { PayloadTooLarge } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { WalletInsufficientFunds, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const Verdict = Schema.Struct({
  valid: Schema.Boolean,
  errors: Schema.Array(
    Schema.Struct({
      pointer: Schema.String.annotate({ description: "A JSON pointer (RFC 6901) to the error." }),
      message: Schema.String
    })
  ).annotate({ description: "The first error of each action." })
}).annotate({ identifier: "VoiceActionsVerdict" })

const endpoint = customerEndpoints({ read: { scope: "calls.read" }, write: {} })

export class VoiceActionsApi extends HttpApiGroup.make("voiceActions")
  .add(
    endpoint.get("schema", "/v1/voice-actions/schema", {
      summary: "Read the schema of voice actions",
      description: "Returns the JSON Schema (draft 2020-12) of a voice callback's response.",
      success: Schema.Record(Schema.String, Schema.Unknown)
    }),
    endpoint.repeatable("validate", "/v1/voice-actions/validate", {
      summary: "Check a document of voice actions",
      description:
        "Returns whether the body is a valid response of a voice callback and, if not, where the errors are. Changes nothing.",
      policy: { scope: "calls.read", role: "viewer" },
      payload: Schema.Unknown,
      success: Verdict,
      errors: [PayloadTooLarge]
    }),
    endpoint.repeatable("simulate", "/v1/voice-actions/simulate", {
      summary: "Try a call without placing it",
      description:
        "Runs actions or a callback against simulated phones in virtual time, with the workspace's numbers, prices and " +
        "policy, and answers what would happen, how long it would take and what it would cost. Nothing rings, nothing " +
        "is charged and nothing is stored. Only the callback is asked. At most two simulations of a workspace run at " +
        "the same time.",
      policy: { scope: "calls.write", role: "member", shed: "reads" },
      payload: SimulationRequest,
      success: SimulatedCall,
      errors: [
        WalletInsufficientFunds,
        CallSpendLimitReached,
        NumberNotFound,
        WalletNotFound,
        NumberNotActive,
        CallInvalidDestination,
        CallDestinationRefused,
        CallActionUnsupported,
        CallInvalidCallbackUrl,
        CallConcurrencyLimitReached,
        CallRateLimited
      ]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Voice actions", description: "The actions that a voice callback may return." })
  ) {}
