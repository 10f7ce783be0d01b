// All routes and middleware of the server. The composition in src/app provides the services behind them.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type LeapHistory, leapSeconds } from "../../domain/ClockLeap.ts"
import { errorsPath } from "../../domain/errors/Envelope.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { cardIngestPath, cardReturnPath } from "../../domain/topups/CardNotice.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"
import { ClockLeaps } from "../../domain/ports/engine/ClockLeaps.ts"
import { MobileMoneyNotices } from "../../domain/ports/money/MobileMoneyNotices.ts"
import { Api } from "../api/Api.ts"
import { knownRoutes } from "../ingest/MobileMoneyIngest.ts"
import { DocumentedApi } from "../openapi/DocumentedApi.ts"
import { type DocumentName, DocumentTexts } from "../openapi/DocumentTexts.ts"
import { CallStream } from "../stream/CallStream.ts"
import { LiveStreams } from "../stream/LiveStreams.ts"
import { StreamLimit } from "../stream/StreamLimit.ts"
import { WorkspaceStream } from "../stream/WorkspaceStream.ts"
import { onlyRequestServices } from "../request/RequestServices.ts"
import { Draining } from "../request/Draining.ts"
import { edge } from "./Edge.ts"
import { AdminGatewaysHandlers } from "../handlers/AdminGatewaysHandlers.ts"
import { AdminNumbersHandlers } from "../handlers/AdminNumbersHandlers.ts"
import { AdminProvidersHandlers } from "../handlers/AdminProvidersHandlers.ts"
import { AdminRatesHandlers } from "../handlers/AdminRatesHandlers.ts"
import { ApiKeysHandlers } from "../handlers/ApiKeysHandlers.ts"
import { BillingHandlers } from "../handlers/BillingHandlers.ts"
import { AuditHandlers } from "../handlers/AuditHandlers.ts"
import { AdminWalletsHandlers } from "../handlers/AdminWalletsHandlers.ts"
import { AccountsHandlers } from "../handlers/AccountsHandlers.ts"
import { AdminWorkspacesHandlers } from "../handlers/AdminWorkspacesHandlers.ts"
import { MembersHandlers } from "../handlers/MembersHandlers.ts"
import { AuthHandlers } from "../handlers/AuthHandlers.ts"
import { CallsHandlers } from "../handlers/CallsHandlers.ts"
import { CallStatsHandlers } from "../handlers/CallStatsHandlers.ts"
import { ChatAppHandlers } from "../handlers/ChatAppHandlers.ts"
import { EventsHandlers } from "../handlers/EventsHandlers.ts"
import { KeysHandlers } from "../handlers/KeysHandlers.ts"
import { NumbersHandlers } from "../handlers/NumbersHandlers.ts"
import { AdminTrunksHandlers, SipTrunkHandlers } from "../handlers/SipTrunkHandlers.ts"
import { CallerIdsHandlers } from "../handlers/CallerIdsHandlers.ts"
import { SipCredentialsHandlers } from "../handlers/SipCredentialsHandlers.ts"
import { RecordingAudioHandlers, RecordingsHandlers } from "../handlers/RecordingsHandlers.ts"
import { AdminStorageHandlers } from "../handlers/AdminStorageHandlers.ts"
import { SandboxHandlers } from "../handlers/SandboxHandlers.ts"
import { ConferencesHandlers } from "../handlers/ConferencesHandlers.ts"
import { StorageHandlers } from "../handlers/StorageHandlers.ts"
import { TopUpsHandlers } from "../handlers/TopUpsHandlers.ts"
import { WalletHandlers } from "../handlers/WalletHandlers.ts"
import { WebrtcHandlers } from "../handlers/WebrtcHandlers.ts"
import { WebhooksHandlers } from "../handlers/WebhooksHandlers.ts"
import { VoiceActionsHandlers } from "../handlers/VoiceActionsHandlers.ts"
import { WorkspaceHandlers } from "../handlers/WorkspaceHandlers.ts"
import { answerFailure } from "../request/AnswerFailure.ts"
import { AnswersLive } from "../middleware/AnswersLive.ts"
import { AuthenticationLive } from "../middleware/AuthenticationLive.ts"
import { JsonOnlyLive } from "../middleware/JsonOnlyLive.ts"
import { JsonWriteLive } from "../middleware/JsonWriteLive.ts"
import { OnboardingWriteLive } from "../middleware/OnboardingWriteLive.ts"
import { OperatorOnlyLive } from "../middleware/OperatorOnlyLive.ts"
import { OperatorWriteLive } from "../middleware/OperatorWriteLive.ts"
import { RateLimitingLive } from "../middleware/RateLimitingLive.ts"
import { SignedInLive } from "../middleware/SignedInLive.ts"
import type { KnownRoute } from "../request/PathIndex.ts"
import { Overload } from "../request/Overload.ts"
import { Readiness } from "./Readiness.ts"
import { demoSignInRoutes } from "../pages/DemoSignIn.ts"
import { ErrorsPage } from "../pages/ErrorsPage.ts"
import { guidesPath } from "../pages/guides/Guide.ts"
import { FixedPages } from "../pages/FixedPage.ts"
import { ReferencePage, scriptPath } from "../pages/ReferencePage.ts"
import { InvitationPage } from "../pages/InvitationPage.ts"
import { SignInPage } from "../pages/SignInPage.ts"

/** The routes that are not part of the customer API. */
const otherRoutes: ReadonlyArray<KnownRoute> = [
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/readyz" },
  { method: "GET", path: "/metrics" },
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/asyncapi.json" },
  { method: "GET", path: "/docs" },
  { method: "GET", path: scriptPath },
  { method: "GET", path: errorsPath },
  { method: "GET", path: guidesPath },
  { method: "GET", path: `${guidesPath}/:name` },
  { method: "GET", path: "/sign-in" },
  { method: "POST", path: "/sign-in" },
  { method: "GET", path: "/invitation" },
  { method: "POST", path: "/invitation" },
  { method: "GET", path: "/v1/pbx/feed" },
  { method: "GET", path: "/v1/webrtc/sip" },
  { method: "OPTIONS", path: "/v1/webrtc/sip" },
  { method: "POST", path: "/v1/webhooks/pbx/events" },
  { method: "GET", path: "/v1/ingest/chatapp" },
  { method: "POST", path: "/v1/ingest/chatapp" },
  { method: "POST", path: cardIngestPath },
  { method: "GET", path: cardReturnPath },
  ...demoSignInRoutes
]

const apiRoutes = (): ReadonlyArray<KnownRoute> => {
  const routes: Array<KnownRoute> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      routes.push({ method, path: path as KnownRoute["path"] })
    }
  })
  return routes
}

const CustomerApi = HttpApiBuilder.layer(DocumentedApi).pipe(
  Layer.provide([
    CallsHandlers,
    ChatAppHandlers,
    CallStatsHandlers,
    EventsHandlers,
    WalletHandlers,
    TopUpsHandlers,
    BillingHandlers,
    SandboxHandlers,
    NumbersHandlers,
    WebhooksHandlers,
    WorkspaceHandlers,
    VoiceActionsHandlers,
    AdminNumbersHandlers,
    AdminProvidersHandlers,
    AdminRatesHandlers,
    SipCredentialsHandlers,
    CallerIdsHandlers,
    RecordingsHandlers,
    RecordingAudioHandlers,
    SipTrunkHandlers,
    WebrtcHandlers,
    AdminTrunksHandlers,
    ConferencesHandlers,
    StorageHandlers,
    AdminStorageHandlers,
    ApiKeysHandlers,
    AuditHandlers,
    AuthHandlers,
    AccountsHandlers,
    MembersHandlers,
    AdminWorkspacesHandlers,
    AdminGatewaysHandlers,
    KeysHandlers,
    AdminWalletsHandlers
  ]),
  Layer.provide([
    AnswersLive,
    AuthenticationLive,
    OperatorOnlyLive,
    SignedInLive,
    RateLimitingLive,
    JsonWriteLive,
    OnboardingWriteLive,
    JsonOnlyLive,
    OperatorWriteLive,
    Layer.merge(CallStream.layer, WorkspaceStream.layer).pipe(Layer.provide([StreamLimit.layer, LiveStreams.layer]))
  ])
)

/** Each is made when it is first asked for. `FixedPages` compresses it. */
const Documents = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { text } = yield* DocumentTexts
    const add = (name: DocumentName) => {
      let made: HttpServerResponse.HttpServerResponse | undefined
      const make = Effect.map(
        text(name),
        (json) => (made ??= HttpServerResponse.text(json, { contentType: "application/json" }))
      )
      const response = Effect.suspend(() => (made === undefined ? make : Effect.succeed(made)))
      return router.add("GET", `/${name}.json`, Effect.catch(response, answerFailure))
    }
    yield* add("openapi")
    yield* add("asyncapi")
  })
)

/** What happened to the wall clock since the engine started. */
const clockDetails = ({ count, last }: LeapHistory) => ({
  leaps: count,
  last_leap: last === undefined ? null : { kind: last.kind, by_seconds: leapSeconds(last), at: isoInstant(last.at) }
})

const Health = Layer.mergeAll(
  HttpRouter.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" })),
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const readiness = yield* Readiness
      const draining = yield* Draining
      const overload = yield* Overload
      const { history } = yield* ClockLeaps
      yield* router.add("GET", "/readyz", () =>
        Effect.gen(function* () {
          if (draining.isAnnounced())
            return yield* answerFailure(new ServiceUnavailable({ message: "The engine is stopping." }))
          return (yield* readiness.check)
            ? HttpServerResponse.jsonUnsafe({
                status: "ready",
                ...overload.report(),
                clock: clockDetails(history())
              })
            : yield* answerFailure(new ServiceUnavailable())
        })
      )
    })
  )
)

const Edge = Layer.unwrap(
  Effect.map(MobileMoneyNotices, ({ routes }) => edge([...apiRoutes(), ...otherRoutes, ...knownRoutes(routes)]))
)

/** The routes that every server has. src/app adds the metrics page and the entry points of the PBX and of providers. */
export const HttpApp = onlyRequestServices(
  Layer.mergeAll(
    CustomerApi,
    Layer.mergeAll(Documents, ReferencePage, ErrorsPage).pipe(Layer.provide(FixedPages.layer)),
    Health,
    SignInPage,
    InvitationPage,
    Edge
  )
)
