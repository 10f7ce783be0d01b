// The hosts of the platform: its carriers, its PBX, its providers. No workspace may make the PBX call them by naming
// them.
import { Clock, Context, Effect, Layer } from "effect"
import { HostResolver } from "../../domain/ports/pbx/HostResolver.ts"
import { readRange } from "../../domain/targets/AddressRange.ts"

/** How long the answer about a name is used. */
const fresh_ms = 30_000
/**
 * How long an address of a name counts after it was last seen. Name servers give some of the addresses at a time, and
 * none while they are away.
 */
const remembered_ms = 3_600_000

/** What the names of the platform mean. There are few: operators write them. */
const makeMeanings = Effect.gen(function* () {
  const resolver = yield* HostResolver
  const names = new Map<string, { asked_at: number; readonly seen_at: Map<string, number> }>()

  const addressesOf = Effect.fnUntraced(function* (name: string) {
    const now = yield* Clock.currentTimeMillis
    const known = names.get(name) ?? { asked_at: Number.NEGATIVE_INFINITY, seen_at: new Map<string, number>() }
    names.set(name, known)
    if (now - known.asked_at >= fresh_ms) {
      for (const address of yield* resolver.addresses(name)) known.seen_at.set(address, now)
      known.asked_at = now
      for (const [address, at] of known.seen_at) if (now - at >= remembered_ms) known.seen_at.delete(address)
    }
    return [...known.seen_at.keys()]
  })

  /** The hosts, and the addresses that the names among them have or had lately. */
  return Effect.fnUntraced(function* (hosts: ReadonlyArray<string>) {
    const named = [...new Set(hosts)].filter((host) => readRange(host) === undefined && !host.includes("/"))
    const addresses = yield* Effect.forEach(named, addressesOf, { concurrency: 8 })
    return [...hosts, ...addresses.flat()]
  })
})

export class PlatformHosts extends Context.Service<
  PlatformHosts,
  {
    /** Replaces what `source` has reported before. Names, addresses and ranges. */
    readonly report: (source: string, hosts: ReadonlyArray<string>) => Effect.Effect<void>
    /** Names, addresses and ranges, with `others`, and the addresses that the names have. */
    readonly all: (others?: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
  }
>()("trunkline/actors/PlatformHosts") {
  /** `configured`: hosts that the operator names. */
  static readonly layer = (configured: ReadonlyArray<string>) =>
    Layer.effect(
      PlatformHosts,
      Effect.map(makeMeanings, (withAddresses) => {
        const reported = new Map<string, ReadonlyArray<string>>()
        return PlatformHosts.of({
          report: (source, hosts) => Effect.sync(() => void reported.set(source, hosts)),
          all: (others = []) =>
            Effect.suspend(() => withAddresses([...configured, ...[...reported.values()].flat(), ...others]))
        })
      })
    )

  /** None, for tests. */
  static readonly none = Layer.succeed(PlatformHosts, {
    report: () => Effect.void,
    all: (others = []) => Effect.succeed(others)
  })
}
