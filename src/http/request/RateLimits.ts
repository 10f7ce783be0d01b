import { Clock, Context, Effect, Layer, Record } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import {
  giveBack,
  type Quota,
  type QuotaName,
  quotas,
  sharedQuotas,
  take,
  type Verdict
} from "../../domain/access/Quota.ts"
import { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { SharedCounts } from "../../domain/ports/engine/SharedCounts.ts"

/** How many clients a quota remembers in this process. Those that have been quiet for longest are forgotten first. */
export const max_remembered = 100_000

/**
 * The buckets of one quota in two generations. When the young generation is full it becomes the old one, and the former
 * old one is forgotten. Whoever goes on moves back to the young generation and is not forgotten.
 */
const makeBuckets = (quota: Quota) => {
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  const put = (who: string, full_at: number): void => {
    if (young.size >= max_remembered / 2 && !young.has(who)) {
      old = young
      young = new Map()
    }
    young.set(who, full_at)
  }
  const full_at = (who: string): number => young.get(who) ?? old.get(who) ?? 0
  return {
    take: (who: string, now: number): Verdict => {
      const verdict = take(quota, full_at(who), now)
      put(who, verdict.full_at)
      return verdict
    },
    giveBack: (who: string): void => put(who, giveBack(quota, full_at(who)))
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
export const applyVerdict = (name: QuotaName, verdict: Verdict) =>
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
      applyVerdict(name, buckets[name].take(who, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()))
    )
  /** Counts in the database; if it does not answer, in this process. */
  const countShared = (name: QuotaName, who: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.matchEffect(shared.count(name, quotas[name], who, now), {
        onFailure: () => countHere(name, who),
        onSuccess: (verdict) => (verdict === undefined ? countHere(name, who) : applyVerdict(name, verdict))
      })
    )
  return RateLimits.of({
    take: (name, who) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { admitted, retry_ms } = buckets[name].take(who, now)
        return admitted ? Effect.void : Effect.fail(new RateLimited({ retry_after_seconds: seconds(retry_ms) }))
      }),
    giveBack: (name, who) => Effect.sync(() => buckets[name].giveBack(who)),
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
    /** Counts in this process, without headers. Fails if the quota is used up. */
    readonly take: (quota: QuotaName, who: string) => Effect.Effect<void, RateLimited>
    /** What `take` has counted counts no longer. */
    readonly giveBack: (quota: QuotaName, who: string) => Effect.Effect<void>
  }
>()("trunkline/http/RateLimits") {
  static readonly on = Layer.effect(RateLimits, make)
  static readonly off = Layer.succeed(RateLimits)({
    count: () => Effect.void,
    take: () => Effect.void,
    giveBack: () => Effect.void
  })
}
