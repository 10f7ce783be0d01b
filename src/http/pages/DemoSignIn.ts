// What the sign-in page of the console offers, and, in development, sign-in by one click as a person of the demo.
import { Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SignIn } from "../../actors/access/SignIn.ts"
import type { UserId } from "../../domain/BrandedIds.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { withErrorEnvelope } from "../request/AnswerFailure.ts"
import { requestSource } from "../request/RequestOrigin.ts"
import { refuseCrossSite, setSession } from "../request/SessionCookie.ts"
import type { KnownRoute } from "../request/PathIndex.ts"

export interface DemoPeople {
  readonly owner: UserId
  readonly operator: UserId
}

const optionsPath = "/sign-in/options"
const demoPath = "/sign-in/demo"

export const demoSignInRoutes: ReadonlyArray<KnownRoute> = [
  { method: "GET", path: optionsPath },
  { method: "POST", path: demoPath }
]

const loopbackAddress = /^(?:127\.|::1$|::ffff:127\.)/
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * Whether the request comes from this machine, by a name of this machine. A site that resolves its own name to this
 * machine sends that name as Host, and so does a proxy.
 */
const isLocal = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean =>
  loopbackAddress.test(Option.getOrElse(remoteAddress, () => "")) && loopbackHost.test(headers["host"] ?? "")

const DemoRequest = Schema.fromJsonString(Schema.Struct({ as: Schema.Literals(["owner", "operator"]) }))
const decodeRequest = Schema.decodeUnknownEffect(DemoRequest)

/** Signs in as a person of the demo whoever asks from this machine. */
const enter = (people: DemoPeople | undefined, signIn: SignIn["Service"]) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* refuseCrossSite
    if (people === undefined || !isLocal(request)) return yield* new NotFound()
    const { as } = yield* Effect.mapError(
      Effect.flatMap(request.text, decodeRequest),
      () => new BadRequest({ message: "Send as: owner or operator." })
    )
    const { token } = yield* signIn.open(people[as], yield* requestSource)
    return yield* setSession(token)(HttpServerResponse.empty({ status: 204 }))
  })

/** `people`: undefined in production. */
export const DemoSignIn = (options: { readonly identity_provider: boolean; readonly people: DemoPeople | undefined }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const signIn = yield* SignIn
      const { identity_provider, people } = options
      yield* router.add("GET", optionsPath, (request) => {
        const demo = people !== undefined && isLocal(request) ? ["owner", "operator"] : []
        return Effect.succeed(
          HttpServerResponse.jsonUnsafe({ identity_provider, demo }, { headers: { "cache-control": "no-store" } })
        )
      })
      yield* router.add("POST", demoPath, withErrorEnvelope(enter(people, signIn)))
    })
  )
