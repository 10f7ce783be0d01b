// What the clocks of a machine showed at one instant. An engine keeps a reading, so that its next start finds out
// whether the wall clock was set while no engine ran.
import { Schema } from "effect"

export const ClockReading = Schema.Struct({
  /** Names the run of the operating system: clocks of different runs cannot be compared. */
  boot_id: Schema.String,
  /** The engine's time, epoch milliseconds. */
  wall: Schema.Finite,
  /** Milliseconds of a clock that cannot be set, and stands still while the machine does. */
  monotonic: Schema.Finite,
  /** Milliseconds of a clock that cannot be set, and goes on while the machine stands still. */
  uptime: Schema.Finite
})
export type ClockReading = typeof ClockReading.Type

/** Smaller differences are the ordinary corrections of a time service. */
const leap_ms = 1_000
/** The clocks are not read at the same instant. */
const tolerance_ms = 500

/** How long the machine has stood still since it started. */
const stoodStill = ({ monotonic, uptime }: ClockReading): number => uptime - monotonic

/**
 * By how much the wall clock was set between two readings, in milliseconds; 0 if it was not, or if that cannot be
 * known: the machine was started meanwhile, or the process has clocks of its own, as in some containers.
 */
export const setBetween = (before: ClockReading, after: ClockReading): number => {
  const passed_ms = after.monotonic - before.monotonic
  const stood_ms = stoodStill(after) - stoodStill(before)
  const isComparable = before.boot_id === after.boot_id && passed_ms >= 0 && stood_ms > -tolerance_ms
  if (!isComparable || stoodStill(after) < -tolerance_ms) return 0
  const set_ms = Math.round(after.wall - before.wall - passed_ms - stood_ms)
  return Math.abs(set_ms) >= leap_ms ? set_ms : 0
}

/** Whether the kept reading no longer tells the engine's time. */
export const isOutdated = (kept: ClockReading, now: ClockReading): boolean =>
  Math.abs(now.wall - kept.wall - (now.uptime - kept.uptime)) > tolerance_ms / 5
