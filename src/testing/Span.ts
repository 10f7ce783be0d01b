// How tests write lengths of time.
import { Duration } from "effect"

/** Milliseconds, or a text such as `"30 seconds"`, `"2 minutes"` or `"1 hour"`. */
export type Span =
  | number
  | `${number} ${"millis" | "second" | "seconds" | "minute" | "minutes" | "hour" | "hours" | "day" | "days"}`

export const spanMs = (span: Span): number => Duration.toMillis(Duration.fromInputUnsafe(span))
