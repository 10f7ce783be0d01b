import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type { AuditActor, Origin } from "../../domain/access/Origin.ts"
import { actorOf } from "../../domain/access/Principal.ts"
import { CurrentOperator } from "./CurrentOperator.ts"
import { CurrentPrincipal } from "./CurrentPrincipal.ts"
import { CurrentSession } from "./CurrentSession.ts"
import { IdempotencyContext } from "../middleware/JsonWrite.ts"
import { RequestId } from "../server/RequestId.ts"

const user_agent_max = 200

/** Where the request being served comes from. */
export const requestSource = Effect.gen(function* () {
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  return {
    ip: Option.getOrNull(remoteAddress),
    user_agent: headers["user-agent"]?.slice(0, user_agent_max) ?? null,
    request_id: yield* RequestId
  }
})

const originOf = (actor: AuditActor) => Effect.map(requestSource, (source): Origin => ({ actor, ...source }))

/** Who makes the request being served, from where: for the audit log. */
export const requestOrigin = Effect.flatMap(CurrentPrincipal, (principal) => originOf(actorOf(principal)))

/** The same where an operator of the platform does it. */
export const operatorOrigin = Effect.flatMap(CurrentOperator, ({ email, user_id }) =>
  originOf({ type: "ops", id: user_id, label: email })
)

/** The same of a person who is signed in, in whatever workspace or in none. */
export const sessionOrigin = Effect.flatMap(CurrentSession, ({ email, user_id }) =>
  originOf({ type: "user", id: user_id, label: email })
)

/** Who makes the request, and where its answer is to be kept. */
export const requestAsked = Effect.gen(function* () {
  const { request } = yield* IdempotencyContext
  return { origin: yield* requestOrigin, ...(request && { idempotency: request }) }
})
