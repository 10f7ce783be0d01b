import { Context, Effect, Layer } from "effect"
import { answerFailure, toFailure } from "../request/AnswerFailure.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { Answers } from "./Answers.ts"

export const AnswersLive = Layer.succeed(Answers)((httpEffect, { endpoint }) => {
  const policy = Context.get(endpoint.annotations, EndpointPolicy)
  return Effect.catch(httpEffect, (error) => answerFailure(toFailure(error, policy)))
})
