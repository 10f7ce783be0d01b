// Which hosts a workspace may call by SIP, and at which address. A name is resolved once: the PBX gets the address, so
// that the name cannot mean another host a moment later.
import { Context, Effect, Layer } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { RefusalReason } from "../../domain/calls/policy/Authorisation.ts"
import type { SipAddress, SipUri } from "../../domain/calls/policy/SipDestination.ts"
import { ChatAppCalls } from "../chatapp/ChatAppCalls.ts"
import { HostResolver } from "../../domain/ports/pbx/HostResolver.ts"
import { isLiteral } from "../../domain/targets/HostCheck.ts"
import { traced } from "../../domain/Traced.ts"
import { SipTargets, unavailable } from "../pbx/SipTargets.ts"

export class SipHostSettings extends Context.Service<
  SipHostSettings,
  {
    /** Whether a PBX carries calls to SIP URIs. */
    readonly carries_sip_uris: boolean
  }
>()("trunkline/actors/SipHostSettings") {}

export class SipHosts extends Context.Service<
  SipHosts,
  {
    /** Where a call to the URI is sent. Fails with the reason if it may not be placed. */
    readonly locate: (workspace_id: WorkspaceId, uri: SipUri) => Effect.Effect<SipAddress, RefusalReason>
  }
>()("trunkline/actors/SipHosts") {
  static readonly layer = Layer.effect(
    SipHosts,
    Effect.suspend(() => make())
  )

  /** Every host may be called and is on this machine, and nobody is in the chat app. For tests. */
  static readonly local = Layer.merge(
    Layer.succeed(SipHosts, { locate: (_, { port = 5060 }) => Effect.succeed({ ip: "127.0.0.1", port }) }),
    ChatAppCalls.none
  )
}

const defaultPort = ({ secure }: SipUri): number => (secure ? 5061 : 5060)

const make = Effect.fnUntraced(function* () {
  const { carries_sip_uris } = yield* SipHostSettings
  const resolver = yield* HostResolver
  const targets = yield* SipTargets
  const judged = (workspace_id: WorkspaceId, host: string) =>
    Effect.catch(targets.judge(workspace_id, { host }), unavailable)

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
      // The name of the URI is judged too if its service is at another host. It needs no address of its own.
      const named = host === uri.host ? "allowed" : (yield* judged(workspace_id, uri.host)).host
      const { addresses, host: verdict } = yield* judged(workspace_id, host)
      const ip = addresses.find((address) => !address.includes(":")) ?? addresses[0]
      if (verdict === "unknown" || (verdict === "allowed" && ip === undefined))
        return yield* Effect.fail("sip_host_unknown" as const)
      if (verdict !== "allowed" || ip === undefined || (named !== "allowed" && named !== "unknown"))
        return yield* Effect.fail("sip_host_refused" as const)
      return { ip, port }
    })
  })
})
