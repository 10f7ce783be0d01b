/** How many instants are remembered. A power of two, so that the lowest bits of an instant select its place. */
const places = 1024
const instants = new Float64Array(places).fill(Number.NaN)
const texts = Array.from<string | undefined>({ length: places })

/**
 * The instant as the API shows it (RFC 3339, in UTC). `at`: epoch milliseconds. The text is remembered, because a call
 * shows each of its few instants half a dozen times, and `Date` needs 400 ns to make one.
 */
export const isoInstant = (at: number): string => {
  const place = at & (places - 1)
  const known = texts[place]
  if (known !== undefined && instants[place] === at) return known
  const text = new Date(at).toISOString()
  instants[place] = at
  texts[place] = text
  return text
}

/** The instant as the API shows it, or null where there is none. */
export const instantOrNull = (at: number | null): string | null => (at === null ? null : isoInstant(at))
