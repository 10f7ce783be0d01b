// Lengths of time and instants, as people write them.
import { CommandFailure } from "./CommandFailure.ts"

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of `30s`, `10m`, `2h` or `7d`; undefined for other texts. */
const spanIn = (text: string): number | undefined => {
  const [, count, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 0)
}

/** Milliseconds. Throws CommandFailure. */
export const spanOf = (text: string): number => {
  const span = spanIn(text)
  if (span !== undefined) return span
  throw new CommandFailure({ exit: "usage", message: `${text} is no length of time. Write 30s, 10m or 2h.` })
}

/** An instant: RFC 3339, or a time back from now such as `2h`. Throws CommandFailure. */
export const instantOf = (text: string, now: number): string => {
  const span = spanIn(text)
  const at = span === undefined ? Date.parse(text) : now - span
  if (Number.isNaN(at))
    throw new CommandFailure({ exit: "usage", message: `${text} is no time. Write 10m, 2h, or 2026-10-01T12:00:00Z.` })
  return new Date(at).toISOString()
}
