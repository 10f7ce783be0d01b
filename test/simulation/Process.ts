// What has fibers, timers and a clock of its own, and can die or stand still: an engine, or a part of the outside.
import { Clock, Context, Duration, Effect, type Fiber, Logger, Random, Scheduler } from "effect"
import type { ClockSources } from "../../src/layers/clock/SteadyClock.ts"
import type { Kernel } from "./Kernel.ts"
import { Rng } from "./Rng.ts"

/** How far a clock drifts in a second. */
const driftMost_ms = 400

export interface Job {
  readonly owner: Process
  readonly run: () => void
}

export class Process {
  alive = true
  frozen = false
  /** How far its wall clock has drifted from that of others, in milliseconds. */
  skew_ms = 0
  private driftsTo_ms = 0
  private drifts = false
  readonly parked: Array<Job> = []
  readonly context: Context.Context<never>
  readonly kernel: Kernel
  readonly name: string

  /** `preempt`: after so many steps a fiber lets others run. */
  constructor(kernel: Kernel, name: string, preempt: number) {
    this.kernel = kernel
    this.name = name
    this.context = this.makeContext(preempt)
  }

  get now(): number {
    return this.kernel.now + this.skew_ms
  }

  /** What an engine finds out about its clocks. */
  get sources(): ClockSources {
    const { kernel } = this
    return { wall: () => kernel.wall + this.skew_ms, monotonic: () => kernel.now, uptime: () => kernel.now }
  }

  /** Moves the wall clock by so much, slowly enough that the engine does not take it for a clock that was set. */
  drift(to_ms: number): void {
    this.driftsTo_ms = to_ms
    if (!this.drifts) this.driftOn()
  }

  private driftOn(): void {
    const left_ms = this.driftsTo_ms - this.skew_ms
    this.drifts = left_ms !== 0
    this.skew_ms += Math.sign(left_ms) * Math.min(Math.abs(left_ms), driftMost_ms)
    if (this.drifts) this.kernel.after(this.kernel.outside, 1_000, () => this.driftOn())
  }

  /** What was queued is dropped. No finalizer runs, as in a process that is killed. */
  kill(): void {
    this.alive = false
    this.parked.length = 0
  }

  /** The process stands still: what is due waits until `thaw`. */
  freeze(for_ms: number): void {
    if (!this.alive || this.frozen) return
    this.kernel.note(`${this.name} freezes`)
    this.frozen = true
    this.kernel.after(this.kernel.outside, for_ms, () => this.thaw())
  }

  thaw(): void {
    this.frozen = false
    for (const { run } of this.parked.splice(0)) this.kernel.soon(this, run)
  }

  fork<A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> {
    return this.kernel.within(this, () => Effect.runForkWith(this.context)(effect))
  }

  private makeContext(preempt: number): Context.Context<never> {
    const { kernel, name } = this
    const rng = new Rng(kernel.seed, name)
    const random: Context.Service.Shape<typeof Random.Random> = {
      nextIntUnsafe: () => rng.between(-(2 ** 31), 2 ** 31 - 1),
      nextDoubleUnsafe: () => rng.next()
    }
    const log = Logger.make<unknown, void>(({ cause, logLevel, message }) => {
      if (logLevel === "Error" || logLevel === "Fatal")
        kernel.errors.push(`${name}: ${JSON.stringify(message)} ${String(cause).slice(0, 1_500)}`)
    })
    return Context.empty().pipe(
      Context.add(Scheduler.Scheduler, this.scheduler(preempt)),
      Context.add(Clock.Clock, this.clock()),
      Context.add(Random.Random, random),
      Context.add(Logger.CurrentLoggers, new Set([log])),
      Context.add(Scheduler.MaxOpsBeforeYield, preempt)
    ) as Context.Context<never>
  }

  private scheduler(preempt: number): Scheduler.Scheduler {
    return {
      executionMode: "async",
      shouldYield: (fiber) => fiber.currentOpCount >= preempt,
      makeDispatcher: () => ({ scheduleTask: (task) => this.kernel.soon(this, task), flush: () => {} })
    }
  }

  private clock(): Clock.Clock {
    const { kernel } = this
    const nanos = () => BigInt(this.now) * 1_000_000n
    const monotonic = () => BigInt(kernel.now) * 1_000_000n
    return {
      currentTimeMillisUnsafe: () => this.now,
      currentTimeMillis: Effect.sync(() => this.now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) => {
        const wait_ms = Math.ceil(Duration.toMillis(duration))
        if (wait_ms <= 0) return Effect.yieldNow
        if (!Number.isFinite(wait_ms)) return Effect.never
        return Effect.callback<void>((resume) => {
          const timer = kernel.after(this, wait_ms, () => resume(Effect.void))
          return Effect.sync(() => kernel.cancel(timer))
        })
      }
    }
  }
}
