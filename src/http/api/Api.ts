import { HttpApi } from "effect/http-api"
import { AdminGatewaysApi } from "./AdminGatewaysApi.ts"
import { AdminNumbersApi } from "./AdminNumbersApi.ts"
import { AdminProvidersApi } from "./AdminProvidersApi.ts"
import { AdminRatesApi } from "./AdminRatesApi.ts"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { AuditApi } from "./AuditApi.ts"
import { AdminWalletsApi } from "./AdminWalletsApi.ts"
import { AccountsApi } from "./AccountsApi.ts"
import { BillingApi } from "./BillingApi.ts"
import { AdminWorkspacesApi } from "./AdminWorkspacesApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { AuthApi } from "./AuthApi.ts"
import { CallerIdsApi } from "./CallerIdsApi.ts"
import { CallsApi } from "./CallsApi.ts"
import { CallStatsApi } from "./CallStatsApi.ts"
import { ChatAppApi } from "./ChatAppApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { KeysApi } from "./KeysApi.ts"
import { NumbersApi } from "./NumbersApi.ts"
import { AdminTrunksApi } from "./AdminTrunksApi.ts"
import { SipTrunkApi } from "./SipTrunkApi.ts"
import { SipCredentialsApi } from "./SipCredentialsApi.ts"
import { RecordingAudioApi, RecordingsApi } from "./RecordingsApi.ts"
import { AdminStorageApi } from "./AdminStorageApi.ts"
import { SandboxApi } from "./SandboxApi.ts"
import { ConferencesApi } from "./ConferencesApi.ts"
import { StorageApi } from "./StorageApi.ts"
import { TopUpsApi } from "./TopUpsApi.ts"
import { WalletApi } from "./WalletApi.ts"
import { WebrtcApi } from "./WebrtcApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"
import { VoiceActionsApi } from "./VoiceActionsApi.ts"
import { WorkspaceApi } from "./WorkspaceApi.ts"

/**
 * The contract of the customer API. The routes, the OpenAPI document and the typed client are derived from it. A client
 * can import it: nothing under `http/api` reaches the server (test/Tidy.test.ts).
 */
export class Api extends HttpApi.make("trunkline")
  .add(
    CallsApi,
    ChatAppApi,
    CallStatsApi,
    EventsApi,
    WalletApi,
    TopUpsApi,
    BillingApi,
    SandboxApi,
    NumbersApi,
    CallerIdsApi,
    WebhooksApi,
    WorkspaceApi,
    VoiceActionsApi,
    AdminNumbersApi,
    AdminProvidersApi,
    AdminRatesApi,
    SipCredentialsApi,
    RecordingsApi,
    RecordingAudioApi,
    SipTrunkApi,
    WebrtcApi,
    AdminTrunksApi,
    ConferencesApi,
    StorageApi,
    AdminStorageApi,
    ApiKeysApi,
    AuditApi,
    AuthApi,
    AccountsApi,
    MembersApi,
    AdminWorkspacesApi,
    AdminGatewaysApi,
    KeysApi,
    AdminWalletsApi
  )
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" }) {}
