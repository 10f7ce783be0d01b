import { Context, Effect, Layer } from "effect"
import { makeDeadline, RequestTimeout } from "../request/RequestDeadline.ts"
import { answerFailure, toFailure } from "../request/AnswerFailure.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { isShed } from "../../domain/journal/Shedding.ts"
import { sheddable, tooMuchToDo } from "../request/Sheddable.ts"
import { Overload } from "../request/Overload.ts"
import { Answers } from "./Answers.ts"

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
      const kind = sheddable(endpoint)
      return kind === undefined
        ? answer
        : Effect.flatMap(overload.everybody, (shed) => (isShed(shed, kind) ? answerFailure(tooMuchToDo()) : answer))
    })
  })
)
