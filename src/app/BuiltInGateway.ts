// The PBX gateways in the engine's own process: the configured one, and the network of the sandboxes.
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { toGatewayId } from "../domain/BrandedIds.ts"
import { expectPresent } from "../domain/ExpectPresent.ts"
import type { TargetPolicy } from "../domain/targets/TargetUrl.ts"
import * as AsteriskGateway from "../layers/pbx/asterisk/AsteriskGateway.ts"
import { BrowserLines } from "../layers/pbx/simulator/browsers/BrowserLines.ts"
import { PbxSimulator } from "../layers/pbx/simulator/PbxSimulator.ts"
import { makeRelayPool } from "../layers/streams/RelayPool.ts"
import type { Settings } from "./Settings.ts"

type SettingsShape = Settings["Service"]

export const policyOf = ({ allow_private_targets, environment }: SettingsShape): TargetPolicy => ({
  allow_insecure: environment === "development",
  allow_private: allow_private_targets
})

/** The simulated network of all sandboxes. */
export const sandboxNetwork = (settings: SettingsShape) => PbxSimulator.sandbox(makeRelayPool(policyOf(settings)))

export const builtInGateway = (settings: SettingsShape) => {
  const {
    ari_app,
    ari_carrier,
    ari_carrier_country,
    ari_uri_endpoint,
    ari_listen,
    ari_password,
    ari_url,
    ari_username,
    data_dir,
    default_gateway,
    media_timeout: on_or_off,
    media_timeout_seconds,
    pbx_gateway,
    sounds_max_mb,
    sounds_workspace_max_mb
  } = settings
  const media_timeout = on_or_off === "on" && media_timeout_seconds
  const policy = policyOf(settings)
  if (pbx_gateway === "simulator") {
    const gateway_id = toGatewayId(default_gateway)
    const made = Effect.zipWith(makeRelayPool(policy), BrowserLines, (relay, browsers) =>
      PbxSimulator.layer({ gateway_id, media_timeout: on_or_off === "on", relay, browsers })
    )
    return Layer.unwrap(made)
  }
  if (pbx_gateway === "none") return Layer.empty
  return AsteriskGateway.layer({
    gateway_id: toGatewayId(default_gateway),
    url: expectPresent(ari_url, "ARI_URL"),
    username: expectPresent(ari_username, "ARI_USERNAME"),
    password: expectPresent(ari_password, "ARI_PASSWORD"),
    app: expectPresent(ari_app, "ARI_APP"),
    listen: ari_listen,
    carrier_country: ari_carrier_country,
    endpoints: { carrier: ari_carrier, sip_uris: ari_uri_endpoint },
    sounds: join(data_dir, "sounds"),
    sound_limits: { total_bytes: sounds_max_mb * 1e6, workspace_bytes: sounds_workspace_max_mb * 1e6 },
    policy,
    media_timeout,
    refuse_unsafe: settings.environment === "production"
  })
}
