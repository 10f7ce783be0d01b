// Limits what stolen credentials can do at once: calls to a country that the workspace never called before, and calls
// on its first day (docs/calling-policy.md). A wallet remembers both with its other dials.
import { Schema } from "effect"
import { CallRateLimited } from "../errors/CallErrors.ts"
import { Count, EpochMs, optional, orNull } from "../kit/Fields.ts"

/** The calls of the first hour after the first call to a country. */
const NewCountry = Schema.Struct({ since: EpochMs, calls: Count })
type NewCountry = typeof NewCountry.Type

/** The calls of the current hour of the first day. `hour` counts from 0, the hour of the first call. */
const FirstDay = Schema.Struct({ since: EpochMs, hour: Schema.Int, calls: Count })
type FirstDay = typeof FirstDay.Type

/** What a wallet remembers. Absent: it never dialled, or only before this was recorded. */
export const KnownDestinations = Schema.Struct({
  /** By ISO 3166-1 alpha-2 code, so there are never more of them than countries. */
  countries: optional(Schema.Record(Schema.String, NewCountry)),
  first_day: optional(FirstDay)
})
export type KnownDestinations = typeof KnownDestinations.Type

/** Null or absent: no limit. */
export const NewDestinationLimits = Schema.Struct({
  max_calls_to_new_country: optional(orNull(Count)),
  max_calls_per_hour_on_first_day: optional(orNull(Count))
})
export type NewDestinationLimits = typeof NewDestinationLimits.Type

/** The legs of one request: how many, and the country of each that leaves the country of its number. */
export interface NewLegs {
  readonly legs: number
  readonly abroad: ReadonlyArray<string>
}

const hour_ms = 3_600_000
const hoursOfFirstDay = 24

const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1_000))

const countOf = (all: ReadonlyArray<string>, one: string): number => all.filter((each) => each === one).length

/** A clock that was set back does not make a country old: its hour only lasts longer. */
const isNew = ({ since }: NewCountry, now: number): boolean => now < since + hour_ms

const checkCountries = (
  { countries = {} }: KnownDestinations,
  abroad: ReadonlyArray<string>,
  max: number,
  now: number
): CallRateLimited | undefined => {
  for (const country of new Set(abroad)) {
    const known = countries[country] ?? { since: now, calls: 0 }
    if (!isNew(known, now) || known.calls + countOf(abroad, country) <= max) continue
    return new CallRateLimited({
      reason: "max_calls_to_new_country",
      message: `The workspace called ${country} for the first time less than an hour ago, and its calling policy allows only a few calls until then.`,
      retry_after_seconds: secondsUntil(known.since + hour_ms, now)
    })
  }
  return undefined
}

/** The current hour of the first day; undefined once the day is over. */
const currentHour = ({ first_day }: KnownDestinations, now: number): FirstDay | undefined => {
  const { calls, hour, since } = first_day ?? { calls: 0, hour: 0, since: now }
  const current = Math.max(hour, Math.floor((now - since) / hour_ms))
  if (current >= hoursOfFirstDay) return undefined
  return { since, hour: current, calls: current === hour ? calls : 0 }
}

const checkFirstDay = (
  known: KnownDestinations,
  legs: number,
  max: number,
  now: number
): CallRateLimited | undefined => {
  const current = currentHour(known, now)
  if (current === undefined || current.calls + legs <= max) return undefined
  return new CallRateLimited({
    reason: "max_calls_per_hour_on_first_day",
    message: "The workspace is new and has placed as many calls in this hour as its calling policy allows.",
    retry_after_seconds: secondsUntil(current.since + (current.hour + 1) * hour_ms, now)
  })
}

/** The limit that the legs would exceed; otherwise undefined. */
export const checkNewDestinations = (
  known: KnownDestinations,
  { abroad, legs }: NewLegs,
  {
    max_calls_per_hour_on_first_day: perHour = null,
    max_calls_to_new_country: perCountry = null
  }: NewDestinationLimits,
  now: number
): CallRateLimited | undefined =>
  (perCountry === null ? undefined : checkCountries(known, abroad, perCountry, now)) ??
  (perHour === null ? undefined : checkFirstDay(known, legs, perHour, now))

const afterCallTo = (countries: Readonly<Record<string, NewCountry>>, country: string, now: number) => {
  const known = countries[country] ?? { since: now, calls: 0 }
  return isNew(known, now) ? { ...countries, [country]: { ...known, calls: known.calls + 1 } } : countries
}

/** What is remembered after the legs were placed. It is recorded without a limit, too, so that one can be set later. */
export const addNewLegs = <K extends KnownDestinations>(known: K, { abroad, legs }: NewLegs, now: number): K => {
  const current = currentHour(known, now)
  return {
    ...known,
    ...(abroad.length > 0 && {
      countries: abroad.reduce((countries, country) => afterCallTo(countries, country, now), known.countries ?? {})
    }),
    ...(current !== undefined && { first_day: { ...current, calls: current.calls + legs } })
  }
}
