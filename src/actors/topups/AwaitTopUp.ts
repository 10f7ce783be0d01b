// Waits for the state of a top-up that answers a request.
import { Effect, Queue } from "effect"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { TopUpCommands, type TopUpNotice } from "../../domain/topups/TopUpCommand.ts"
import type { TopUpRecord } from "../../domain/topups/TopUpRecord.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { TopUpActor } from "./TopUpActor.ts"
import type { TopUpId } from "../../domain/BrandedIds.ts"

type System = ActorSystem["Service"]

/** A request is answered within this time, although the top-up may still be pending. */
const answerTimeout = "10 seconds"

/**
 * Sends a command to the top-up, and returns the first state of it that is `done`, or the latest state after 10
 * seconds. Fails with the errors of the command.
 */
export const awaitTopUp = <E>(
  system: System,
  id: TopUpId,
  command: Effect.Effect<TopUpNotice, E>,
  done: (notice: TopUpNotice) => boolean
): Effect.Effect<TopUpNotice, E> =>
  Effect.scoped(
    Effect.gen(function* () {
      const notices = yield* system.subscribe(TopUpActor, id)
      let latest = yield* command
      const listen = Effect.gen(function* () {
        while (!done(latest)) latest = yield* Queue.take(notices)
      })
      yield* Effect.ignore(Effect.timeoutOption(listen, answerTimeout))
      return latest
    })
  )

/**
 * Waits for the top-up that a released payment creates, until its money is in the wallet. Fails with 503 after 10
 * seconds.
 */
export const awaitCredit = (system: System, id: TopUpId): Effect.Effect<TopUpRecord, ServiceUnavailable> =>
  Effect.scoped(
    Effect.gen(function* () {
      const notices = yield* system.subscribe(TopUpActor, id)
      const known = yield* Effect.option(system.ask(TopUpCommands.Show, id, {}))
      if (known._tag === "Some" && known.value.record.status === "succeeded") return known.value.record
      const succeeded = Effect.gen(function* () {
        while (true) {
          const { record } = yield* Queue.take(notices)
          if (record.status === "succeeded") return record
        }
      })
      return yield* succeeded.pipe(
        Effect.timeout(answerTimeout),
        Effect.mapError(
          (cause) =>
            new ServiceUnavailable({ message: "The payment was released; its credit is not stored yet.", cause })
        )
      )
    })
  )
