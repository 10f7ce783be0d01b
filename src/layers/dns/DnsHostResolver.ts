// Resolves hosts by DNS.
import { Effect, Layer } from "effect"
import { Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { HostResolver } from "../../domain/ports/pbx/HostResolver.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import { defaultResolve } from "../http-client/GuardedConnector.ts"

const timeout = "3 seconds"

const orNone = <A>(asked: Effect.Effect<ReadonlyArray<A>, unknown>): Effect.Effect<ReadonlyArray<A>> =>
  asked.pipe(
    Effect.timeout(timeout),
    Effect.catch(() => Effect.succeed([]))
  )

const make = (policy: TargetPolicy): HostResolver["Service"] => {
  const resolve = defaultResolve(policy)
  return {
    addresses: (host) => (isIP(host) === 0 ? orNone(Effect.tryPromise(() => resolve(host))) : Effect.succeed([host])),
    services: (name) =>
      orNone(
        Effect.tryPromise(async () => {
          const entries = await new Resolver({ timeout: 1_000, tries: 2 }).resolveSrv(name)
          return entries
            .sort((one, other) => one.priority - other.priority || other.weight - one.weight)
            .map(({ name, port }) => ({ host: name, port }))
        })
      )
  }
}

export const layer = Layer.effect(HostResolver, Effect.map(AllowedTargets, make))
