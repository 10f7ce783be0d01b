// The page of an invitation's link. A visitor who is not signed in is asked to sign in; the invitation waits in a
// cookie.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Members } from "../../actors/workspace/Members.ts"
import { SignIn } from "../../actors/access/SignIn.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { CurrentSession } from "../request/CurrentSession.ts"
import { forgetInvitation, keepInvitation } from "./InvitationCookie.ts"
import { findSession } from "../request/FindSession.ts"
import { htmlPage, refusalPage, tokenInForm, tokenInUrl } from "./Page.ts"
import { requestSource, sessionOrigin } from "../request/RequestOrigin.ts"
import { refuseCrossSite, setSession } from "../request/SessionCookie.ts"

const path = "/invitation"

const signInFirst = htmlPage(
  {
    title: "Sign in first",
    text: "Sign up or sign in with the address that the invitation was sent to, then open its link again.",
    links: [
      { label: "Sign in", path: "/" },
      { label: "Sign up", path: "/sign-up" }
    ]
  },
  401
)

export const InvitationPage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const members = yield* Members
    const sessions = yield* Sessions
    const signIn = yield* SignIn

    const accept = Effect.fnUntraced(function* (token: string) {
      yield* members.readToken(token)
      const session = yield* Effect.provideService(findSession, Sessions, sessions)
      if (session === undefined) return yield* keepInvitation(token)(signInFirst)
      const origin = yield* Effect.provideService(sessionOrigin, CurrentSession, session)
      const {
        member: { role },
        workspace_id
      } = yield* members.accept(token, session, origin)
      const opened = yield* signIn.enter(session, workspace_id, yield* requestSource)
      const page = htmlPage({
        title: "Welcome",
        text: `You are a member of the workspace now, as ${role}.`,
        links: [{ label: "Open the console", path: "/" }]
      })
      return yield* Effect.flatMap(setSession(opened.token)(page), forgetInvitation)
    })

    yield* router.add("GET", path, (request) => {
      const action = { label: "Accept", path, token: tokenInUrl(request) }
      return Effect.succeed(
        htmlPage({ title: "You are invited", text: "Press the button to become a member of the workspace.", action })
      )
    })
    yield* router.add("POST", path, (request) =>
      refuseCrossSite.pipe(
        Effect.andThen(tokenInForm(request)),
        Effect.flatMap(accept),
        Effect.catch((error) => Effect.succeed(refusalPage("The invitation was not accepted", error)))
      )
    )
  })
)
