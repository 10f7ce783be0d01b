// Refuses requests for lack of capacity before anything else is done for them.
import { Clock, Effect, Redacted } from "effect"
import { toEnvelope } from "../../domain/errors/Envelope.ts"
import type { Sheddable } from "../../domain/journal/Shedding.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { Keyring } from "../../domain/ports/engine/Keyring.ts"
import { apiKeyOf } from "../request/BearerToken.ts"
import { Draining } from "../request/Draining.ts"
import { Overload } from "../request/Overload.ts"
import { SecureCookies } from "../request/SessionCookie.ts"
import { tooMuchToDo } from "../request/Sheddable.ts"
import { requestIdOf, responseHeaders } from "./ResponseHeaders.ts"
import { makeRouteKinds } from "./RouteKinds.ts"

/** What of a request is looked at. */
interface Head {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Returns how a request is refused; undefined if it is not. It looks at the request line, and at the key if this
 * process has verified that before; otherwise `AuthenticationLive.ts` decides later. It needs neither a fiber nor a
 * span, because a refusal must cost much less than what it saves. While nothing is refused it does nothing.
 */
export const makeEarlyRefusal = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const draining = yield* Draining
  const ids = yield* Ids
  const keyring = yield* Keyring
  const overload = yield* Overload
  const secure = yield* SecureCookies
  const kindOf = makeRouteKinds()
  const failure = tooMuchToDo()

  const isShed = ({ headers: { authorization } }: Head, kind: Sheddable): boolean => {
    if (overload.refusesAll(kind)) return true
    const key = typeof authorization === "string" ? apiKeyOf(authorization) : undefined
    const claims = key === undefined ? undefined : keyring.recall(Redacted.make(key), clock.currentTimeMillisUnsafe())
    if (claims === undefined) return false
    return claims.env === "test" ? overload.refusesSandboxes(kind) : overload.refuses(claims.workspace_id, kind)
  }

  return (request: Head): Refusal | undefined => {
    if (!overload.isRefusing() || draining.hasBegun()) return undefined
    const kind = kindOf(request.method ?? "", request.url ?? "")
    if (kind === undefined) return undefined
    if (!overload.isFull() && (kind.shed === undefined || !isShed(request, kind.shed))) return undefined
    overload.refused()
    const request_id = requestIdOf(request.headers["x-request-id"], ids)
    return {
      status: 503,
      headers: {
        ...responseHeaders(request_id, secure, false),
        "content-type": "application/json",
        "retry-after": String(failure.retry_after_seconds)
      },
      body: JSON.stringify(toEnvelope(failure, request_id))
    }
  }
})
