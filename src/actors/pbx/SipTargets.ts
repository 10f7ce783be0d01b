// Whether the PBX may send SIP to a host that a workspace names, and take its trunk's calls from a range: asked for the
// hosts of dialled SIP addresses, of allowlists and of trunks.
import { Clock, Context, Effect, Layer } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { HostResolver } from "../../domain/ports/pbx/HostResolver.ts"
import { TrunkReads } from "../../domain/ports/pbx/TrunkReads.ts"
import { judgeTarget, type SipTarget, type TargetVerdict } from "../../domain/targets/HostCheck.ts"
import { traced } from "../../domain/Traced.ts"
import { ServingPlaces } from "../../domain/trunks/ServingPlaces.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { PlatformHosts } from "./PlatformHosts.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"

/** What a workspace names. Its addresses are looked up. */
export type NamedTarget = Omit<SipTarget, "addresses">

export interface Judged extends TargetVerdict {
  /** The addresses of the host that were judged. Send to these alone: the name may mean others a moment later. */
  readonly addresses: ReadonlyArray<string>
}

/** How long the list of other workspaces' trunks is used where many ask. */
const listed_ms = 5_000

export class SipTargets extends Context.Service<
  SipTargets,
  {
    /** Judges the host by its name and every address that the name has now, and each range. */
    readonly judge: (workspace_id: WorkspaceId, target: NamedTarget) => Effect.Effect<Judged, ReadFailed>
    /** Reads the trunks of other workspaces again, for judgements after which something is stored or activated. */
    readonly refresh: Effect.Effect<void, ReadFailed>
  }
>()("trunkline/actors/SipTargets") {
  static readonly layer = Layer.effect(
    SipTargets,
    Effect.suspend(() => make())
  )

  /** Allows everything and resolves nothing, for tests without names. */
  static readonly any = Layer.succeed(SipTargets, {
    refresh: Effect.void,
    judge: (_, { ranges = [] }) =>
      Effect.succeed({ addresses: [], host: "allowed" as const, ranges: ranges.map(() => "allowed" as const) })
  })
}

/** Answers a request whose target cannot be judged with `service_unavailable`. */
export const unavailable = (cause: ReadFailed): Effect.Effect<never> =>
  Effect.andThen(
    Effect.logWarning("The hosts of trunks and providers could not be read", cause),
    Effect.die(new ServiceUnavailable({ cause }))
  )

/** Reads the trunks that carry calls, and the hosts of number providers. */
const makeList = Effect.gen(function* () {
  const reads = yield* TrunkReads
  let latest:
    | { readonly at: number; readonly places: ServingPlaces; readonly providers: ReadonlyArray<string> }
    | undefined
  const read = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const [places, providers] = yield* Effect.all([reads.servingPlaces, reads.providerHosts])
    latest = { at, places: new ServingPlaces(places), providers }
    return latest
  })
  const recent = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    latest === undefined || now - latest.at >= listed_ms ? read : Effect.succeed(latest)
  )
  return { read, recent }
})

const make = Effect.fnUntraced(function* () {
  const policy = yield* AllowedTargets
  const directory = yield* Directory
  const list = yield* makeList
  const platform = yield* PlatformHosts
  const resolver = yield* HostResolver

  return SipTargets.of({
    refresh: Effect.asVoid(list.read),
    judge: traced("SipTargets.judge")(function* (workspace_id, named) {
      const { places, providers } = yield* list.recent
      const target = { ...named, addresses: yield* resolver.addresses(named.host) }
      const allowlist = (yield* directory.workspace(workspace_id))?.calling_policy.sip_allowlist ?? []
      const trunk = places.ownOf(workspace_id)
      const known = {
        platform: yield* platform.all(providers),
        // The PBX of a sandbox is simulated: it sends SIP nowhere.
        others: isSandbox(workspace_id) ? [] : places.othersNear(workspace_id, target),
        own: [
          ...allowlist.filter((host) => !host.startsWith("*.")),
          ...(trunk === undefined ? [] : [trunk.host, ...trunk.addresses, ...trunk.allowed_ips])
        ]
      }
      return { addresses: target.addresses, ...judgeTarget(target, known, policy) }
    })
  })
})
