// Quotas that the processes of a cluster share, without a round trip for each request: see domain/limits/Leases.ts.
import { Clock, Deferred, Effect, Exit, Layer, type Scope } from "effect"
import { type QuotaName, quotas, type Verdict } from "../../domain/access/Quota.ts"
import { type Lease, leaseOf, noLease, settle, spend, verdictFrom } from "../../domain/limits/Leases.ts"
import { SharedCounts } from "../../domain/ports/engine/SharedCounts.ts"
import { applyVerdict, RateLimits } from "./RateLimits.ts"

const leasedQuotas: ReadonlyArray<QuotaName> = ["workspace_read", "workspace_write"]

/**
 * How long a request waits for the shared count. Then it is counted in this process alone. It is longer than a busy
 * event loop is late: a flood must not be what makes the processes count alone.
 */
const patience = "1 second"
/** How long all requests are counted in this process alone after the shared count has not answered. */
const alone_ms = 5_000
/** How many leases of a quota this process remembers. Beyond it the one that is idle for longest is forgotten. */
export const max_leases = 10_000

interface Held {
  lease: Lease
  /** How many requests wait for the shared count. */
  waiting: number
  /** The question to the shared count that is under way. It succeeds when that has answered, or does not. */
  asking: Deferred.Deferred<void> | undefined
}

/** Counts a request. Undefined: the shared count does not answer, so the process counts on its own. */
type CountLeased = (who: string) => Effect.Effect<Verdict | undefined>

/** Milliseconds that no correction of the system clock changes. */
const steadyNow = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1_000_000)

const makeMemory = () => {
  const all = new Map<string, Held>()
  const forgetOldest = () => {
    for (const oldest of all.keys()) {
      all.delete(oldest)
      return
    }
  }
  return (who: string): Held => {
    const held = all.get(who) ?? { lease: noLease, waiting: 0, asking: undefined }
    if (!all.delete(who) && all.size >= max_leases) forgetOldest()
    all.set(who, held)
    return held
  }
}

/** Whether this process counts alone for now. It is one answer for all workspaces: they have one database. */
const makeAlone = () => {
  let until = Number.NEGATIVE_INFINITY
  return {
    isAlone: (now: number): boolean => now < until,
    begin: Effect.flatMap(steadyNow, (now) => {
      const isNews = now >= until
      until = now + alone_ms
      return isNews
        ? Effect.logWarning("The database does not answer in time. This process limits requests alone for 5 s.")
        : Effect.void
    })
  }
}

interface Means {
  readonly shared: SharedCounts["Service"]
  readonly alone: ReturnType<typeof makeAlone>
  readonly name: QuotaName
  /** In which questions to the shared count live on when the request that asked them has ended. */
  readonly scope: Scope.Scope
}

/** Asks the shared count, unless that is under way. */
const makeAsk = ({ alone, name, scope, shared }: Means) => {
  const quota = quotas[name]
  /** Succeeds with whether the shared count has answered. */
  const settled = (who: string, held: Held) =>
    shared.lease(name, quota, who, Math.min(quota.burst, Math.max(leaseOf(quota), held.waiting))).pipe(
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.undefined }),
      Effect.catchCause((cause) => Effect.as(Effect.logDebug("The shared count of a quota fails", cause), undefined)),
      Effect.flatMap((grant) =>
        Effect.map(steadyNow, (now) => {
          if (grant !== undefined) held.lease = settle(held.lease, quota, grant, held.waiting, now)
          return grant !== undefined
        })
      )
    )
  return (who: string, held: Held) =>
    Effect.suspend(() => {
      if (held.asking !== undefined) return Effect.succeed(held.asking)
      const answered = Deferred.makeUnsafe<void>()
      held.asking = answered
      return settled(who, held).pipe(
        // However it ends without an answer: nobody asks again at once, since those who wait would ask without end.
        Effect.onExit((exit) => (Exit.isSuccess(exit) && exit.value ? Effect.void : alone.begin)),
        Effect.ensuring(
          Effect.suspend(() => {
            held.asking = undefined
            return Deferred.succeed(answered, undefined)
          })
        ),
        Effect.forkIn(scope, { startImmediately: true }),
        Effect.as(answered)
      )
    })
}

const makeLeasedQuota = (means: Means): CountLeased => {
  const { alone, name } = means
  const quota = quotas[name]
  const heldBy = makeMemory()
  const ask = makeAsk(means)

  /** `otherwise`: what is done while it is not known here whether the request is admitted. */
  const attempt = (who: string, held: Held, otherwise: Effect.Effect<Verdict | undefined>) =>
    Effect.flatMap(steadyNow, (now) => {
      if (alone.isAlone(now)) return Effect.undefined
      const spent = spend(held.lease, quota, now)
      held.lease = spent.lease
      if (spent.outcome === "ask") return otherwise
      const verdict = verdictFrom(spent, quota, now)
      return spent.renews ? Effect.as(ask(who, held), verdict) : Effect.succeed(verdict)
    })

  const askAndAttempt = (who: string, held: Held): Effect.Effect<Verdict | undefined> => {
    const again = Effect.suspend(() => askAndAttempt(who, held))
    return Effect.flatMap(ask(who, held), (answered) =>
      Effect.andThen(Deferred.await(answered), attempt(who, held, again))
    )
  }

  const wait = (who: string, held: Held) =>
    Effect.suspend(() => {
      held.waiting++
      return askAndAttempt(who, held).pipe(
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.undefined }),
        Effect.ensuring(Effect.sync(() => void held.waiting--))
      )
    })

  return (who) =>
    Effect.suspend(() => {
      const held = heldBy(who)
      return attempt(who, held, wait(who, held))
    })
}

/** The limits of one process of a cluster. */
export const rateLimitsInCluster = Layer.effect(
  RateLimits,
  Effect.gen(function* () {
    const ofProcess = yield* RateLimits
    const shared = yield* SharedCounts
    const scope = yield* Effect.scope
    const alone = makeAlone()
    const leased = new Map<QuotaName, CountLeased>(
      leasedQuotas.map((name) => [name, makeLeasedQuota({ shared, alone, name, scope })])
    )
    return RateLimits.of({
      ...ofProcess,
      count: (name, who) => {
        const count = leased.get(name)
        if (count === undefined) return ofProcess.count(name, who)
        return Effect.flatMap(count(who), (verdict) =>
          verdict === undefined ? ofProcess.count(name, who) : applyVerdict(name, verdict)
        )
      }
    })
  })
).pipe(Layer.provide(RateLimits.on))
