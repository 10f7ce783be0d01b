import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { type Opened, SignIn } from "../../actors/SignIn.ts"
import { Api } from "../Api.ts"
import { CurrentSession } from "../CurrentSession.ts"
import { RateLimits } from "../RateLimits.ts"
import { requestSource, sessionOrigin } from "../RequestOrigin.ts"
import { clearSession, setSession } from "../SessionCookie.ts"

/** Shows the session, and hands its token to the browser. */
const welcome = ({ token, view }: Opened) => setSession(token)(HttpServerResponse.jsonUnsafe(view))

/** An address is asked from only so often, and so is a mailbox written to, whether anybody has it or not. */
export const countSignIn = Effect.fnUntraced(function*(email: string) {
  const { count } = yield* RateLimits
  const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  yield* count("sign_in_address", Option.getOrElse(remoteAddress, () => ""))
  yield* count("sign_in_email", email.trim().toLowerCase())
})

export const AuthHandlers = HttpApiBuilder.group(Api, "auth", Effect.fnUntraced(function*(handlers) {
  const signIn = yield* SignIn
  const limits = yield* RateLimits
  const counted = (email: string) => Effect.provideService(countSignIn(email), RateLimits, limits)
  const end = Effect.fnUntraced(function*(id: string) {
    yield* signIn.end(yield* CurrentSession, id, yield* sessionOrigin)
  })
  return handlers.handleAll({
    signUp: ({ payload }) => Effect.andThen(counted(payload.email), signIn.signUp(payload.email)),
    askForLink: ({ payload }) =>
      Effect.as(Effect.andThen(counted(payload.email), signIn.askForLink(payload.email)), { sent: true } as const),
    verify: Effect.fnUntraced(function*({ payload }) {
      return yield* welcome(yield* signIn.redeem(payload.token, yield* requestSource))
    }),
    logout: Effect.fnUntraced(function*() {
      yield* end((yield* CurrentSession).id)
      return yield* clearSession(HttpServerResponse.empty({ status: 204 }))
    }),
    session: () => Effect.flatMap(CurrentSession, signIn.view),
    enter: Effect.fnUntraced(function*({ payload }) {
      return yield* welcome(yield* signIn.enter(yield* CurrentSession, payload.workspace_id, yield* requestSource))
    }),
    sessions: () => Effect.flatMap(CurrentSession, signIn.list),
    endSession: ({ params }) => end(params.id)
  })
}))
