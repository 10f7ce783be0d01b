// Devices and trunks: what the PBX holds of workspaces, put together.
import { Layer } from "effect"
import * as CredentialsActor from "../actors/CredentialsActor.ts"
import { SipCredentials } from "../actors/SipCredentials.ts"
import { SipTrunks } from "../actors/SipTrunks.ts"
import * as TrunkActor from "../actors/TrunkActor.ts"
import * as CredentialReads from "./postgres/CredentialReads.ts"
import * as GatewayTenants from "./postgres/GatewayTenants.ts"
import * as TrunkReads from "./postgres/TrunkReads.ts"
import type { Settings } from "./Settings.ts"

export const sipPorts = Layer.mergeAll(CredentialReads.layer, GatewayTenants.layer, TrunkReads.layer)

export const sipActors = Layer.merge(CredentialsActor.layer, TrunkActor.layer)

export const sipDoors = ({ allow_private_targets, sip_domain }: Settings["Service"]) =>
  Layer.merge(SipCredentials.layer({ domain: sip_domain }), SipTrunks.layer({ allow_private: allow_private_targets }))
