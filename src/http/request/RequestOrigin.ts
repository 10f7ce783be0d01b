import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type { RequestContext } from "../../actors/shared/RequestContext.ts"
import type { AuditActor, Origin, RequestSource } from "../../domain/access/Origin.ts"
import { actorOf } from "../../domain/access/Principal.ts"
import { CurrentOperator } from "./CurrentOperator.ts"
import { CurrentPrincipal } from "./CurrentPrincipal.ts"
import { CurrentSession } from "./CurrentSession.ts"
import { IdempotencyContext } from "./JsonWrite.ts"
import { RequestId } from "./RequestId.ts"

/** Longer values of the header User-Agent are cut. */
const userAgentMaxLength = 200

/** The client of the current request. */
export const requestSource = Effect.gen(function* () {
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  const source: RequestSource = {
    ip: Option.getOrNull(remoteAddress),
    user_agent: headers["user-agent"]?.slice(0, userAgentMaxLength) ?? null,
    request_id: yield* RequestId
  }
  return source
})

const originOf = (actor: AuditActor) => Effect.map(requestSource, (source): Origin => ({ actor, ...source }))

/** The member or API key that makes the current request, for the audit log. */
export const requestOrigin = Effect.flatMap(CurrentPrincipal, (principal) => originOf(actorOf(principal)))

/** The platform operator who makes the current request, for the audit log. */
export const operatorOrigin = Effect.flatMap(CurrentOperator, ({ email, user_id }) =>
  originOf({ type: "ops", id: user_id, label: email })
)

/** The signed-in person who makes the current request, in any workspace or in none, for the audit log. */
export const sessionOrigin = Effect.flatMap(CurrentSession, ({ email, user_id }) =>
  originOf({ type: "user", id: user_id, label: email })
)

/** The origin and the Idempotency-Key of the current request. */
export const requestContext = Effect.gen(function* () {
  const { request } = yield* IdempotencyContext
  const context: RequestContext = { origin: yield* requestOrigin, ...(request && { idempotency: request }) }
  return context
})
