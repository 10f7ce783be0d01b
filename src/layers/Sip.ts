// Devices and trunks: what the PBX holds of workspaces, put together.
import { Layer } from "effect"
import * as CredentialsActor from "../actors/CredentialsActor.ts"
import { SipCredentials } from "../actors/SipCredentials.ts"
import { SipTrunks } from "../actors/SipTrunks.ts"
import * as TrunkActor from "../actors/TrunkActor.ts"
import { Webrtc } from "../actors/Webrtc.ts"
import { JoseWebrtcKeys } from "./keyring/JoseWebrtcKeys.ts"
import type { SigningKeysOptions } from "./keyring/SigningKeys.ts"
import * as CredentialReads from "./postgres/CredentialReads.ts"
import * as GatewayTenants from "./postgres/GatewayTenants.ts"
import * as TrunkReads from "./postgres/TrunkReads.ts"
import type { Settings } from "./Settings.ts"
import { browsersOf } from "./pbx/asterisk/UserObjects.ts"
import * as WsSipUpstream from "./webrtc/WsSipUpstream.ts"

export const sipPorts = Layer.mergeAll(CredentialReads.layer, GatewayTenants.layer, TrunkReads.layer)

/** What browsers prove themselves with, and where they are led. */
export const webrtcPorts = (
  { pbx_gateway, pbx_sip_ws_url, turn_secret, turn_urls }: Settings["Service"],
  keys: SigningKeysOptions & { readonly issuer: string }
) =>
  Layer.merge(
    JoseWebrtcKeys({ ...keys, turn_urls, turn_secret }),
    WsSipUpstream.layer({ url: pbx_sip_ws_url, browsersOf: pbx_gateway === "asterisk" ? browsersOf : (username) => username })
  )

export const sipActors = Layer.merge(CredentialsActor.layer, TrunkActor.layer)

/** Browsers come to the gate beside the API. */
const endpointOf = (base_url: string): string => `${base_url.replace(/^http/, "ws")}/v1/webrtc/sip`

export const sipDoors = ({ allow_private_targets, base_url, pbx_gateway, sip_domain }: Settings["Service"]) =>
  Layer.mergeAll(
    SipCredentials.layer({ domain: sip_domain }),
    SipTrunks.layer({ allow_private: allow_private_targets }),
    Webrtc.layer({ endpoint: endpointOf(base_url), domain: sip_domain, simulated: pbx_gateway === "simulator" })
  )
