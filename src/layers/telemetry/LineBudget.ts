// Bounds the lines of a log that one workspace can cause, so that nobody's failures hide those of others.

export interface LineBudget {
  /** Whether a line may be written, and how many were left out since the last one. */
  readonly take: (key: string, now: number) => { readonly allowed: boolean; readonly left_out: number }
}

export interface LineLimits {
  readonly window_ms: number
  /** Lines of one key in a window. */
  readonly each: number
  /** Lines of all keys in a window. */
  readonly all: number
}

export const makeLineBudget = ({ all, each, window_ms }: LineLimits): LineBudget => {
  let ends_at = 0
  let lines = 0
  let left_out = 0
  const byKey = new Map<string, number>()
  return {
    take: (key, now) => {
      if (now >= ends_at) {
        ends_at = now + window_ms
        lines = 0
        byKey.clear()
      }
      const written = byKey.get(key) ?? 0
      if (lines >= all || written >= each) {
        left_out++
        return { allowed: false, left_out }
      }
      lines++
      byKey.set(key, written + 1)
      const since = left_out
      left_out = 0
      return { allowed: true, left_out: since }
    }
  }
}
