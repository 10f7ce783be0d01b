// The addresses of the hosts of trunks, checked as those of callbacks are. The PBX gets the addresses, so that a name
// cannot mean a private host once it has been checked.
import { Context, Data, Effect, Layer } from "effect"
import { HostResolver } from "../../domain/ports/HostResolver.ts"
import { isLiteral, judgeHost } from "../../domain/targets/HostCheck.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import { traced } from "../../domain/Traced.ts"

export class TrunkHostRefused extends Data.TaggedError("TrunkHostRefused")<{
  readonly reason: "not_public" | "unknown"
}> {}

export class TrunkHosts extends Context.Service<
  TrunkHosts,
  {
    /**
     * The addresses of the host. Fails if one of them is not public, or if there are none; where private hosts are
     * allowed, a name without an address is left to the PBX, which may know it.
     */
    readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<string>, TrunkHostRefused>
  }
>()("trunkline/actors/TrunkHosts") {
  static readonly layer = (policy: TargetPolicy) =>
    Layer.effect(
      TrunkHosts,
      Effect.map(HostResolver, ({ addresses: addressesOf }) =>
        TrunkHosts.of({
          resolve: traced("TrunkHosts.resolve")(function* (host: string) {
            if (isLiteral(host) && policy.allow_private) return [host]
            const addresses = yield* addressesOf(host)
            const verdict = judgeHost({ host, addresses }, policy, [])
            if (verdict === "not_public") return yield* new TrunkHostRefused({ reason: "not_public" })
            if (verdict === "unknown" && !policy.allow_private)
              return yield* new TrunkHostRefused({ reason: "unknown" })
            return addresses
          })
        })
      )
    )

  /** Resolves nothing, for tests without names. */
  static readonly none = Layer.succeed(TrunkHosts, { resolve: () => Effect.succeed([]) })
}
