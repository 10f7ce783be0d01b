import { Clock, Context, Effect, Layer, Record } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { type Quota, type QuotaName, quotas, take, type Verdict } from "../domain/access/Quota.ts"
import { RateLimited } from "../domain/errors/GeneralErrors.ts"

/** Those who asked last in this process, of each quota. Whoever is forgotten has the whole burst again. */
const max_remembered = 100_000

const makeBuckets = (quota: Quota) => {
  const full_at = new Map<string, number>()
  return (who: string, now: number): Verdict => {
    const verdict = take(quota, full_at.get(who) ?? 0, now)
    if (full_at.size >= max_remembered && !full_at.has(who)) full_at.clear()
    full_at.set(who, verdict.full_at)
    return verdict
  }
}

const seconds = (ms: number): number => Math.ceil(ms / 1000)

/** The fields of draft-ietf-httpapi-ratelimit-headers-06. */
const headersOf = ({ burst }: Quota, { remaining, reset_ms }: Verdict) => ({
  "ratelimit-limit": String(burst),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(seconds(reset_ms))
})

const make = () => {
  const buckets = Record.map(quotas, makeBuckets)
  const count = (name: QuotaName, who: string) =>
    Effect.withFiber<void, RateLimited>((fiber) => {
      const verdict = buckets[name](who, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
      const headers = headersOf(quotas[name], verdict)
      HttpEffect.appendPreResponseHandlerUnsafe(
        fiber.context,
        (_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers))
      )
      return verdict.admitted ? Effect.void : Effect.fail(new RateLimited({ retry_after_seconds: seconds(verdict.retry_ms) }))
    })
  return RateLimits.of({ count })
}

/**
 * How often each may ask, counted in this process alone. The limiter of `effect/persistence` would serve, but its memory
 * forgets nobody, and turning a request away costs it more than serving one.
 */
export class RateLimits extends Context.Service<RateLimits, {
  /** Counts the request being served, whose answer then says what is left. */
  readonly count: (quota: QuotaName, who: string) => Effect.Effect<void, RateLimited>
}>()("trunkline/http/RateLimits") {
  static readonly on = Layer.sync(RateLimits, make)
  static readonly off = Layer.succeed(RateLimits)({ count: () => Effect.void })
}
