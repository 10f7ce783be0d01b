import { Effect, Schedule } from "effect"

/** Quick at first, then every five seconds: for work that must succeed and whose failures pass. */
const patience = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

/** Repeats the effect until it succeeds. The plan decides when to stop trying. */
export const retrying = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  Effect.orDie(Effect.retry(effect, patience))
