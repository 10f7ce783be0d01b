import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type { AuditActor, Origin } from "../domain/access/Origin.ts"
import { actorOf } from "../domain/access/Principal.ts"
import { CurrentOperator } from "./CurrentOperator.ts"
import { CurrentPrincipal } from "./CurrentPrincipal.ts"
import { RequestId } from "./RequestId.ts"

const user_agent_max = 200

const originOf = Effect.fnUntraced(function*(actor: AuditActor) {
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  const origin: Origin = {
    actor,
    ip: Option.getOrNull(remoteAddress),
    user_agent: headers["user-agent"]?.slice(0, user_agent_max) ?? null,
    request_id: yield* RequestId
  }
  return origin
})

/** Who makes the request being served, from where: for the audit log. */
export const requestOrigin = Effect.flatMap(CurrentPrincipal, (principal) => originOf(actorOf(principal)))

/** The same where an operator of the platform does it. */
export const operatorOrigin = Effect.flatMap(CurrentOperator, ({ email, user_id }) =>
  originOf({ type: "ops", id: user_id, label: email }))
