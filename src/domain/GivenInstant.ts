// Days and instants as customers, operators and gateways write them.
import { Schema } from "effect"

const instant = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i
const day = /^(\d{4}-\d\d-\d\d)$/

/** PostgreSQL has no year 0 and RFC 3339 no years of five digits. No call is older than the telephone. */
const first = Date.parse("1900-01-01T00:00:00Z")
const last = Date.parse("9999-12-31T23:59:59.999Z")

/** JavaScript takes 30 February for 2 March. */
const exists = (date: string): boolean => {
  const at = Date.parse(`${date}T00:00:00Z`)
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(date)
}

const read = (form: RegExp, text: string): number | undefined => {
  const date = form.exec(text)?.[1]
  const at = date !== undefined && exists(date) ? Date.parse(text) : Number.NaN
  return at >= first && at <= last ? at : undefined
}

/** Epoch milliseconds of an RFC 3339 instant that there is. */
export const instantOf = (text: string): number | undefined => read(instant, text)

/** So, or of the beginning of a day, UTC. */
export const dayOrInstantOf = (text: string): number | undefined => read(day, text) ?? read(instant, text)

/** An RFC 3339 instant that exists, from 1900 to 9999. */
export const GivenInstant = Schema.String.check(
  Schema.makeFilter((text: string) => instantOf(text) !== undefined || "Expected an RFC 3339 instant that exists")
)

/** So, or a date: YYYY-MM-DD. */
export const GivenDay = Schema.String.check(
  Schema.makeFilter(
    (text: string) => dayOrInstantOf(text) !== undefined || "Expected a date that exists, as YYYY-MM-DD"
  )
)
