// The border between a simulation and the world: what is read, or asked, outside takes real time.
import { Clock, Effect } from "effect"
import { simulatedBody } from "../../domain/calls/views/CallbackBody.ts"
import type { CallbackRequest } from "../../domain/calls/state/CallbackAttempt.ts"
import { CallbackFailure, type VoiceCallback } from "../../domain/ports/calls/VoiceCallback.ts"
import type { VirtualClock } from "../../layers/clock/VirtualClock.ts"

/** Each is a request to somebody's server. */
const maxCallbacks = 50

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

const tooMany = new CallbackFailure({
  cause: "callback_failed",
  detail: `A simulation asks callbacks ${maxCallbacks} times at most.`
})

const elsewhere = new CallbackFailure({
  cause: "callback_failed",
  detail: "A simulation asks only the servers of the number's voice_url and voice_fallback_url."
})

export class Outside {
  private readonly real: Clock.Clock
  private readonly virtual: VirtualClock
  /** How often anything outside was asked. */
  asked = 0
  private working = 0
  private callbacks = 0
  private readonly waiting = new Set<() => void>()

  constructor(real: Clock.Clock, virtual: VirtualClock) {
    this.real = real
    this.virtual = virtual
  }

  /** Waits, without turning, until nothing outside is under way. */
  readonly idle: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const wake = () => resume(Effect.void)
    if (this.working === 0) return void wake()
    this.waiting.add(wake)
    return Effect.sync(() => this.waiting.delete(wake))
  })

  /** Runs in real time, while the simulation's time stands still. */
  private during<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.working++
      this.asked++
      return effect.pipe(Effect.provideService(Clock.Clock, this.real), Effect.ensuring(Effect.sync(() => this.end())))
    })
  }

  private end(): void {
    if (--this.working > 0) return
    for (const wake of this.waiting) wake()
    this.waiting.clear()
  }

  /** A service of the engine, of which every method returns an effect. */
  reads<S extends object>(service: S): S {
    const methods = Object.entries(service as Record<string, Method>).map(([name, method]) => [
      name,
      (...args: ReadonlyArray<unknown>) => this.during(method(...args))
    ])
    return Object.fromEntries(methods) as S
  }

  /**
   * Asks the callback for the simulated call. The time that it takes to answer passes for the call, too. What it signs
   * has the real time, or receivers would refuse it. The body says that the call is simulated.
   */
  asks({ ask }: VoiceCallback["Service"], mayAsk: (url: string) => boolean): VoiceCallback["Service"]["ask"] {
    return (request) =>
      Effect.suspend(() => {
        if (++this.callbacks > maxCallbacks) return Effect.fail(tooMany)
        const { fallback_url } = request
        if (!mayAsk(request.url) || (fallback_url !== null && !mayAsk(fallback_url))) return Effect.fail(elsewhere)
        const began = this.real.currentTimeMillisUnsafe()
        const ahead_ms = this.virtual.now - began
        const outside: CallbackRequest = {
          ...request,
          simulated: true,
          body: simulatedBody(request.body),
          deadline_at: request.deadline_at - ahead_ms,
          attempted: (attempt) => request.attempted?.({ ...attempt, at: attempt.at + ahead_ms })
        }
        const passed = Effect.suspend(() => Effect.sleep(this.real.currentTimeMillisUnsafe() - began))
        return Effect.flatMap(Effect.exit(this.during(ask(outside))), (exit) => Effect.andThen(passed, exit))
      })
  }
}
