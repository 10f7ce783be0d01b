// The PBX gateways in the engine's own process: the configured one, and the network of the sandboxes.
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { toGatewayId } from "../domain/BrandedIds.ts"
import { expectPresent } from "../domain/ExpectPresent.ts"
import { AllowedTargets } from "../domain/ports/engine/AllowedTargets.ts"
import type { TargetPolicy } from "../domain/targets/TargetUrl.ts"
import * as AsteriskGateway from "../layers/pbx/asterisk/AsteriskGateway.ts"
import { BrowserLines } from "../layers/pbx/simulator/browsers/BrowserLines.ts"
import { PbxSimulator } from "../layers/pbx/simulator/PbxSimulator.ts"
import { makeRelayPool } from "../layers/streams/RelayPool.ts"
import type { Settings } from "./Settings.ts"

type SettingsShape = Settings["Service"]

const relayPool = Effect.flatMap(AllowedTargets, makeRelayPool)

/** The simulated network of all sandboxes. */
export const sandboxNetwork = PbxSimulator.sandbox(relayPool)

const simulator = ({ default_gateway, media_timeout }: SettingsShape) =>
  Layer.unwrap(
    Effect.zipWith(relayPool, BrowserLines, (relay, browsers) =>
      PbxSimulator.layer({
        gateway_id: toGatewayId(default_gateway),
        media_timeout: media_timeout === "on",
        relay,
        browsers
      })
    )
  )

const asteriskOptions = (settings: SettingsShape, policy: TargetPolicy): AsteriskGateway.AsteriskOptions => {
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
    sounds_max_mb,
    sounds_workspace_max_mb
  } = settings
  return {
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
    relay: makeRelayPool(policy),
    media_timeout: on_or_off === "on" && media_timeout_seconds,
    refuse_unsafe: settings.environment === "production"
  }
}

const asterisk = (settings: SettingsShape) =>
  Layer.unwrap(Effect.map(AllowedTargets, (policy) => AsteriskGateway.layer(asteriskOptions(settings, policy))))

export const builtInGateway = (settings: SettingsShape) => {
  if (settings.pbx_gateway === "simulator") return simulator(settings)
  return settings.pbx_gateway === "none" ? Layer.empty : asterisk(settings)
}
