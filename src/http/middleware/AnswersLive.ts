import { Context, Effect, Layer } from "effect"
import { makeDeadline, RequestTimeout } from "../request/RequestDeadline.ts"
import { answerFailure, toFailure } from "../request/AnswerFailure.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { Answers } from "./Answers.ts"

export const AnswersLive = Layer.effect(
  Answers,
  Effect.gen(function* () {
    const { timeout_ms } = yield* RequestTimeout
    const withDeadline = yield* makeDeadline(timeout_ms)
    return Answers.of((httpEffect, { endpoint }) => {
      const policy = Context.get(endpoint.annotations, EndpointPolicy)
      const inTime = withDeadline(httpEffect, endpoint.method)
      return Effect.catch(inTime, (error) => answerFailure(toFailure(error, policy)))
    })
  })
)
