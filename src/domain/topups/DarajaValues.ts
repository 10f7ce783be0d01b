// Times and amounts as Safaricom writes them: East Africa Time (UTC+3, no summer time), shillings with or without cents.
const east_africa_ms = 3 * 3_600_000

/** `2019-12-19 10:21:15` */
export const eastAfrican = (at: number): string =>
  new Date(at + east_africa_ms).toISOString().slice(0, 19).replace("T", " ")

/** `20191219102115` */
export const stamp = (at: number): string => eastAfrican(at).replaceAll(/\D/g, "")

/** Of either form, or RFC 3339; East Africa Time where no zone is said. */
export const instantOf = (text: string): number | undefined => {
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  const [, year, month, day, hour, minute, second] = digits ?? []
  const iso = digits === null ? text.trim().replace(" ", "T") : `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const at = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/i.test(iso) ? iso : `${iso}+03:00`)
  return Number.isNaN(at) ? undefined : at
}

/** Clocks may differ by so much. */
const clocks_differ_ms = 300_000

/**
 * Of what was paid by `latest`. The list of payments is asked for in East Africa Time and shows its times with a `Z`, and
 * Safaricom's documentation does not say that they are UTC: one that would be still to come is taken for East Africa Time.
 */
export const pastInstantOf = (text: string, latest: number): number | undefined => {
  const at = instantOf(text)
  return at !== undefined && at > latest + clocks_differ_ms ? at - east_africa_ms : at
}

/** Minor units of `10`, `10.5`, `10.00` or `1,000.00`; undefined where it is none of them. */
export const minorOf = (text: string): number | undefined => {
  const match = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text.trim().replaceAll(",", ""))
  return match === null ? undefined : Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"))
}
