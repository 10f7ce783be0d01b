import { Clock, Context, Effect, Layer, Record } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { type Quota, type QuotaName, quotas, sharedQuotas, take, type Verdict } from "../../domain/access/Quota.ts"
import { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { SharedCounts } from "../../domain/ports/engine/SharedCounts.ts"

/**
 * How many clients a quota remembers in this process. When it is full, all are forgotten and have their whole burst
 * again.
 */
const max_remembered = 100_000

const makeBuckets = (quota: Quota) => {
  const full_at = new Map<string, number>()
  return (who: string, now: number, counts = true): Verdict => {
    const verdict = take(quota, full_at.get(who) ?? 0, now)
    if (!counts) return verdict
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

/** Adds the headers to the response of the current request, and fails if the quota is used up. */
const applyVerdict = (name: QuotaName, verdict: Verdict) =>
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
  const countHere = (name: QuotaName, who: string) =>
    Effect.withFiber<void, RateLimited>((fiber) =>
      applyVerdict(name, buckets[name](who, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()))
    )
  /** Counts in the database; if it does not answer, in this process. */
  const countShared = (name: QuotaName, who: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.matchEffect(shared.count(name, quotas[name], who, now), {
        onFailure: () => countHere(name, who),
        onSuccess: (verdict) => (verdict === undefined ? countHere(name, who) : applyVerdict(name, verdict))
      })
    )
  const bucketNow = (name: QuotaName, who: string, counts: boolean) =>
    Effect.map(Clock.currentTimeMillis, (now) => buckets[name](who, now, counts))
  return RateLimits.of({
    check: (name, who) =>
      Effect.flatMap(bucketNow(name, who, false), ({ admitted, retry_ms }) =>
        admitted ? Effect.void : Effect.fail(new RateLimited({ retry_after_seconds: seconds(retry_ms) }))
      ),
    note: (name, who) => Effect.asVoid(bucketNow(name, who, true)),
    count: (name, who) => (sharedQuotas.has(name) ? countShared(name, who) : countHere(name, who))
  })
})

/**
 * Limits how often each client may send requests. Shared quotas are counted in the database, the others in this
 * process. The limiter of `effect/persistence` is not used: its memory is unbounded, and refusing a request costs it
 * more than serving one.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts the current request and adds the RateLimit headers to its response. Fails if the quota is used up. */
    readonly count: (quota: QuotaName, who: string) => Effect.Effect<void, RateLimited>
    /** Fails if the quota is used up in this process. Counts nothing. */
    readonly check: (quota: QuotaName, who: string) => Effect.Effect<void, RateLimited>
    /** Counts in this process, and refuses nothing. */
    readonly note: (quota: QuotaName, who: string) => Effect.Effect<void>
  }
>()("trunkline/http/RateLimits") {
  static readonly on = Layer.effect(RateLimits, make)
  static readonly off = Layer.succeed(RateLimits)({
    count: () => Effect.void,
    check: () => Effect.void,
    note: () => Effect.void
  })
}
