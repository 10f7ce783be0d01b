// Where the link of a mail leads. Opening it uses nothing up, because mail scanners open links too; the button does.
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { SignIn } from "../actors/SignIn.ts"
import { Catalog } from "../domain/errors/Catalog.ts"
import { Failure } from "../domain/errors/Failure.ts"
import { ServiceUnavailable } from "../domain/errors/GeneralErrors.ts"
import { htmlPage } from "./Page.ts"
import { requestSource } from "./RequestOrigin.ts"
import { setSession } from "./SessionCookie.ts"

const path = "/sign-in"

/** The token in the query of a link, or in the body of the form. */
const tokenIn = (parameters: URLSearchParams): string => parameters.get("token") ?? ""

const formOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.match(request.text, { onFailure: () => new URLSearchParams(), onSuccess: (text) => new URLSearchParams(text) })

const refusal = (error: unknown) => {
  const failure = error instanceof Failure ? error : new ServiceUnavailable()
  const { resolution = "", message } = failure
  return htmlPage({ title: "You are not signed in", text: `${message} ${resolution}` }, Catalog.get(failure._tag)?.status ?? 500)
}

export const SignInPage = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const signIn = yield* SignIn
  yield* router.add("GET", path, (request) => {
    const token = tokenIn(new URLSearchParams(request.url.split("?", 2)[1]))
    return Effect.succeed(htmlPage({ title: "Sign in", text: "Press the button to go on.", action: { label: "Sign in", path, token } }))
  })
  yield* router.add("POST", path, (request) =>
    Effect.gen(function*() {
      const { token, view } = yield* signIn.redeem(tokenIn(yield* formOf(request)), yield* requestSource)
      return yield* setSession(token)(htmlPage({ title: "You are signed in", text: `As ${view.user.email}. You can close this page.` }))
    }).pipe(Effect.catch((error) => Effect.succeed(refusal(error)))))
}))
