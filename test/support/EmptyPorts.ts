// The services of the fake engine that no test of the server changes.
import { Effect, Layer } from "effect"
import { ApiKeys } from "../../src/actors/access/ApiKeys.ts"
import { ChatApps } from "../../src/actors/chatapp/ChatApps.ts"
import { InboundCalls } from "../../src/actors/ingest/InboundCalls.ts"
import { Conferences } from "../../src/actors/conferences/Conferences.ts"
import { StorageTiers } from "../../src/actors/storage/StorageTiers.ts"
import { Recordings } from "../../src/actors/recordings/Recordings.ts"
import { Gateways } from "../../src/actors/pbx/Gateways.ts"
import { Webrtc } from "../../src/actors/webrtc/Webrtc.ts"
import { SipTrunks } from "../../src/actors/trunks/SipTrunks.ts"
import { VerifiedCallerIds } from "../../src/actors/callerids/VerifiedCallerIds.ts"
import { CallerIdCallsUnavailable, CallerIdNotFound } from "../../src/domain/errors/CallerIdErrors.ts"
import { SipCredentials } from "../../src/actors/credentials/SipCredentials.ts"
import { Numbers } from "../../src/actors/numbers/Numbers.ts"
import { WebhookDoctor } from "../../src/actors/webhooks/WebhookDoctor.ts"
import { Webhooks } from "../../src/actors/webhooks/Webhooks.ts"
import { ApiKeyNotFound } from "../../src/domain/errors/ApiKeyErrors.ts"
import { RecordingNotFound } from "../../src/domain/errors/CallErrors.ts"
import { NumberByoRequiresTrunk, NumberNotFound } from "../../src/domain/errors/NumberErrors.ts"
import { SipCredentialNotFound, SipTokenUnavailable } from "../../src/domain/errors/SipCredentialErrors.ts"
import { TrunkAlreadyExists, TrunkNotFound } from "../../src/domain/errors/TrunkErrors.ts"
import { WebhookLimitReached, WebhookNotFound } from "../../src/domain/errors/WebhookErrors.ts"
import {
  StoragePriceMissing,
  StorageTierInvalid,
  StorageTierSwitchFailed
} from "../../src/domain/errors/StorageErrors.ts"
import { storageRecord } from "../../src/domain/storage/RecordStorage.ts"
import { freeStorage } from "../../src/domain/storage/Storage.ts"
import { CallSimulator } from "../../src/domain/ports/calls/CallSimulator.ts"
import { TopUpLimitTable } from "../../src/domain/ports/money/TopUpLimitTable.ts"
import { topUpLimits } from "./Payments.ts"
import { FakeMoney } from "./FakeMoney.ts"
import { workspaceId } from "./Ids.ts"

const noWebhook = () => Effect.fail(new WebhookNotFound())

/** Facades that hold nothing: reads find nothing, and commands fail with what their subject lacks. */
export const EmptyPorts = Layer.mergeAll(
  Layer.succeed(WebhookDoctor)({ examine: () => Effect.fail(new WebhookNotFound()) }),
  Layer.succeed(CallSimulator)({ run: () => Effect.fail(new NumberNotFound()) }),
  InboundCalls.none,
  Layer.succeed(Gateways)({ list: () => Effect.succeed([]) }),
  Layer.mock(Webrtc)({ domain: "sip.example.com", token: () => Effect.fail(new SipTokenUnavailable()) }),
  Layer.succeed(SipTrunks)({
    create: () => Effect.fail(new TrunkAlreadyExists()),
    get: () => Effect.fail(new TrunkNotFound()),
    change: () => Effect.fail(new TrunkNotFound()),
    remove: () => Effect.fail(new TrunkNotFound()),
    approve: () => Effect.fail(new TrunkNotFound()),
    reject: () => Effect.fail(new TrunkNotFound())
  }),
  Layer.succeed(SipCredentials)({
    create: () => Effect.fail(new NumberNotFound()),
    list: () => Effect.fail(new NumberNotFound()),
    rotate: () => Effect.fail(new SipCredentialNotFound()),
    revoke: () => Effect.fail(new SipCredentialNotFound())
  }),
  Layer.mock(VerifiedCallerIds)({
    list: () => Effect.succeed([]),
    get: () => Effect.fail(new CallerIdNotFound()),
    verify: () => Effect.fail(new CallerIdNotFound()),
    withdraw: () => Effect.fail(new CallerIdNotFound()),
    mayRequest: () => Effect.void,
    request: () => Effect.fail(new CallerIdCallsUnavailable())
  }),
  Layer.mock(ChatApps)({}),
  Layer.mock(ApiKeys)({ list: () => Effect.succeed([]), get: () => Effect.fail(new ApiKeyNotFound()) }),
  FakeMoney,
  Layer.mock(Numbers)({
    claim: () => Effect.fail(new NumberNotFound()),
    register: () => Effect.fail(new NumberByoRequiresTrunk()),
    release: () => Effect.fail(new NumberNotFound()),
    route: () => Effect.fail(new NumberNotFound()),
    remove: () => Effect.fail(new NumberNotFound())
  }),
  Layer.succeed(TopUpLimitTable)({
    set: () => Effect.void,
    list: Effect.succeed([]),
    of: () => Effect.succeed(topUpLimits.KES)
  }),
  Layer.mock(Conferences)({}),
  Layer.mock(StorageTiers)({
    show: () =>
      Effect.succeed(
        storageRecord(
          freeStorage(workspaceId("")),
          { used_bytes: 0, recordings: 0 },
          { retention_days: 90, currency: "KES" }
        )
      ),
    change: () => Effect.fail(new StorageTierInvalid()),
    returnToFree: () => Effect.fail(new StorageTierSwitchFailed()),
    assign: () => Effect.fail(new StoragePriceMissing())
  }),
  Layer.mock(Recordings)({
    ofCall: () => Effect.fail(new RecordingNotFound()),
    link: () => Effect.fail(new RecordingNotFound()),
    remove: () => Effect.fail(new RecordingNotFound()),
    open: () => Effect.fail(new RecordingNotFound())
  }),
  Layer.succeed(Webhooks)({
    create: () => Effect.fail(new WebhookLimitReached()),
    list: () => Effect.succeed([]),
    get: noWebhook,
    deliveries: noWebhook,
    change: noWebhook,
    remove: noWebhook,
    rotateSecret: noWebhook,
    test: noWebhook,
    delivery: noWebhook,
    retry: noWebhook,
    replay: noWebhook,
    setNumberEventsUrl: () => Effect.succeed(undefined),
    rotateNumberSecret: noWebhook
  })
)
