// Detects requests that a browser sends for a page of another site, which must not use the cookies of this one.

export interface Provenance {
  readonly method: string
  /** The headers Host, Origin and Sec-Fetch-Site; undefined if absent. */
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetch_site: string | undefined
}

const reads = new Set(["GET", "HEAD", "OPTIONS"])

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

/**
 * Whether a page of another site sent the request. Reads are never refused, nor are requests that no browser sent.
 * Browsers state the source of a request in Sec-Fetch-Site (W3C Fetch Metadata), older ones in Origin (RFC 6454). The
 * rule is that of Go's `http.CrossOriginProtection`.
 */
export const isCrossSite = ({ fetch_site, host, method, origin }: Provenance): boolean => {
  if (reads.has(method)) return false
  if (fetch_site !== undefined) return fetch_site !== "same-origin" && fetch_site !== "none"
  return origin !== undefined && (host === undefined || hostOf(origin) !== host)
}
