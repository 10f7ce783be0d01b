import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { OperatorRequired, SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { Sessions } from "../../domain/ports/Sessions.ts"
import { CurrentOperator } from "../request/CurrentOperator.ts"
import { responses } from "../api/Responses.ts"
import { refuseCrossSite, sessionCookie, sessionOf } from "../request/SessionCookie.ts"

/** For the routes of those who run the platform: a session that bears the admin marker. No key opens them. */
export class OperatorOnly extends HttpApiMiddleware.Service<OperatorOnly, { provides: CurrentOperator }>()(
  "trunkline/http/OperatorOnly",
  { security: { session: sessionCookie }, error: responses(SessionInvalid, OperatorRequired, ServiceUnavailable) }
) {}

export const OperatorOnlyLive = Layer.effect(
  OperatorOnly,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    return OperatorOnly.of({
      session: Effect.fnUntraced(function* (httpEffect) {
        yield* refuseCrossSite
        const token = sessionOf(yield* HttpServerRequest.HttpServerRequest)
        const found = token && sessions.find(token)
        const session = found && (yield* Effect.mapError(found, (cause) => new ServiceUnavailable({ cause })))
        if (session === undefined) return yield* new SessionInvalid()
        if (!session.operator) return yield* new OperatorRequired()
        return yield* Effect.provideService(httpEffect, CurrentOperator, session)
      })
    })
  })
)
