// Waiting for what an actor makes known: the answer to a request that something else gives.
import { Clock, Effect, Queue } from "effect"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { TopUpPushInProgress } from "../../domain/errors/TopUpErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { TopUpReads } from "../../domain/ports/TopUpReads.ts"
import type { TopUpCommand, TopUpNotice } from "../../domain/topups/TopUpCommand.ts"
import { PayerPhoneLockActor } from "./PayerPhoneLockActor.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { TopUpActor } from "./TopUpActor.ts"

type System = ActorSystem["Service"]

/** Whoever asks for a top-up hears within this whether the provider took it; it goes on if that is not known by then. */
const answer_within = "10 seconds"

/** What is known of it once `done`, or for as long as one may be kept waiting. */
export const makeTold =
  (system: System) => (id: string, command: TopUpCommand, done: (notice: TopUpNotice) => boolean) =>
    Effect.scoped(
      Effect.gen(function* () {
        const news = yield* system.subscribe(TopUpActor, id)
        const reply = yield* system.ask(TopUpActor, id, command)
        if (reply._tag !== "Shown")
          return yield* Effect.die(new Error(`A top-up answered ${command._tag} with ${reply._tag}`))
        let known: TopUpNotice = reply
        const listen = Effect.gen(function* () {
          while (!done(known)) known = yield* Queue.take(news)
        })
        yield* Effect.ignore(Effect.timeoutOption(listen, answer_within))
        return known
      })
    )

/** The top-up is made by the payment, a moment after it was released. */
export const makeCredited = (system: System) => (id: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const news = yield* system.subscribe(TopUpActor, id)
      const known = yield* Effect.option(system.ask(TopUpActor, id, { _tag: "Show" }))
      if (known._tag === "Some" && known.value._tag === "Shown" && known.value.record.status === "succeeded")
        return known.value.record
      const succeeded = Effect.gen(function* () {
        while (true) {
          const { record } = yield* Queue.take(news)
          if (record.status === "succeeded") return record
        }
      })
      return yield* succeeded.pipe(
        Effect.timeout(answer_within),
        Effect.mapError(
          (cause) => new ServiceUnavailable({ message: "The payment is released; its credit is under way.", cause })
        )
      )
    })
  )

/** The phone is the top-up's for a minute, or as long as it is pending; another one is refused. */
export const makeReserve = (system: System, reads: TopUpReads["Service"]) => {
  const reserve = (
    phone: string,
    topup_id: string,
    instead_of: string | null = null
  ): Effect.Effect<void, Failure | NotCommitted | ReadFailed> =>
    Effect.gen(function* () {
      const reply = yield* system.ask(PayerPhoneLockActor, phone, { _tag: "Reserve", topup_id, instead_of })
      if (reply._tag === "Reserved") return
      const holder = yield* forEverybody(reads.status(reply.topup_id))
      if (instead_of === null && holder !== undefined && holder !== "pending")
        return yield* reserve(phone, topup_id, reply.topup_id)
      const left_ms = reply.until - (yield* Clock.currentTimeMillis)
      return yield* new TopUpPushInProgress({ retry_after_seconds: Math.max(1, Math.ceil(left_ms / 1_000)) })
    })
  return reserve
}
