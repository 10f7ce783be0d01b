/**
 * What happened to the wall clock while the engine ran. `set`: somebody or something set it, and no time passed.
 * `stood_still`: the machine stood still, and time passed without the engine. `by_ms`: forward positive.
 */
export interface ClockLeap {
  readonly kind: "set" | "stood_still"
  readonly by_ms: number
}

/** The leaps since the engine started. `at`: when the last was noticed, by the clock after it, epoch milliseconds. */
export interface LeapHistory {
  readonly count: number
  readonly last: (ClockLeap & { readonly at: number }) | undefined
}

export const noLeaps: LeapHistory = { count: 0, last: undefined }

/** How far, in seconds with one decimal. Both clocks are read to a few milliseconds. */
export const leapSeconds = ({ by_ms }: ClockLeap): number => Math.round(by_ms / 100) / 10
