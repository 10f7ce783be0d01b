import { Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { SignIn } from "../../actors/access/SignIn.ts"
import { WorkspaceForbidden } from "../../domain/errors/AuthErrors.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { KeptAnswer } from "../../domain/ports/Idempotency.ts"
import { CurrentSession } from "../request/CurrentSession.ts"
import { requestSource } from "../request/RequestOrigin.ts"
import { SecureCookies, setSession } from "../request/SessionCookie.ts"
import { type IdempotencyContext, makeWrite, replay, writeErrors } from "./JsonWrite.ts"

/**
 * What the making of a workspace goes through: its key is the person's. An answer that is replayed brings the session into
 * the workspace as the first one did, with a cookie of its own: that of the first may never have arrived.
 */
export class OnboardingWrite extends HttpApiMiddleware.Service<
  OnboardingWrite,
  {
    provides: IdempotencyContext
    requires: CurrentSession
  }
>()("trunkline/http/OnboardingWrite", { error: writeErrors }) {}

export const OnboardingWriteLive = Layer.effect(
  OnboardingWrite,
  Effect.gen(function* () {
    const secure = yield* SecureCookies
    const signIn = yield* SignIn
    const write = yield* makeWrite

    /** Where the person has left the workspace since, they are told no more than what was. */
    const again = (kept: KeptAnswer) =>
      Effect.gen(function* () {
        const { id } = JSON.parse(kept.body) as { readonly id: string }
        const { token } = yield* signIn.enter(yield* CurrentSession, id, yield* requestSource)
        return yield* Effect.provideService(setSession(token)(replay(kept)), SecureCookies, secure)
      }).pipe(
        Effect.catch((error) =>
          error instanceof WorkspaceForbidden
            ? Effect.succeed(replay(kept))
            : Effect.fail(new ServiceUnavailable({ cause: error }))
        )
      )

    return OnboardingWrite.of((httpEffect, { endpoint }) =>
      Effect.flatMap(CurrentSession, ({ user_id }) => write(endpoint, user_id, httpEffect, again))
    )
  })
)
