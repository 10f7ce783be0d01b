// The page of a sign-in link. Opening it does not use the link up, because mail scanners open links too. The button
// does.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SignIn } from "../../actors/access/SignIn.ts"
import { htmlPage, refusalPage, tokenInForm, tokenInUrl } from "./Page.ts"
import { requestSource } from "../request/RequestOrigin.ts"
import { refuseCrossSite, setSession } from "../request/SessionCookie.ts"

const path = "/sign-in"

export const SignInPage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const signIn = yield* SignIn
    yield* router.add("GET", path, (request) => {
      const token = tokenInUrl(request)
      // The console has the form that asks for a link.
      if (token === "") return Effect.succeed(HttpServerResponse.redirect("/", { status: 302 }))
      const action = { label: "Sign in", path, token }
      return Effect.succeed(htmlPage({ title: "Sign in", text: "Press the button to sign in.", action }))
    })
    yield* router.add("POST", path, (request) =>
      Effect.gen(function* () {
        yield* refuseCrossSite
        const { token, view } = yield* signIn.redeem(yield* tokenInForm(request), yield* requestSource)
        return yield* setSession(token)(
          htmlPage({
            title: "You are signed in",
            text: `As ${view.user.email}.`,
            links: [{ label: "Open the console", path: "/" }]
          })
        )
      }).pipe(Effect.catch((error) => Effect.succeed(refusalPage("You are not signed in", error))))
    )
  })
)
