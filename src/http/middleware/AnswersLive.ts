import { Context, Effect, Layer } from "effect"
import { makeDeadline, RequestTimeout } from "../request/RequestDeadline.ts"
import { answerFailure, toFailure } from "../request/AnswerFailure.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import type { HttpApiEndpoint } from "effect/http-api"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { isShed } from "../../domain/journal/Shedding.ts"
import { namesOf } from "../request/QueryNames.ts"
import { Overload } from "../server/Overload.ts"
import { Answers } from "./Answers.ts"

const lists = new WeakMap<HttpApiEndpoint.Top, boolean>()

/** Whether the endpoint has pages. */
const isList = (endpoint: HttpApiEndpoint.Top): boolean => {
  const known = lists.get(endpoint)
  if (known !== undefined) return known
  const found = endpoint.method === "GET" && namesOf(endpoint).includes("cursor")
  lists.set(endpoint, found)
  return found
}

const busy = (): ServiceUnavailable =>
  new ServiceUnavailable({ message: "The engine has too much to do at the moment.", retry_after_seconds: 2 })

export const AnswersLive = Layer.effect(
  Answers,
  Effect.gen(function* () {
    const { timeout_ms } = yield* RequestTimeout
    const overload = yield* Overload
    const withDeadline = yield* makeDeadline(timeout_ms)
    return Answers.of((httpEffect, { endpoint }) => {
      const policy = Context.get(endpoint.annotations, EndpointPolicy)
      const inTime = withDeadline(httpEffect, endpoint.method)
      const answer = Effect.catch(inTime, (error) => answerFailure(toFailure(error, policy)))
      const kind = policy.shed ?? (isList(endpoint) ? "reads" : undefined)
      return kind === undefined
        ? answer
        : Effect.flatMap(overload.shed, (shed) => (isShed(shed, kind) ? answerFailure(busy()) : answer))
    })
  })
)
