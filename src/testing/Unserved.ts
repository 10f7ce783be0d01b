// What the engine under test does not have. Its routes are refused before they reach these services.
import { Effect, Layer } from "effect"
import { ApiKeys } from "../actors/access/ApiKeys.ts"
import { IdpSignIn } from "../actors/access/IdpSignIn.ts"
import { SignIn } from "../actors/access/SignIn.ts"
import { ChatApps } from "../actors/chatapp/ChatApps.ts"
import { Conferences } from "../actors/conferences/Conferences.ts"
import { SipCredentials } from "../actors/credentials/SipCredentials.ts"
import { Numbers } from "../actors/numbers/Numbers.ts"
import { Gateways } from "../actors/pbx/Gateways.ts"
import { Recordings } from "../actors/recordings/Recordings.ts"
import { StorageTiers } from "../actors/storage/StorageTiers.ts"
import { SandboxFunds } from "../actors/topups/SandboxFunds.ts"
import { SipTrunks } from "../actors/trunks/SipTrunks.ts"
import { AutoTopUps } from "../actors/wallet/AutoTopUps.ts"
import { Billing } from "../actors/wallet/Billing.ts"
import { Webrtc } from "../actors/webrtc/Webrtc.ts"
import { Members } from "../actors/workspace/Members.ts"
import { Sandboxes } from "../actors/workspace/Sandboxes.ts"
import { Workspaces } from "../actors/workspace/Workspaces.ts"
import { AuditReads } from "../domain/ports/access/AuditReads.ts"
import { CallStatistics } from "../domain/ports/calls/CallStatistics.ts"
import { ConferenceReads } from "../domain/ports/calls/ConferenceReads.ts"
import { NumberReads } from "../domain/ports/numbers/NumberReads.ts"
import { ProviderStore } from "../domain/ports/numbers/ProviderStore.ts"
import { RateTable } from "../domain/ports/numbers/RateTable.ts"
import { RecordingReads } from "../domain/ports/calls/RecordingReads.ts"
import { SeriesStore } from "../domain/ports/numbers/SeriesStore.ts"
import { Sessions } from "../domain/ports/access/Sessions.ts"
import { StoragePrices } from "../domain/ports/calls/StoragePrices.ts"
import { WorkspaceReads } from "../domain/ports/access/WorkspaceReads.ts"

export const unserved = Layer.mergeAll(
  Layer.mock(ApiKeys)({}),
  Layer.mock(IdpSignIn)({}),
  Layer.mock(SignIn)({}),
  Layer.mock(AutoTopUps)({}),
  Layer.mock(Billing)({}),
  Layer.mock(ChatApps)({}),
  Layer.mock(Conferences)({}),
  Layer.mock(Gateways)({}),
  Layer.mock(SipCredentials)({}),
  Layer.mock(Numbers)({}),
  Layer.mock(Recordings)({}),
  Layer.mock(StorageTiers)({}),
  Layer.mock(SandboxFunds)({}),
  Layer.mock(SipTrunks)({}),
  Layer.mock(Webrtc)({ domain: "sip.test" }),
  Layer.mock(Members)({}),
  Layer.mock(Sandboxes)({}),
  Layer.mock(Workspaces)({}),
  Layer.mock(AuditReads)({}),
  Layer.mock(CallStatistics)({}),
  Layer.mock(ConferenceReads)({}),
  Layer.mock(NumberReads)({}),
  Layer.mock(ProviderStore)({}),
  Layer.mock(RateTable)({}),
  Layer.mock(RecordingReads)({ ofCall: () => Effect.succeed(undefined) }),
  Layer.mock(SeriesStore)({}),
  Layer.succeed(Sessions)({ find: () => Effect.succeed(undefined), look: () => Effect.succeed(undefined) }),
  Layer.mock(StoragePrices)({}),
  Layer.mock(WorkspaceReads)({})
)

/** The areas of the interface that the engine under test serves. */
const served = [
  /^\/v1\/calls(?!\/stats|\/[^/]+\/recording)/,
  /^\/v1\/wallet(?!\/auto)/,
  /^\/v1\/topups(?!\/[^/]+\/receipt)/,
  /^\/v1\/events/,
  /^\/v1\/webhooks/,
  /^\/v1\/voice-actions/,
  /^\/v1\/\.well-known/,
  /^\/(openapi\.json|healthz|readyz)$/
]

export const isServed = (path: string): boolean => !path.startsWith("/v1/") || served.some((area) => area.test(path))
