// Questions that wait at the same moment share one statement, as commits share one transaction.
import { Deferred, Effect, Queue, type Scope } from "effect"

interface Asked<Q, A, E> {
  readonly question: Q
  readonly answer: Deferred.Deferred<A, E>
}

/**
 * `answerAll` gets at most `max_batch` questions and answers them in their order. `lanes` statements are under way at
 * a time; what is asked meanwhile goes into the next.
 */
export const batchedReads = <Q, A, E>(
  options: { readonly max_batch: number; readonly lanes: number },
  answerAll: (questions: ReadonlyArray<Q>) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<(question: Q) => Effect.Effect<A, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked = yield* Queue.unbounded<Asked<Q, A, E>>()
    const next = Effect.flatMap(Queue.takeBetween(asked, 1, options.max_batch), (batch) =>
      Effect.matchCauseEffect(answerAll(batch.map(({ question }) => question)), {
        onSuccess: (answers) =>
          Effect.forEach(batch, ({ answer }, index) => Deferred.succeed(answer, answers[index]!), { discard: true }),
        onFailure: (cause) =>
          Effect.forEach(batch, ({ answer }) => Deferred.failCause(answer, cause), { discard: true })
      })
    )
    for (let lane = 0; lane < options.lanes; lane++) yield* Effect.forkScoped(Effect.forever(next))
    return (question) =>
      Effect.gen(function* () {
        const answer = yield* Deferred.make<A, E>()
        yield* Queue.offer(asked, { question, answer })
        return yield* Deferred.await(answer)
      })
  })
