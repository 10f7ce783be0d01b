// Groups reads that are waiting at the same moment into one SQL statement.
import { Deferred, Effect, Queue, type Scope } from "effect"

interface Pending<Q, A, E> {
  readonly question: Q
  readonly answer: Deferred.Deferred<A, E>
}

/**
 * Returns a function that reads one item. `answerAll` receives up to `max_batch` questions and returns their answers in
 * the same order; its failure fails every question of the batch. At most `lanes` statements run at a time. Questions
 * that arrive meanwhile wait for the next statement.
 */
export const batchedReads = <Q, A, E>(
  options: { readonly max_batch: number; readonly lanes: number },
  answerAll: (questions: ReadonlyArray<Q>) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<(question: Q) => Effect.Effect<A, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const pending = yield* Queue.unbounded<Pending<Q, A, E>>()
    const next = Effect.flatMap(Queue.takeBetween(pending, 1, options.max_batch), (batch) =>
      Effect.matchCauseEffect(answerAll(batch.map(({ question }) => question)), {
        onSuccess: (answers) =>
          // There is an answer to each question; an answer may itself be undefined.
          Effect.forEach(batch, ({ answer }, index) => Deferred.succeed(answer, answers[index] as A), {
            discard: true
          }),
        onFailure: (cause) =>
          Effect.forEach(batch, ({ answer }) => Deferred.failCause(answer, cause), { discard: true })
      })
    )
    for (let lane = 0; lane < options.lanes; lane++) yield* Effect.forkScoped(Effect.forever(next))
    return (question) =>
      Effect.gen(function* () {
        const answer = yield* Deferred.make<A, E>()
        yield* Queue.offer(pending, { question, answer })
        return yield* Deferred.await(answer)
      })
  })
