import { Effect, Layer } from "effect"
import { SignIn } from "../../actors/access/SignIn.ts"
import { WorkspaceForbidden } from "../../domain/errors/AuthErrors.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { CurrentSession } from "../request/CurrentSession.ts"
import { makeIdempotentWrite, replayedResponse } from "../request/IdempotentWrite.ts"
import { requestSource } from "../request/RequestOrigin.ts"
import { SecureCookies, setSession } from "../request/SessionCookie.ts"
import { OnboardingWrite } from "./OnboardingWrite.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { KeptAnswer } from "../../domain/idempotency/IdempotentRequest.ts"

export const OnboardingWriteLive = Layer.effect(
  OnboardingWrite,
  Effect.gen(function* () {
    const secure = yield* SecureCookies
    const signIn = yield* SignIn
    const write = yield* makeIdempotentWrite

    /**
     * A replay, too, moves the session into the workspace and sets a new cookie: the first response may never have
     * arrived. Somebody who has left the workspace since gets the stored response alone.
     */
    const replay = (stored: KeptAnswer) =>
      Effect.gen(function* () {
        const { id } = JSON.parse(stored.body) as { readonly id: WorkspaceId }
        const { token } = yield* signIn.enter(yield* CurrentSession, id, yield* requestSource)
        return yield* Effect.provideService(setSession(token)(replayedResponse(stored)), SecureCookies, secure)
      }).pipe(
        Effect.catch((error) =>
          error instanceof WorkspaceForbidden
            ? Effect.succeed(replayedResponse(stored))
            : Effect.fail(new ServiceUnavailable({ cause: error }))
        )
      )

    return OnboardingWrite.of((httpEffect, { endpoint }) =>
      Effect.flatMap(CurrentSession, ({ user_id }) => write(endpoint, user_id, httpEffect, replay))
    )
  })
)
