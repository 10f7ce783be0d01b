import { HttpApi, OpenApi } from "effect/http-api"
import { AdminNumbersApi } from "./api/AdminNumbersApi.ts"
import { AdminProvidersApi } from "./api/AdminProvidersApi.ts"
import { AdminRatesApi } from "./api/AdminRatesApi.ts"
import { ApiKeysApi } from "./api/ApiKeysApi.ts"
import { AuditApi } from "./api/AuditApi.ts"
import { AdminWalletsApi } from "./api/AdminWalletsApi.ts"
import { AccountsApi } from "./api/AccountsApi.ts"
import { AdminWorkspacesApi } from "./api/AdminWorkspacesApi.ts"
import { MembersApi } from "./api/MembersApi.ts"
import { AuthApi } from "./api/AuthApi.ts"
import { CallsApi } from "./api/CallsApi.ts"
import { CallStatsApi } from "./api/CallStatsApi.ts"
import { ChatAppApi } from "./api/ChatAppApi.ts"
import { KeysApi } from "./api/KeysApi.ts"
import { NumbersApi } from "./api/NumbersApi.ts"
import { AdminTrunksApi } from "./api/AdminTrunksApi.ts"
import { SipTrunkApi } from "./api/SipTrunkApi.ts"
import { SipCredentialsApi } from "./api/SipCredentialsApi.ts"
import { RecordingAudioApi, RecordingsApi } from "./api/RecordingsApi.ts"
import { AdminStorageApi } from "./api/AdminStorageApi.ts"
import { StorageApi } from "./api/StorageApi.ts"
import { TopUpsApi } from "./api/TopUpsApi.ts"
import { WalletApi } from "./api/WalletApi.ts"
import { WebrtcApi } from "./api/WebrtcApi.ts"
import { WebhooksApi } from "./api/WebhooksApi.ts"
import { VoiceActionsApi } from "./api/VoiceActionsApi.ts"
import { WorkspaceApi } from "./api/WorkspaceApi.ts"
import { tidyDocument } from "./TidyDocument.ts"
import { withWebhooks } from "./WebhookDocument.ts"

const description = `A prepaid voice-calling platform: JSON over HTTPS, under \`/v1\`.

- Amounts are integers in minor units: 100 make 1.00 of the currency. Times are RFC 3339, UTC. Numbers are E.164.
- Every response carries \`X-Request-Id\`; send a UUID of your own in that header and it is kept.
- Every POST takes an \`Idempotency-Key\`: the same request again gets the same answer for 24 hours.
- A key may read 20 times a second, 100 at once, and write 10 times, 50 at once: see \`RateLimit-Remaining\`.
- Lists are bare arrays; \`X-Next-Cursor\` leads to the next page.
- Errors have one body; decide by its \`code\`. Members of a request that are unknown are ignored and listed in
  \`X-Service-Warnings\`.`

/** The contract of the customer API: the routes, their OpenAPI document and the typed client come from it. */
export class Api extends HttpApi.make("trunkline")
  .add(
    CallsApi,
    ChatAppApi,
    CallStatsApi,
    WalletApi,
    TopUpsApi,
    NumbersApi,
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
    StorageApi,
    AdminStorageApi,
    ApiKeysApi,
    AuditApi,
    AuthApi,
    AccountsApi,
    MembersApi,
    AdminWorkspacesApi,
    KeysApi,
    AdminWalletsApi
  )
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotateMerge(OpenApi.annotations({
    title: "trunkline",
    version: "2026-10-01",
    description,
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    // Where the document was read.
    servers: [{ url: "/" }],
    transform: (document) => tidyDocument(withWebhooks(document))
  }))
{}
