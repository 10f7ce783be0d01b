import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { idpStateLife_ms, IdpSignIn } from "../../actors/access/IdpSignIn.ts"
import { type Opened, SignIn } from "../../actors/access/SignIn.ts"
import { clientNetwork } from "../../domain/access/ClientAddress.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentSession } from "../request/CurrentSession.ts"
import { findSession } from "../request/FindSession.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { refuseUnknownQuery } from "../request/QueryNames.ts"
import { requestSource, sessionOrigin } from "../request/RequestOrigin.ts"
import {
  clearSession,
  cookieOf,
  refuseCrossSite,
  SecureCookies,
  setCookie,
  setSession
} from "../request/SessionCookie.ts"

/** Responds with the session, and sets its cookie. */
const welcome = ({ token, view }: Opened) => setSession(token)(HttpServerResponse.jsonUnsafe(view))

/** Limits the requests per client address and the mails per mailbox, whether or not an account has the mailbox. */
const makeCounted = Effect.map(RateLimits, ({ count }) =>
  Effect.fnUntraced(function* (email: string) {
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    yield* count("sign_in_address", clientNetwork(Option.getOrElse(remoteAddress, () => "")))
    yield* count("sign_in_email", email.trim().toLowerCase())
  })
)

/** The cookie that binds a sign-in at the identity provider to the browser that began it. */
const idp_state = "idp_state"

const makeIdp = Effect.gen(function* () {
  const idp = yield* IdpSignIn
  const sessions = yield* Sessions
  const session = Effect.provideService(findSession, Sessions, sessions)
  return {
    start: Effect.fnUntraced(function* (return_to: string | undefined) {
      const { kept, url } = yield* idp.start(undefined, return_to)
      return yield* setCookie(idp_state, kept, idpStateLife_ms)(HttpServerResponse.redirect(url))
    }),
    /** Only by POST, so that following a link cannot link somebody else's identity to the account. */
    link: Effect.fnUntraced(function* (return_to: string | undefined) {
      const { kept, url } = yield* idp.start(yield* CurrentSession, return_to)
      return yield* setCookie(idp_state, kept, idpStateLife_ms)(HttpServerResponse.redirect(url, { status: 303 }))
    }),
    comeBack: Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const found = yield* session
      const source = yield* requestSource
      const actor = { type: "user", id: found?.user_id ?? null, label: found?.email ?? null } as const
      const { opened, return_to } = yield* idp.comeBack(
        request.url,
        cookieOf(request, idp_state, yield* SecureCookies),
        found,
        {
          actor,
          ...source
        }
      )
      const answer = yield* setCookie(idp_state, "", 0)(HttpServerResponse.redirect(return_to))
      return opened === undefined ? answer : yield* setSession(opened.token)(answer)
    }),
    unlink: Effect.fnUntraced(function* () {
      yield* idp.unlink(yield* CurrentSession, yield* sessionOrigin)
    })
  }
})

export const AuthHandlers = group(
  Api,
  "auth",
  Effect.fnUntraced(function* (handlers) {
    const idp = yield* makeIdp
    const signIn = yield* SignIn
    const counted = yield* makeCounted
    const end = Effect.fnUntraced(function* (id: string) {
      yield* signIn.end(yield* CurrentSession, id, yield* sessionOrigin)
    })
    return handlers.handleAll({
      signUp: ({ payload }) => Effect.andThen(counted(payload.email), signIn.signUp(payload.email)),
      askForLink: ({ payload }) =>
        Effect.as(Effect.andThen(counted(payload.email), signIn.askForLink(payload.email)), { sent: true } as const),
      verify: Effect.fnUntraced(function* ({ payload }) {
        yield* refuseCrossSite
        return yield* welcome(yield* signIn.redeem(payload.token, yield* requestSource))
      }),
      logout: Effect.fnUntraced(function* () {
        yield* end((yield* CurrentSession).id)
        return yield* clearSession(HttpServerResponse.empty({ status: 204 }))
      }),
      session: () => Effect.flatMap(CurrentSession, signIn.view),
      enter: Effect.fnUntraced(function* ({ payload }) {
        return yield* welcome(yield* signIn.enter(yield* CurrentSession, payload.workspace_id, yield* requestSource))
      }),
      sessions: () => Effect.flatMap(CurrentSession, signIn.list),
      endSession: ({ params }) => end(params.id),
      idpStart: ({ endpoint, query }) => Effect.andThen(refuseUnknownQuery(endpoint), idp.start(query.return_to)),
      idpLink: ({ query }) => idp.link(query.return_to),
      idpCallback: ({ request }) => idp.comeBack(request),
      idpUnlink: () => idp.unlink()
    })
  })
)
