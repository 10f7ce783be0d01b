import { HttpApi, OpenApi } from "effect/http-api"
import { AdminNumbersApi } from "./AdminNumbersApi.ts"
import { AdminProvidersApi } from "./AdminProvidersApi.ts"
import { AdminRatesApi } from "./AdminRatesApi.ts"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { AuditApi } from "./AuditApi.ts"
import { AdminWalletsApi } from "./AdminWalletsApi.ts"
import { AccountsApi } from "./AccountsApi.ts"
import { AdminWorkspacesApi } from "./AdminWorkspacesApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { AuthApi } from "./AuthApi.ts"
import { CallsApi } from "./CallsApi.ts"
import { CallStatsApi } from "./CallStatsApi.ts"
import { ChatAppApi } from "./ChatAppApi.ts"
import { KeysApi } from "./KeysApi.ts"
import { NumbersApi } from "./NumbersApi.ts"
import { AdminTrunksApi } from "./AdminTrunksApi.ts"
import { SipTrunkApi } from "./SipTrunkApi.ts"
import { SipCredentialsApi } from "./SipCredentialsApi.ts"
import { RecordingAudioApi, RecordingsApi } from "./RecordingsApi.ts"
import { AdminStorageApi } from "./AdminStorageApi.ts"
import { StorageApi } from "./StorageApi.ts"
import { TopUpsApi } from "./TopUpsApi.ts"
import { WalletApi } from "./WalletApi.ts"
import { WebrtcApi } from "./WebrtcApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"
import { VoiceActionsApi } from "./VoiceActionsApi.ts"
import { WorkspaceApi } from "./WorkspaceApi.ts"
import { tidyDocument } from "../openapi/TidyDocument.ts"
import { withWebhooks } from "../openapi/WebhookDocument.ts"

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
  .annotateMerge(
    OpenApi.annotations({
      title: "trunkline",
      version: "2026-10-01",
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      // Where the document was read.
      servers: [{ url: "/" }],
      transform: (document) => tidyDocument(withWebhooks(document))
    })
  ) {}
