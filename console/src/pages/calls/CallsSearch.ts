// The filters of the list of calls, as the address has them.

export const callStatuses = ["ringing", "answered", "completed", "no_answer", "busy", "failed", "canceled"] as const

export interface CallsSearch {
  readonly status?: (typeof callStatuses)[number]
  readonly direction?: "outbound" | "inbound"
  readonly to?: string
  readonly from?: string
  readonly client_reference?: string
  /** A day of the viewer, YYYY-MM-DD; the calls of that day and later. */
  readonly since?: string
  /** The calls of that day and before. */
  readonly until?: string
}

const text = (value: unknown): string | undefined => {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const trimmed = String(value).trim().slice(0, 128)
  return trimmed === "" ? undefined : trimmed
}

const day = (value: unknown): string | undefined => {
  const given = text(value)
  return given !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined
}

/** `+254…` arrives from the address as a number without its plus. */
const phone = (value: unknown): string | undefined => (typeof value === "number" ? `+${value}` : text(value))

const withoutUndefined = <A extends object>(all: A): { [K in keyof A]: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never

/** Reads the filters of an address. What makes no sense is left out. */
export const readCallsSearch = (search: Readonly<Record<string, unknown>>): CallsSearch =>
  withoutUndefined({
    status: callStatuses.find((status) => status === search["status"]),
    direction: (["outbound", "inbound"] as const).find((direction) => direction === search["direction"]),
    to: phone(search["to"]),
    from: phone(search["from"]),
    client_reference: text(search["client_reference"]),
    since: day(search["since"]),
    until: day(search["until"])
  })

const day_ms = 86_400_000

/** The query of the API for these filters. Days begin at the viewer's midnight. */
export const callsQuery = ({ since, until, ...rest }: CallsSearch): Readonly<Record<string, string | undefined>> => ({
  ...rest,
  created_after: since === undefined ? undefined : new Date(`${since}T00:00:00`).toISOString(),
  created_before:
    until === undefined ? undefined : new Date(new Date(`${until}T00:00:00`).getTime() + day_ms).toISOString()
})
