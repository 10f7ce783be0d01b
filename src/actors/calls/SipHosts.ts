// Which hosts a workspace may call by SIP, and at which address. A name is resolved once: the PBX gets the address, so
// that the name cannot mean another host a moment later.
import { Context, Effect, Layer } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { RefusalReason } from "../../domain/calls/Authorisation.ts"
import type { SipAddress, SipUri } from "../../domain/calls/SipDestination.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { HostResolver } from "../../domain/ports/HostResolver.ts"
import { TrunkReads } from "../../domain/ports/TrunkReads.ts"
import { type HostVerdict, isLiteral, judgeHost } from "../../domain/targets/HostCheck.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import { traced } from "../../domain/Traced.ts"
import { PlatformHosts } from "../pbx/PlatformHosts.ts"

export interface SipHostsOptions {
  readonly policy: TargetPolicy
  /** Whether a PBX carries calls to SIP URIs. */
  readonly carries_sip_uris: boolean
}

export class SipHosts extends Context.Service<
  SipHosts,
  {
    /** Where a call to the URI is sent. Fails with the reason if it may not be placed. */
    readonly locate: (workspace_id: WorkspaceId, uri: SipUri) => Effect.Effect<SipAddress, RefusalReason>
    readonly judge: (workspace_id: WorkspaceId, host: string) => Effect.Effect<HostVerdict>
  }
>()("trunkline/actors/SipHosts") {
  static readonly layer = (options: SipHostsOptions) => Layer.effect(SipHosts, make(options))

  /** Every host may be called and is on this machine, for tests. */
  static readonly local = Layer.succeed(SipHosts, {
    locate: (_, { port = 5060 }) => Effect.succeed({ ip: "127.0.0.1", port }),
    judge: () => Effect.succeed("allowed" as const)
  })
}

const defaultPort = ({ secure }: SipUri): number => (secure ? 5061 : 5060)

const make = Effect.fnUntraced(function* ({ carries_sip_uris, policy }: SipHostsOptions) {
  const platform = yield* PlatformHosts
  const reads = yield* TrunkReads
  const resolver = yield* HostResolver
  const orUnavailable = Effect.catch((cause: unknown) =>
    Effect.andThen(
      Effect.logWarning("The hosts of trunks and providers could not be read", cause),
      Effect.die(new ServiceUnavailable({ cause }))
    )
  )

  /** Names, addresses and ranges of the platform, its number providers, and what their names mean now. */
  const platformHosts = Effect.gen(function* () {
    const hosts = [...(yield* platform.all), ...(yield* orUnavailable(reads.providerHosts))]
    const names = [...new Set(hosts)].filter((host) => !isLiteral(host) && !host.includes("/"))
    const addresses = yield* Effect.forEach(names, resolver.addresses, { concurrency: 8 })
    return [...hosts, ...addresses.flat()]
  })

  const judged = Effect.fnUntraced(function* (workspace_id: WorkspaceId, host: string) {
    const addresses = yield* resolver.addresses(host)
    const verdict = judgeHost({ host, addresses }, policy, yield* platformHosts)
    const isOfTrunk =
      verdict === "allowed" && (yield* orUnavailable(reads.isHostOfOthers(workspace_id, { host, addresses })))
    return { addresses, verdict: isOfTrunk ? ("of_others" as const) : verdict }
  })

  /** The host and port to send to: a URI without a port may mean those of a service entry (RFC 3263, section 4.2). */
  const destination = Effect.fnUntraced(function* (uri: SipUri) {
    const { host, port, secure } = uri
    if (port !== undefined || isLiteral(host)) return { host, port: port ?? defaultPort(uri) }
    const [entry] = yield* resolver.services(secure ? `_sips._tcp.${host}` : `_sip._udp.${host}`)
    return entry ?? { host, port: defaultPort(uri) }
  })

  return SipHosts.of({
    locate: traced("SipHosts.locate")(function* (workspace_id, uri) {
      if (!carries_sip_uris) return yield* Effect.fail("sip_unavailable" as const)
      const { host, port } = yield* destination(uri)
      // The name of the URI is judged too if its service is at another host.
      const named = host === uri.host ? "allowed" : (yield* judged(workspace_id, uri.host)).verdict
      const { addresses, verdict } = yield* judged(workspace_id, host)
      const ip = addresses.find((address) => !address.includes(":")) ?? addresses[0]
      if (verdict === "unknown" || ip === undefined) return yield* Effect.fail("sip_host_unknown" as const)
      if (verdict !== "allowed" || named === "of_others" || named === "not_public")
        return yield* Effect.fail("sip_host_refused" as const)
      return { ip, port }
    }),
    judge: traced("SipHosts.judge")((workspace_id, host) =>
      Effect.map(judged(workspace_id, host), ({ verdict }) => verdict)
    )
  })
})
