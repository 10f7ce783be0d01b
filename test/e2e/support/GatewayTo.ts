// The gateway to an Asterisk of the tests, as g1, in the test's own process.
import { Layer, Redacted } from "effect"
import { join } from "node:path"
import * as AsteriskGateway from "../../../src/layers/pbx/asterisk/AsteriskGateway.ts"
import { makeRelayPool } from "../../../src/layers/streams/RelayPool.ts"
import { gatewayId } from "../../support/Ids.ts"
import type { Pbx } from "./Pbx.ts"

const policy = { allow_insecure: true, allow_private: true }

/** `port`: where ARI is reached, if by a relay. `listen`: the URL to which Asterisk connects, if it does. */
export const gatewayTo = (
  { asterisk, folder }: Pick<Pbx, "asterisk" | "folder">,
  { listen, port }: { readonly listen?: string | undefined; readonly port?: number } = {}
) => {
  const { ARI_APP, ARI_PASSWORD, ARI_URL, ARI_USERNAME } = asterisk.settings
  const url = new URL(ARI_URL!)
  if (port !== undefined) url.port = String(port)
  return Layer.orDie(
    AsteriskGateway.layer({
      gateway_id: gatewayId("g1"),
      url: url.href,
      username: ARI_USERNAME!,
      password: Redacted.make(ARI_PASSWORD!),
      app: ARI_APP!,
      listen,
      carrier_country: undefined,
      endpoints: { carrier: "carrier", sip_uris: "sip-uri" },
      sounds: join(folder, "sounds"),
      policy,
      relay: makeRelayPool(policy),
      sound_limits: { total_bytes: 1e8, workspace_bytes: 1e8 },
      media_timeout: false,
      refuse_unsafe: true
    })
  )
}
