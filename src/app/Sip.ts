// The layers of SIP credentials, trunks and browser calls.
import { Layer } from "effect"
import * as PerformCredentials from "../actors/credentials/PerformCredentials.ts"
import { SipCredentials } from "../actors/credentials/SipCredentials.ts"
import { Gateways } from "../actors/pbx/Gateways.ts"
import { SipTrunks } from "../actors/trunks/SipTrunks.ts"
import * as PerformTrunk from "../actors/trunks/PerformTrunk.ts"
import { Webrtc } from "../actors/webrtc/Webrtc.ts"
import { JoseWebrtcKeys } from "../layers/keyring/JoseWebrtcKeys.ts"
import type { SigningKeysOptions } from "../layers/keyring/SigningKeys.ts"
import * as CredentialReads from "../layers/postgres/reads/CredentialReads.ts"
import * as GatewayTenants from "../layers/postgres/reads/GatewayTenants.ts"
import * as TrunkReads from "../layers/postgres/reads/TrunkReads.ts"
import type { Settings } from "./Settings.ts"
import { browsersOf } from "../layers/pbx/asterisk/registry/UserObjects.ts"
import { BrowserLines, simulatedSipUpstream } from "../layers/pbx/simulator/browsers/BrowserLines.ts"
import * as WsSipUpstream from "../layers/webrtc/WsSipUpstream.ts"

export const sipPorts = Layer.mergeAll(CredentialReads.layer, GatewayTenants.layer, TrunkReads.layer)

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

export const sipActors = Layer.merge(PerformCredentials.layer, PerformTrunk.layer)

/** The URL of the gate, to which browsers connect. */
const endpointOf = (base_url: string): string => `${base_url.replace(/^http/, "ws")}/v1/webrtc/sip`

export const sipFacades = ({
  allow_private_targets,
  base_url,
  pbx_gateway,
  sip_domain,
  sip_registrar,
  webrtc_token_max_seconds
}: Settings["Service"]) =>
  Layer.mergeAll(
    Gateways.layer,
    SipCredentials.layer({ domain: sip_registrar }),
    SipTrunks.layer({ allow_private: allow_private_targets }),
    Webrtc.layer({
      endpoint: endpointOf(base_url),
      domain: sip_domain,
      simulated: pbx_gateway === "simulator",
      token_max_seconds: webrtc_token_max_seconds
    })
  )

/** The hosts of the platform that its settings name. The gateway to an Asterisk reports those of the Asterisk. */
export const platformHosts = ({
  ari_url,
  graph_sip_host,
  pbx_sip_ws_url,
  platform_hosts,
  sip_domain
}: Settings["Service"]): ReadonlyArray<string> => {
  const urls = [ari_url, pbx_sip_ws_url].filter((url) => url !== undefined)
  const named = urls.map((url) => new URL(url).hostname.replaceAll(/[[\]]/g, ""))
  return [...platform_hosts, sip_domain, ...named, ...(graph_sip_host === undefined ? [] : [graph_sip_host])]
}
