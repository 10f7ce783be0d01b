// The hosts of SIP, and how browsers reach the PBX.
import { Layer } from "effect"
import { SipHosts } from "../actors/calls/SipHosts.ts"
import { PlatformHosts } from "../actors/pbx/PlatformHosts.ts"
import { SipTargets } from "../actors/pbx/SipTargets.ts"
import * as DnsHostResolver from "../layers/dns/DnsHostResolver.ts"
import { JoseWebrtcKeys } from "../layers/keyring/JoseWebrtcKeys.ts"
import type { SigningKeysOptions } from "../layers/keyring/SigningKeys.ts"
import type { Settings } from "./Settings.ts"
import { browsersOf } from "../layers/pbx/asterisk/registry/UserObjects.ts"
import { BrowserLines, simulatedSipUpstream } from "../layers/pbx/simulator/browsers/BrowserLines.ts"
import * as WsSipUpstream from "../layers/webrtc/WsSipUpstream.ts"

/** The tokens of browsers, and the PBX to which the gate connects them. */
export const webrtcPorts = (
  { pbx_gateway, pbx_sip_ws_url, turn_secret, turn_urls }: Settings["Service"],
  keys: SigningKeysOptions & { readonly issuer: string }
) =>
  Layer.mergeAll(
    JoseWebrtcKeys({ ...keys, turn_urls, turn_secret }),
    pbx_gateway === "simulator" && pbx_sip_ws_url === undefined
      ? simulatedSipUpstream
      : WsSipUpstream.layer({
          url: pbx_sip_ws_url,
          browsersOf: pbx_gateway === "asterisk" ? browsersOf : (username) => username
        })
  ).pipe(Layer.provideMerge(BrowserLines.layer))

/** The hosts of the platform that its settings name. The gateway to an Asterisk reports those of the Asterisk. */
const platformHosts = ({
  ari_url,
  chatapp_provider,
  graph_sip_host,
  graph_sip_provider_host,
  pbx_sip_ws_url,
  platform_hosts,
  sip_domain
}: Settings["Service"]): ReadonlyArray<string> => {
  const urls = [ari_url, pbx_sip_ws_url].filter((url) => url !== undefined)
  const named = urls.map((url) => new URL(url).hostname.replaceAll(/[[\]]/g, ""))
  return [
    ...platform_hosts,
    sip_domain,
    ...named,
    ...(graph_sip_host === undefined ? [] : [graph_sip_host]),
    ...(chatapp_provider === "graph" ? [graph_sip_provider_host] : [])
  ]
}

/** Where the PBX may send SIP. */
export const sipHosts = (settings: Settings["Service"]) =>
  SipHosts.layer.pipe(
    Layer.provideMerge(SipTargets.layer),
    Layer.provideMerge(PlatformHosts.layer(platformHosts(settings))),
    Layer.provideMerge(DnsHostResolver.layer)
  )
