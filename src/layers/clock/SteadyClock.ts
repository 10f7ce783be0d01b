// The wall clock, watched. Time that the wall clock gains or loses without the monotonic clock is a leap. While the
// machine stood still, real time passed: the engine's time follows at once. If the clock was set, no time passed: the
// engine's time goes on undisturbed until calls under way were told (`ClockLeaps.follow`).
import { Clock, Context, type Duration, Effect, Layer, Queue } from "effect"
import { uptime } from "node:os"
import { type ClockLeap, type LeapHistory, noLeaps } from "../../domain/ClockLeap.ts"
import { type ClockReading, isOutdated, setBetween } from "../../domain/ClockReading.ts"
import { ClockLeaps } from "../../domain/ports/engine/ClockLeaps.ts"
import type { KeptClock } from "./KeptClock.ts"

/** Smaller differences are the ordinary corrections of a time service. */
const leap_ms = 1_000
/** The clocks that are compared are not read at the same instant. */
const tolerance_ms = 500
/** How often an idle engine looks. */
const lookEvery = "1 second"

/** All in milliseconds. */
export interface ClockSources {
  /** Unix time. It can be set. */
  readonly wall: () => number
  /** Cannot be set. It stands still while the machine does. */
  readonly monotonic: () => number
  /** Cannot be set. On Linux it goes on while the machine is suspended (`CLOCK_BOOTTIME`). */
  readonly uptime: () => number
}

const sourcesOf = (base: Clock.Clock): ClockSources => ({
  wall: () => base.currentTimeMillisUnsafe(),
  monotonic: () => Number(base.monotonicTimeNanosUnsafe()) / 1_000_000,
  uptime: () => uptime() * 1_000
})

export class SteadyClock implements Clock.Clock {
  private readonly base: Clock.Clock
  private readonly sources: ClockSources
  private readonly leaped: (leap: ClockLeap) => void
  private wall: number
  private monotonic: number
  /** Real time beyond the monotonic clock: how long the machine has stood still since it started. */
  private stood: number
  /** What the wall clock was set by and the engine's time has not followed yet. */
  private withheld: number

  /** `withheld`: what the wall clock was set by before. */
  constructor(base: Clock.Clock, sources: ClockSources, leaped: (leap: ClockLeap) => void, withheld = 0) {
    this.withheld = withheld
    this.base = base
    this.sources = sources
    this.leaped = leaped
    this.wall = sources.wall()
    this.monotonic = sources.monotonic()
    this.stood = sources.uptime() - this.monotonic
  }

  currentTimeMillisUnsafe(): number {
    let wall = this.sources.wall()
    // A busy engine asks a hundred times in a millisecond. The next one shows a leap, too.
    if (wall === this.wall) return wall - this.withheld
    let monotonic = this.sources.monotonic()
    let gained = wall - this.wall - (monotonic - this.monotonic)
    if (Math.abs(gained) >= leap_ms) {
      // This process may have stood still between the two readings. Only a leap shows in the next ones, too.
      wall = this.sources.wall()
      monotonic = this.sources.monotonic()
      gained = wall - this.wall - (monotonic - this.monotonic)
    }
    this.wall = wall
    this.monotonic = monotonic
    if (Math.abs(gained) >= leap_ms) this.judge(Math.round(gained))
    return wall - this.withheld
  }

  follow(by_ms: number): void {
    this.withheld -= by_ms
  }

  private judge(gained: number): void {
    const stood = this.sources.uptime() - this.monotonic
    const stoodStill = Math.round(stood - this.stood)
    this.stood = stood
    const set = gained - stoodStill
    if (stoodStill >= leap_ms) this.leaped({ kind: "stood_still", by_ms: stoodStill })
    if (Math.abs(set) < tolerance_ms) return
    this.withheld += set
    this.leaped({ kind: "set", by_ms: set })
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())

  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.currentTimeMillisUnsafe()) * 1_000_000n
  }

  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())

  monotonicTimeNanosUnsafe(): bigint {
    return this.base.monotonicTimeNanosUnsafe()
  }

  get monotonicTimeNanos(): Effect.Effect<bigint> {
    return this.base.monotonicTimeNanos
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.base.sleep(duration)
  }
}

/** What the clocks show now. `wall`: the engine's time. */
const readingOf = (kept: KeptClock, sources: ClockSources, wall: number): ClockReading => ({
  boot_id: kept.boot_id,
  wall,
  monotonic: sources.monotonic(),
  uptime: sources.uptime()
})

/** By how much the wall clock was set since the last engine of this machine kept a reading. */
const setWhileDown = (kept: KeptClock | undefined, sources: ClockSources): Effect.Effect<number> =>
  kept === undefined
    ? Effect.succeed(0)
    : Effect.map(kept.read, (before) =>
        before === undefined ? 0 : setBetween(before, readingOf(kept, sources, sources.wall()))
      )

/** Keeps a reading whenever the one that was kept is outdated. */
const makeKeep = (kept: KeptClock | undefined, sources: ClockSources, clock: Clock.Clock): Effect.Effect<void> => {
  if (kept === undefined) return Effect.void
  let last: ClockReading | undefined
  return Effect.suspend(() => {
    const reading = readingOf(kept, sources, clock.currentTimeMillisUnsafe())
    if (last !== undefined && !isOutdated(last, reading)) return Effect.void
    last = reading
    return kept.write(reading)
  })
}

/**
 * The clock of the engine, and what happens to it. `sources`: those of the present clock by default. `kept`: what the
 * engine before kept; without it, nothing is known of the time before the start.
 */
export const layer = (
  sources: (base: Clock.Clock) => ClockSources = sourcesOf,
  kept?: KeptClock
): Layer.Layer<ClockLeaps> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const base = yield* Clock.Clock
      const read = sources(base)
      const leaps = yield* Queue.unbounded<ClockLeap>()
      let history: LeapHistory = noLeaps
      const notice = (leap: ClockLeap) => {
        history = { count: history.count + 1, last: { ...leap, at: read.wall() } }
      }
      const set_ms = yield* setWhileDown(kept, read)
      const whileDown: ClockLeap | undefined = set_ms === 0 ? undefined : { kind: "set", by_ms: set_ms }
      if (whileDown !== undefined) notice(whileDown)
      const leaped = (leap: ClockLeap) => {
        notice(leap)
        Queue.offerUnsafe(leaps, leap)
      }
      const clock = new SteadyClock(base, read, leaped, set_ms)
      const keep = makeKeep(kept, read, clock)
      const look = Effect.andThen(clock.currentTimeMillis, keep)
      yield* look.pipe(Effect.andThen(Effect.sleep(lookEvery)), Effect.forever, Effect.forkScoped)
      return Context.make(ClockLeaps, {
        whileDown,
        keep,
        common: undefined,
        next: Queue.take(leaps),
        follow: ({ by_ms, kind }) => {
          if (kind === "set") clock.follow(by_ms)
        },
        history: () => history
      }).pipe(Context.add(Clock.Clock, clock))
    })
  )
