// The settings that actors read, each as the service that they ask for.
import { Layer } from "effect"
import { AccountSettings } from "../actors/access/NewAccounts.ts"
import { CodeCallSettings } from "../domain/ports/calls/CodeCallSettings.ts"
import { LegSettings } from "../actors/calls/Legs.ts"
import { CallSettings } from "../actors/calls/PerformCall.ts"
import { SipHostSettings } from "../actors/calls/SipHosts.ts"
import { SipRegistrar } from "../actors/credentials/SipCredentials.ts"
import { PublicUrl } from "../actors/shared/PublicUrl.ts"
import { TopUpSettings } from "../actors/topups/PerformTopUp.ts"
import { WebrtcSettings } from "../actors/webrtc/Webrtc.ts"
import { WorkspaceSettings } from "../actors/workspace/Workspaces.ts"
import { toGatewayId } from "../domain/BrandedIds.ts"
import { AllowedTargets } from "../domain/ports/engine/AllowedTargets.ts"
import { demoOperator } from "../layers/postgres/seed/SeedPeople.ts"
import type { Settings } from "./Settings.ts"

type SettingsShape = Settings["Service"]

/** The e-mail addresses of operators. In development, the seeded operator is one of them. */
export const operatorsOf = ({ environment, operator_emails }: SettingsShape): ReadonlySet<string> =>
  new Set(environment === "development" ? [...operator_emails, demoOperator.email] : operator_emails)

export const targetsOf = ({ allow_private_targets, environment }: SettingsShape) =>
  Layer.succeed(AllowedTargets)({
    allow_insecure: environment === "development",
    allow_private: allow_private_targets
  })

/** The URL of the gate, to which browsers connect. */
const gateOf = (base_url: string): string => `${base_url.replace(/^http/, "ws")}/v1/webrtc/sip`

const callSettings = (settings: SettingsShape) =>
  Layer.mergeAll(
    Layer.succeed(LegSettings)({
      allow_test_numbers: settings.environment === "development",
      max_daily_spend_minor: settings.max_daily_spend_minor
    }),
    Layer.succeed(CallSettings)({
      waived_calls_per_day: settings.waive_callback_failures === "on" ? settings.waived_calls_per_day : 0,
      max_streams: settings.max_streams_per_workspace,
      max_conferences: settings.max_conferences_per_workspace
    }),
    Layer.succeed(CodeCallSettings)({
      from: settings.code_calls_from,
      silent: settings.environment === "development" && settings.code_calls_from === undefined
    }),
    Layer.succeed(SipHostSettings)({
      carries_sip_uris: settings.pbx_gateway !== "asterisk" || settings.ari_uri_endpoint !== undefined
    })
  )

const accountSettings = (settings: SettingsShape) =>
  Layer.mergeAll(
    Layer.succeed(PublicUrl)({ base_url: settings.base_url }),
    Layer.succeed(AccountSettings)({ sign_up: settings.sign_up, operators: operatorsOf(settings) }),
    Layer.succeed(WorkspaceSettings)({
      default_gateway: toGatewayId(settings.default_gateway),
      daily_spend_minor: settings.daily_spend_minor,
      max_daily_spend_minor: settings.max_daily_spend_minor,
      new_workspace_ceilings: settings.new_workspace_ceilings
    }),
    Layer.succeed(TopUpSettings)({ fresh_card_days: settings.fresh_card_days })
  )

const sipSettings = (settings: SettingsShape) =>
  Layer.merge(
    Layer.succeed(SipRegistrar)({ domain: settings.sip_registrar }),
    Layer.succeed(WebrtcSettings)({
      endpoint: gateOf(settings.base_url),
      domain: settings.sip_domain,
      simulated: settings.pbx_gateway === "simulator",
      token_max_seconds: settings.webrtc_token_max_seconds
    })
  )

export const engineSettings = (settings: SettingsShape) =>
  Layer.mergeAll(targetsOf(settings), callSettings(settings), accountSettings(settings), sipSettings(settings))
