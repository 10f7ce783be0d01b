// The ports of the engine as `npm start` runs it.
import { Layer, Redacted } from "effect"
import { expectPresent } from "../domain/ExpectPresent.ts"
import * as GraphChatApp from "../layers/chatapp/GraphChatApp.ts"
import * as SandboxChatApp from "../layers/chatapp/SandboxChatApp.ts"
import * as SignedWebhookAuth from "../layers/chatapp/SignedWebhookAuth.ts"
import * as SimulatedChatApp from "../layers/chatapp/SimulatedChatApp.ts"
import { SignedStreamHeaders } from "../layers/http-client/SignedStreamHeaders.ts"
import * as SystemIds from "../layers/ids/SystemIds.ts"
import * as EventSignals from "../layers/journal/EventSignals.ts"
import { AesVault, vaultKeyId } from "../layers/keyring/AesVault.ts"
import { HmacCursorSigner } from "../layers/keyring/HmacCursorSigner.ts"
import { JoseKeyring } from "../layers/keyring/JoseKeyring.ts"
import { deriveKeys, plainKeys, type Secrets } from "../layers/keyring/Secrets.ts"
import * as LibPhoneNumber from "../layers/numberplan/LibPhoneNumber.ts"
import * as SharedSecret from "../layers/pbx/SharedSecret.ts"
import { postgresPorts } from "../layers/postgres/database/PostgresPorts.ts"
import * as Audio from "../layers/recordings/Audio.ts"
import { accountPorts, accountTokens } from "./Accounts.ts"
import { engineSettings, operatorsOf } from "./EngineSettings.ts"
import { journal, outgoing } from "./Measured.ts"
import { paymentPorts } from "./Payments.ts"
import type { Settings } from "./Settings.ts"
import { sipHosts, webrtcPorts } from "./Sip.ts"

type SettingsShape = Settings["Service"]

/** `iss` and `aud` of the keys that the engine mints: fixed, so that a deployment may change its address. */
const issuer = "trunkline"
const audience = "trunkline:api"

const chatApp = ({ chatapp_provider, graph_account_id, graph_sip_host, graph_token, ...graph }: SettingsShape) => {
  if (chatapp_provider === "simulator") return SimulatedChatApp.layer
  const real =
    chatapp_provider === "none"
      ? SimulatedChatApp.none
      : GraphChatApp.layer({
          url: graph.graph_url,
          token: expectPresent(graph_token, "GRAPH_TOKEN"),
          account_id: expectPresent(graph_account_id, "GRAPH_ACCOUNT_ID"),
          sip_host: expectPresent(graph_sip_host, "GRAPH_SIP_HOST"),
          provider_host: graph.graph_sip_provider_host,
          provider_port: graph.graph_sip_provider_port
        })
  return SandboxChatApp.layer(real)
}

const chatAppWebhookAuth = ({ graph_app_secret, graph_verify_token }: SettingsShape) =>
  SignedWebhookAuth.layer({ app_secret: graph_app_secret, verify_token: graph_verify_token })

const keys = (settings: SettingsShape, secrets: Secrets) => {
  const previous = secrets.previous_signing_key
  const signing = {
    issuer,
    current: Redacted.value(secrets.signing_key),
    ...(previous && { previous: Redacted.value(previous) })
  }
  return Layer.mergeAll(
    AesVault(...plainKeys(secrets.master_keys)),
    HmacCursorSigner(deriveKeys(secrets.master_keys, "cursor")),
    accountTokens(secrets.master_keys),
    JoseKeyring({ ...signing, audience }),
    webrtcPorts(settings, signing),
    SharedSecret.layer({
      secret: secrets.pbx_ingest_secret,
      gateways: settings.pbx_gateways,
      signature_required: settings.environment === "production"
    })
  )
}

/** The id of the current master key if it replaced another one, else undefined. */
const replacedKey = ({ master_keys }: Secrets) =>
  master_keys.length > 1 ? vaultKeyId(plainKeys(master_keys)[0]) : undefined

/** Every port and setting that the actors and HTTP need, over the database. */
export const ports = (settings: SettingsShape, secrets: Secrets) => {
  const stored = postgresPorts({ operators: operatorsOf(settings), replaced_key: replacedKey(secrets) })
  return Layer.mergeAll(
    EventSignals.layer.pipe(Layer.provide(journal(settings.environment))),
    Audio.layer({ ...settings, master_keys: secrets.master_keys }),
    outgoing(settings.environment),
    SignedStreamHeaders,
    sipHosts(settings),
    LibPhoneNumber.layer,
    chatApp(settings),
    chatAppWebhookAuth(settings),
    accountPorts(settings),
    paymentPorts(settings, secrets)
  ).pipe(
    Layer.provideMerge(stored),
    Layer.provideMerge(Layer.mergeAll(keys(settings, secrets), SystemIds.layer, engineSettings(settings)))
  )
}
