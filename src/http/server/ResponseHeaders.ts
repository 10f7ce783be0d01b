// The headers of every response.
import type { Ids } from "../../domain/ports/engine/Ids.ts"

/** The versions of the interface, latest first. A request may name one in the header X-Service-Version. */
export const versions = ["2026-10-01"] as const
export const service_version = versions[0]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id that the request names, if it is one; otherwise a new one. */
export const requestIdOf = (named: string | ReadonlyArray<string> | undefined, ids: Ids["Service"]): string =>
  typeof named === "string" && uuid.test(named) ? named : ids.uuid()

/**
 * RFC 6797: for a year, a browser speaks https alone to this host. Not to its subdomains, which may be somebody else's.
 */
const httpsOnly = { "strict-transport-security": "max-age=31536000" }

export const responseHeaders = (request_id: string, secure: boolean, stopping: boolean): Record<string, string> => ({
  "x-request-id": request_id,
  "x-service-version": service_version,
  ...(secure && httpsOnly),
  // Otherwise the client would send new requests on this connection to a server that stops.
  ...(stopping && { connection: "close" })
})
