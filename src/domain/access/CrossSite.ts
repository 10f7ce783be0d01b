// Whether a browser sends a request on behalf of another site, whose pages must not use the cookies of this one.

export interface Provenance {
  readonly method: string
  /** The headers Host, Origin and Sec-Fetch-Site, where they were sent. */
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetch_site: string | undefined
}

const reads = new Set(["GET", "HEAD", "OPTIONS"])

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

/**
 * What only reads passes, and so does what no browser sent. A browser of today says by Sec-Fetch-Site (W3C Fetch Metadata)
 * where a request comes from, one of yesterday by Origin (RFC 6454); the rule is that of Go's `http.CrossOriginProtection`.
 */
export const isCrossSite = ({ fetch_site, host, method, origin }: Provenance): boolean => {
  if (reads.has(method)) return false
  if (fetch_site !== undefined) return fetch_site !== "same-origin" && fetch_site !== "none"
  return origin !== undefined && (host === undefined || hostOf(origin) !== host)
}
