import { HttpApiMiddleware } from "effect/http-api"
import type { CurrentSession } from "../request/CurrentSession.ts"
import { type IdempotencyContext, writeErrors } from "../request/JsonWrite.ts"

/**
 * `JsonWrite` for creating a workspace: the Idempotency-Key belongs to the person, because there is no workspace yet.
 */
export class OnboardingWrite extends HttpApiMiddleware.Service<
  OnboardingWrite,
  {
    provides: IdempotencyContext
    requires: CurrentSession
  }
>()("trunkline/http/OnboardingWrite", { error: writeErrors }) {}
