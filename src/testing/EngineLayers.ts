// The layers of the engine under test: the actors, rules and routes of `npm start` over memory.
import { ByteSize, type Context, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"
import { generateKeyPairSync } from "node:crypto"
import { SipHosts } from "../actors/calls/SipHosts.ts"
import { engineCore } from "../actors/core/EngineCore.ts"
import { SipTargets } from "../actors/pbx/SipTargets.ts"
import * as LocalSystem from "../actors/runtime/LocalSystem.ts"
import { maxVoiceActions_bytes } from "../domain/calls/verbs/ParseVoiceActions.ts"
import { Idempotency } from "../domain/ports/access/Idempotency.ts"
import { Mailer } from "../domain/ports/access/Mailer.ts"
import { CodeCallSettings } from "../domain/ports/calls/CodeCallSettings.ts"
import { CallHistory } from "../domain/ports/calls/CallHistory.ts"
import { CallStatistics } from "../domain/ports/calls/CallStatistics.ts"
import { ConferenceReads } from "../domain/ports/calls/ConferenceReads.ts"
import { RecordingReads } from "../domain/ports/calls/RecordingReads.ts"
import { BillingReads } from "../domain/ports/money/BillingReads.ts"
import { NumberReads } from "../domain/ports/numbers/NumberReads.ts"
import { CallReads } from "../domain/ports/calls/CallReads.ts"
import { VoiceCallback } from "../domain/ports/calls/VoiceCallback.ts"
import { ClockLeaps } from "../domain/ports/engine/ClockLeaps.ts"
import { Keyring } from "../domain/ports/engine/Keyring.ts"
import { WebrtcKeys } from "../domain/ports/pbx/WebrtcKeys.ts"
import { WalletReads } from "../domain/ports/money/WalletReads.ts"
import { HostResolver } from "../domain/ports/pbx/HostResolver.ts"
import { DeliveryReads } from "../domain/ports/webhooks/DeliveryReads.ts"
import { SubscriptionReads } from "../domain/ports/webhooks/SubscriptionReads.ts"
import { WebhookProbes } from "../domain/ports/webhooks/WebhookProbes.ts"
import { WebhookSender } from "../domain/ports/webhooks/WebhookSender.ts"
import { ReadFailed } from "../domain/errors/ReadFailed.ts"
import type { Rate } from "../domain/numbers/Rate.ts"
import { Draining } from "../http/request/Draining.ts"
import { Overload } from "../http/request/Overload.ts"
import { exactPaths } from "../http/request/PathIndex.ts"
import { RateLimits } from "../http/request/RateLimits.ts"
import { RequestTimeout } from "../http/request/RequestDeadline.ts"
import { SecureCookies } from "../http/request/SessionCookie.ts"
import { AccessLog } from "../http/server/AccessLog.ts"
import { DocumentTexts } from "../http/openapi/DocumentTexts.ts"
import { HttpApp } from "../http/server/HttpApp.ts"
import { Readiness } from "../http/server/Readiness.ts"
import { TrustedProxies } from "../http/server/TrustedProxies.ts"
import * as CardSimulator from "../layers/card/CardSimulator.ts"
import * as SimulatedChatApp from "../layers/chatapp/SimulatedChatApp.ts"
import { announcements } from "../layers/chatapp/SimulatedChatAppNotices.ts"
import { makeVoiceCallback } from "../layers/http-client/HttpVoiceCallback.ts"
import { webhookProbes, webhookSender } from "../layers/http-client/HttpWebhookSender.ts"
import * as SystemIds from "../layers/ids/SystemIds.ts"
import type { MemoryJournal } from "../layers/journal/MemoryJournal.ts"
import { AesVault } from "../layers/keyring/AesVault.ts"
import { HmacCursorSigner } from "../layers/keyring/HmacCursorSigner.ts"
import { HmacTokens } from "../layers/keyring/HmacTokens.ts"
import { JoseKeyring } from "../layers/keyring/JoseKeyring.ts"
import { JoseWebrtcKeys } from "../layers/keyring/JoseWebrtcKeys.ts"
import { memoryPorts } from "../layers/memory/MemoryPorts.ts"
import { memorySettings } from "../layers/memory/MemorySettings.ts"
import * as MobileMoneySimulator from "../layers/mobilemoney/simulator/MobileMoneySimulator.ts"
import * as OpenIdProvider from "../layers/oidc/OpenIdProvider.ts"
import { BrowserLines, simulatedSipUpstream } from "../layers/pbx/simulator/browsers/BrowserLines.ts"
import type { MemoryRecordings } from "../layers/recordings/MemoryRecordings.ts"
import * as SimulatedPayments from "../layers/sandbox/SimulatedPayments.ts"
import * as CallSimulation from "../app/simulation/CallSimulation.ts"
import type { Application } from "./Application.ts"
import type { TestMail } from "./EngineUnderTest.ts"

/** What survives the death of the engine's process. */
export interface Surroundings {
  readonly journal: MemoryJournal
  readonly recordings: MemoryRecordings
  readonly application: Application
  readonly rates: ReadonlyArray<Rate & { readonly currency: string }>
  readonly mails: Array<TestMail>
  readonly signing_key: ReturnType<typeof newSigningKey>
  readonly master_key: Uint8Array
  /** How many signatures are being made. */
  readonly signing: { count: number }
  /** The number that calls with codes, if any does. */
  readonly code_calls_from: string | undefined
  /** Whether the database can be reached. */
  readonly isDatabaseUp: () => boolean
}

export const newSigningKey = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })

const policy = { allow_insecure: true, allow_private: true }
const webhookAnswer_bytes = 65_536
const requestTimeout_ms = 15_000
const maxBody = ByteSize.kibibytes(256)

/** A month of 5 and of 10 GB. */
const storagePrices = { 5_120: 59_900, 10_240: 99_900 }
/** What a number of the inventory costs. */
const numberPrices = { monthly_price_minor: 50_000, inbound_per_min_minor: 100, outbound_per_min_minor: 300 }

type AnyEffect = Effect.Effect<unknown, unknown>
type Method = (...args: ReadonlyArray<unknown>) => unknown

/** The port, with every effect that its methods return wrapped. */
const wrapped = <I, S extends object>(tag: Context.Key<I, S>, wrap: (effect: AnyEffect) => AnyEffect) =>
  Layer.effect(
    tag,
    Effect.map(Effect.service(tag), (service) => {
      const members = Object.entries(service).map(([name, member]) => [
        name,
        typeof member === "function"
          ? (...args: ReadonlyArray<unknown>) => {
              const result = (member as Method)(...args)
              return Effect.isEffect(result) ? wrap(result as AnyEffect) : result
            }
          : member
      ])
      return Object.fromEntries(members) as S
    })
  )

/** The reads of a port, which fail while the database is away. */
const whileUp = <I, S extends object>(isUp: () => boolean, tag: Context.Key<I, S>) =>
  wrapped(tag, (effect) =>
    Effect.suspend(() => (isUp() ? effect : Effect.fail(new ReadFailed({ cause: "The database is down" }))))
  )

const readsWhileUp = (isUp: () => boolean) =>
  Layer.mergeAll(
    whileUp(isUp, BillingReads),
    whileUp(isUp, CallReads),
    whileUp(isUp, CallHistory),
    whileUp(isUp, CallStatistics),
    whileUp(isUp, ConferenceReads),
    whileUp(isUp, DeliveryReads),
    whileUp(isUp, Idempotency),
    whileUp(isUp, NumberReads),
    whileUp(isUp, RecordingReads),
    whileUp(isUp, SubscriptionReads),
    whileUp(isUp, WalletReads)
  )

/** Signatures are made by another thread, in real time: the engine's time stands still meanwhile. */
const counted = <I, S extends object>(signing: Surroundings["signing"], tag: Context.Key<I, S>) =>
  wrapped(tag, (effect) =>
    Effect.suspend(() => {
      signing.count++
      return Effect.ensuring(
        effect,
        Effect.sync(() => signing.count--)
      )
    })
  )

const keys = ({ master_key, signing, signing_key }: Surroundings) =>
  Layer.merge(counted(signing, Keyring), counted(signing, WebrtcKeys)).pipe(
    Layer.provideMerge(signingKeys(signing_key)),
    Layer.merge(Layer.mergeAll(AesVault(master_key), HmacCursorSigner([master_key]), HmacTokens([master_key])))
  )

const signingKeys = (signing_key: Surroundings["signing_key"]) =>
  Layer.merge(
    JoseKeyring({ issuer: "trunkline", audience: "trunkline:api", current: signing_key }),
    JoseWebrtcKeys({ issuer: "trunkline", current: signing_key, turn_urls: [], turn_secret: undefined })
  )

const outgoing = ({ application, mails }: Surroundings) =>
  Layer.mergeAll(
    Layer.effect(VoiceCallback, makeVoiceCallback(application.client(maxVoiceActions_bytes), policy)),
    Layer.succeed(WebhookSender)(webhookSender(application.client(webhookAnswer_bytes), policy)),
    Layer.succeed(WebhookProbes)(webhookProbes(application.client(webhookAnswer_bytes), policy)),
    Layer.succeed(Mailer)({
      send: (to, { html, subject, text }) => Effect.sync(() => void mails.push({ to, subject, text, html }))
    })
  )

/** Simulated providers, and names that mean no host. */
const simulated = Layer.mergeAll(
  MobileMoneySimulator.layer,
  CardSimulator.layer,
  SimulatedPayments.layer,
  SimulatedChatApp.layer,
  OpenIdProvider.unconfigured,
  SipHosts.local,
  SipTargets.any,
  simulatedSipUpstream.pipe(Layer.provideMerge(BrowserLines.layer)),
  Layer.succeed(HostResolver)({ addresses: () => Effect.succeed([]), services: () => Effect.succeed([]) }),
  ClockLeaps.none
)

const settingsOf = ({ code_calls_from: from }: Surroundings) =>
  Layer.merge(memorySettings, Layer.succeed(CodeCallSettings)({ from, silent: from === undefined }))

const ports = (surroundings: Surroundings, seed: number) => {
  const { isDatabaseUp, journal, rates, recordings } = surroundings
  const stored = memoryPorts({ journal, rates, number_prices: numberPrices, storage_prices: storagePrices })
  return Layer.mergeAll(outgoing(surroundings), recordings.layer, simulated).pipe(
    Layer.provideMerge(readsWhileUp(isDatabaseUp).pipe(Layer.provideMerge(stored))),
    Layer.provideMerge(
      Layer.mergeAll(journal.layer, keys(surroundings), SystemIds.seeded(seed), settingsOf(surroundings))
    )
  )
}

const engine = Layer.merge(announcements.pipe(Layer.provideMerge(engineCore)), CallSimulation.layer).pipe(
  Layer.provideMerge(LocalSystem.layer)
)

const server = (isDatabaseUp: () => boolean) =>
  HttpApp.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        DocumentTexts.inThisThread,
        Draining.layer,
        Layer.succeed(SecureCookies)(false),
        Layer.succeed(RequestTimeout)({ timeout_ms: requestTimeout_ms }),
        TrustedProxies.none,
        RateLimits.on,
        AccessLog.sampled(1_000),
        Layer.succeed(HttpIncomingMessage.MaxBodySize)(maxBody),
        Layer.succeed(Readiness)({ check: Effect.sync(isDatabaseUp) }),
        Overload.none,
        HttpServer.layerServices,
        HttpRouter.layer.pipe(Layer.provide(Layer.succeed(HttpRouter.RouterConfig)(exactPaths)))
      )
    )
  )

/** One process of the engine. `seed` decides its ids. */
export const engineLayer = (surroundings: Surroundings, seed: number) =>
  server(surroundings.isDatabaseUp).pipe(Layer.provideMerge(engine), Layer.provideMerge(ports(surroundings, seed)))

export type EngineServices = Layer.Success<ReturnType<typeof engineLayer>>
