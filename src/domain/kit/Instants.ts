/** The instant as the API shows it (RFC 3339, in UTC). `at`: epoch milliseconds. */
export const isoInstant = (at: number): string => new Date(at).toISOString()

/** The instant as the API shows it, or null where there is none. */
export const instantOrNull = (at: number | null): string | null => (at === null ? null : isoInstant(at))
