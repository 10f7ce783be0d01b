// The kinds of values that requests and actions about calls have in common.
import { Schema } from "effect"

export const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** JSON Schema patterns are Unicode patterns, hence the flag `u` on each. */
export const matching = (pattern: RegExp, max: number) =>
  Schema.String.check(Schema.isPattern(pattern), Schema.isMaxLength(max))

/** A text that is not empty. */
export const Text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max))

export const HttpUrl = matching(/^https?:\/\/[^\s/]/u, 2048)

/** DTMF digits; `w` waits half a second, `W` a second. */
export const Digits = matching(/^[0-9A-D*#wW]+$/u, 64)
