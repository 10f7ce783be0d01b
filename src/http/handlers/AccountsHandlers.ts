import { Effect } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Members } from "../../actors/workspace/Members.ts"
import { SignIn } from "../../actors/access/SignIn.ts"
import { Workspaces } from "../../actors/workspace/Workspaces.ts"
import { InviteRequiresLogin } from "../../domain/errors/AccountErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentSession } from "../request/CurrentSession.ts"
import { forgetInvitation, keepInvitation, keptInvitation } from "../pages/InvitationCookie.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"
import { findSession } from "../request/FindSession.ts"
import { requestSource, sessionOrigin } from "../request/RequestOrigin.ts"
import { refuseCrossSite, SecureCookies, setSession } from "../request/SessionCookie.ts"

/** Sets the cookie of the invitation on the response, whatever the handler answers. */
const keepInvitationInResponse = (token: string) =>
  Effect.flatMap(SecureCookies, (secure) =>
    Effect.withFiber((fiber) => {
      HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_, response) =>
        Effect.provideService(keepInvitation(token)(response), SecureCookies, secure)
      )
      return Effect.void
    })
  )

export const AccountsHandlers = group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const sessions = yield* Sessions
    const signIn = yield* SignIn
    const workspaces = yield* Workspaces

    return handlers.handleAll({
      onboard: Effect.fnUntraced(function* ({ payload }) {
        const session = yield* CurrentSession
        const record = yield* workspaces.onboard(
          { user_id: session.user_id, email: session.email },
          payload,
          (yield* IdempotencyContext).request
        )
        const { token } = yield* signIn.enter(session, record.id, yield* requestSource)
        return yield* setSession(token)(HttpServerResponse.jsonUnsafe(record, { status: 201 }))
      }),
      accept: Effect.fnUntraced(function* ({ payload }) {
        yield* refuseCrossSite
        const token = payload?.token ?? keptInvitation(yield* HttpServerRequest.HttpServerRequest, yield* SecureCookies)
        const session = yield* Effect.provideService(findSession, Sessions, sessions)
        if (session === undefined) {
          // Only an invitation that was issued here is kept.
          if (token !== undefined && (yield* Effect.isSuccess(members.readToken(token))))
            yield* keepInvitationInResponse(token)
          return yield* new InviteRequiresLogin()
        }
        if (token === undefined) {
          const message = "Give the token of the invitation."
          return yield* new BadRequest({ message, details: [{ field: "/token", code: "required", message }] })
        }
        const origin = yield* Effect.provideService(sessionOrigin, CurrentSession, session)
        const { email, user_id } = session
        const {
          member: { role },
          workspace_id
        } = yield* members.accept(token, { user_id, email }, origin)
        const { token: renewed } = yield* signIn.enter(session, workspace_id, yield* requestSource)
        const answer = yield* setSession(renewed)(HttpServerResponse.jsonUnsafe({ workspace_id, role }))
        return yield* forgetInvitation(answer)
      })
    })
  })
)
