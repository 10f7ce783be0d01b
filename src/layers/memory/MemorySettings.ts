// The settings of engines in memory. A test that needs another value merges its own layer over these.
import { Layer } from "effect"
import { AccountSettings } from "../../actors/access/NewAccounts.ts"
import { CodeCallSettings } from "../../domain/ports/calls/CodeCallSettings.ts"
import { LegSettings } from "../../actors/calls/Legs.ts"
import { CallSettings } from "../../actors/calls/PerformCall.ts"
import { SipRegistrar } from "../../actors/credentials/SipCredentials.ts"
import { PublicUrl } from "../../actors/shared/PublicUrl.ts"
import { TopUpSettings } from "../../actors/topups/PerformTopUp.ts"
import { WebrtcSettings } from "../../actors/webrtc/Webrtc.ts"
import { WorkspaceSettings } from "../../actors/workspace/Workspaces.ts"
import { toGatewayId } from "../../domain/BrandedIds.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"

/** How many streams and conferences a workspace may have at once. */
export const usualLimits = { max_streams: 50, max_conferences: 20 }

export const memoryCallSettings = Layer.mergeAll(
  Layer.succeed(AllowedTargets)({ allow_insecure: true, allow_private: true }),
  Layer.succeed(LegSettings)({ allow_test_numbers: true, max_daily_spend_minor: new Map() }),
  Layer.succeed(CodeCallSettings)({ from: undefined, silent: true }),
  Layer.succeed(CallSettings)({ ...usualLimits, waived_calls_per_day: 0 })
)

export const memorySettings = Layer.mergeAll(
  memoryCallSettings,
  Layer.succeed(PublicUrl)({ base_url: "http://engine.test" }),
  Layer.succeed(AccountSettings)({ sign_up: "open", operators: new Set() }),
  Layer.succeed(WorkspaceSettings)({
    default_gateway: toGatewayId("default"),
    daily_spend_minor: new Map(),
    max_daily_spend_minor: new Map(),
    new_workspace_ceilings: false
  }),
  Layer.succeed(TopUpSettings)({ fresh_card_days: 14 }),
  Layer.succeed(SipRegistrar)({ domain: "sip.test" }),
  Layer.succeed(WebrtcSettings)({
    endpoint: "ws://engine.test/v1/webrtc/sip",
    domain: "sip.test",
    simulated: true,
    token_max_seconds: 3_600
  })
)
