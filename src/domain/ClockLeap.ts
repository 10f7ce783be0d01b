/**
 * What happened to the wall clock while the engine ran. `set`: somebody or something set it, and no time passed.
 * `stood_still`: the machine stood still, and time passed without the engine. `by_ms`: forward positive.
 */
export interface ClockLeap {
  readonly kind: "set" | "stood_still"
  readonly by_ms: number
}
