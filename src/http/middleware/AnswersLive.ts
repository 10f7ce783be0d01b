import { Context, Effect, Layer } from "effect"
import { RequestTimeout, withDeadline } from "../request/RequestDeadline.ts"
import { answerFailure, toFailure } from "../request/AnswerFailure.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { Answers } from "./Answers.ts"

export const AnswersLive = Layer.effect(
  Answers,
  Effect.map(RequestTimeout, ({ timeout_ms }) =>
    Answers.of((httpEffect, { endpoint }) => {
      const policy = Context.get(endpoint.annotations, EndpointPolicy)
      const inTime = withDeadline(httpEffect, endpoint.method, timeout_ms)
      return Effect.catch(inTime, (error) => answerFailure(toFailure(error, policy)))
    })
  )
)
