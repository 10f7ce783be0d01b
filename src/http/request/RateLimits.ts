import { Clock, Context, Effect, Layer, Record } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { type Quota, type QuotaName, quotas, sharedQuotas, take, type Verdict } from "../../domain/access/Quota.ts"
import { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { SharedCounts } from "../../domain/ports/SharedCounts.ts"

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

/** Says it with the answer to the request being served. */
const tell = (name: QuotaName, verdict: Verdict) =>
  Effect.withFiber<void, RateLimited>((fiber) => {
    const headers = headersOf(quotas[name], verdict)
    HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, headers))
    )
    return verdict.admitted
      ? Effect.void
      : Effect.fail(new RateLimited({ retry_after_seconds: seconds(verdict.retry_ms) }))
  })

const make = Effect.map(SharedCounts, (shared) => {
  const buckets = Record.map(quotas, makeBuckets)
  const here = (name: QuotaName, who: string) =>
    Effect.withFiber<void, RateLimited>((fiber) =>
      tell(name, buckets[name](who, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()))
    )
  /** Where the database does not answer, this process still counts for itself. */
  const everywhere = (name: QuotaName, who: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.matchEffect(shared.count(name, quotas[name], who, now), {
        onFailure: () => here(name, who),
        onSuccess: (verdict) => (verdict === undefined ? here(name, who) : tell(name, verdict))
      })
    )
  return RateLimits.of({ count: (name, who) => (sharedQuotas.has(name) ? everywhere(name, who) : here(name, who)) })
})

/**
 * How often each may ask, counted in this process alone but for what is shared. The limiter of `effect/persistence` would serve, but its memory
 * forgets nobody, and turning a request away costs it more than serving one.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts the request being served, whose answer then says what is left. */
    readonly count: (quota: QuotaName, who: string) => Effect.Effect<void, RateLimited>
  }
>()("trunkline/http/RateLimits") {
  static readonly on = Layer.effect(RateLimits, make)
  static readonly off = Layer.succeed(RateLimits)({ count: () => Effect.void })
}
