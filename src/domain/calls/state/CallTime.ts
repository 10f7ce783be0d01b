// A call's own time. When the wall clock is set while a call is under way, the call goes on in the time that it began
// in (DecideInCallTime.ts). Instants are epoch milliseconds.
import type { Call } from "./Call.ts"

type ClockOf = Pick<Call, "clock_set_ms">

/** The instant of the wall clock in the call's time. */
export const callTime = ({ clock_set_ms = 0 }: ClockOf, wall: number): number => wall - clock_set_ms

/** The instant of the call's time on the wall clock. */
export const wallTime = ({ clock_set_ms = 0 }: ClockOf, at: number): number => at + clock_set_ms
