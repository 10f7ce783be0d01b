/**
 * Engines for tests, in memory and on the clock of the test, with simulated phones. `testEngine` is for the tests of
 * applications: promises, the HTTP API, webhooks and callbacks. `engine` is a layer of Effect: move `TestClock`, then
 * check.
 */
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { StorageTiers } from "./actors/storage/StorageTiers.ts"
import { CallSettings } from "./actors/calls/PerformCall.ts"
import { SipHosts } from "./actors/calls/SipHosts.ts"
import { ActorSystem } from "./actors/runtime/ActorSystem.ts"
import * as WalletActor from "./actors/wallet/WalletActor.ts"
import { systemOrigin } from "./domain/access/Origin.ts"
import type { CallRecord } from "./domain/calls/state/CallRecord.ts"
import type { CallingPolicy } from "./domain/calls/policy/CallingPolicy.ts"
import type { Rate } from "./domain/numbers/Rate.ts"
import type { Extension } from "./domain/credentials/Extension.ts"
import type { Routing } from "./domain/numbers/Routing.ts"
import type { TrunkLimits } from "./domain/trunks/TrunkCapacity.ts"
import type { VoiceAction } from "./domain/calls/verbs/VoiceAction.ts"
import { CallReads } from "./domain/ports/calls/CallReads.ts"
import { Ids } from "./domain/ports/engine/Ids.ts"
import type { ReadFailed } from "./domain/errors/ReadFailed.ts"
import { CallbackFailure, VoiceCallback } from "./domain/ports/calls/VoiceCallback.ts"
import * as SystemIds from "./layers/ids/SystemIds.ts"
import { MemoryJournal } from "./layers/journal/MemoryJournal.ts"
import { memoryCallSettings, usualLimits } from "./layers/memory/MemorySettings.ts"
import * as MemoryDirectory from "./layers/memory/MemoryDirectory.ts"
import { MemoryRecordings } from "./layers/recordings/MemoryRecordings.ts"
import type { MediaRelay } from "./layers/pbx/MediaRelay.ts"
import type { Phone } from "./layers/pbx/simulator/Phones.ts"
import { PbxSimulator } from "./layers/pbx/simulator/PbxSimulator.ts"
import { callEngine } from "./app/simulation/CallEngine.ts"
import type { CallbackRequest } from "./domain/calls/state/CallbackAttempt.ts"
import {
  type CallRef,
  toGatewayId,
  toNumberId,
  toPbxTrunkId,
  toWorkspaceId,
  type WorkspaceId
} from "./domain/BrandedIds.ts"
import { sandboxIdOf } from "./domain/kit/Sandbox.ts"

export { CallbackFailure, MemoryJournal, MemoryRecordings, PbxSimulator }
export type { App, DeliveryAttempt, WebhookEvent } from "./testing/Application.ts"
export type {
  EngineUnderTest,
  InboundCaller,
  JsonAnswer,
  TestClock,
  TestEngineOptions,
  TestFaults,
  TestMail,
  TestWallet,
  TestWebhooks,
  TestWorkspace
} from "./testing/EngineUnderTest.ts"
export { testEngine } from "./testing/TestEngine.ts"
export type { PbxFaults } from "./testing/TestPbx.ts"
export type { Answering, TestPhone } from "./testing/TestPhones.ts"
export type { TestStream } from "./testing/TestStreams.ts"
export type { RateOptions, WorkspaceOptions } from "./testing/TestWorkspaces.ts"
export type { Span } from "./testing/Span.ts"

/** The workspace that every test engine knows, with one number and rates for Kenya and the test network. */
export const workspace = {
  id: toWorkspaceId("0199a000-0000-7000-8000-000000000001"),
  tenant_pbx_id: "test",
  number: "+254700000001",
  number_id: toNumberId("0199a000-0000-7000-8000-000000000002"),
  rate_per_min_minor: 300
}

/** The id of the workspace in test mode (`EngineOptions.test_mode`). */
export const sandbox_id = sandboxIdOf(SystemIds.named, workspace.id)

const idOf = ({ test_mode = false }: EngineOptions): WorkspaceId => (test_mode ? sandbox_id : workspace.id)

/** What a month of each size of storage costs here, in minor units of KES. */
const storage_prices = { 1024: 59_900, 4096: 149_900, 5120: 174_900, 10_240: 299_900 }

const directoryWith = ({
  calling_policy = {},
  extensions = [],
  inbound_per_min_minor = 100,
  own_trunk,
  rates = [],
  retention_days = 90,
  routing = {},
  status = "active",
  test_mode = false
}: EngineOptions): MemoryDirectory.DirectoryData => ({
  workspaces: [
    {
      id: idOf({ test_mode }),
      name: "Test",
      status,
      currency: "KES",
      tenant_pbx_id: workspace.tenant_pbx_id,
      gateway_id: toGatewayId("default"),
      voice_secret: "",
      calling_policy: {
        max_concurrent_calls: 1_000,
        calls_per_second: 1_000,
        max_calls_per_destination_per_hour: null,
        ...calling_policy
      },
      retention_days,
      extensions,
      ...(own_trunk !== undefined && {
        trunk: { max_channels: null, max_cps: null, ...own_trunk, id: toPbxTrunkId(own_trunk.id) }
      }),
      numbers: [
        {
          id: workspace.number_id,
          number: workspace.number,
          status: "active",
          source: own_trunk === undefined ? "platform" : "byo",
          country: "KE",
          outbound_per_min_minor: own_trunk === undefined ? workspace.rate_per_min_minor : null,
          inbound_per_min_minor,
          routing
        }
      ]
    }
  ],
  rates: [
    ...rates.map((rate) => ({ ...rate, currency: "KES" }) as const),
    ...["254", "999"].map(
      (prefix) => ({ prefix, per_min_minor: workspace.rate_per_min_minor, class: "normal", currency: "KES" }) as const
    ),
    ...(own_trunk === undefined
      ? []
      : [{ prefix: "254", per_min_minor: own_trunk.rate_per_min_minor, class: "byo", currency: "KES" } as const])
  ]
})

export interface EngineOptions {
  /** The stored data. Pass the journal of a crashed engine to continue where it was. */
  readonly journal?: MemoryJournal
  /** How the customer's callback answers. Default: an empty list of actions. */
  readonly callback?: (request: CallbackRequest) => Effect.Effect<ReadonlyArray<VoiceAction>, CallbackFailure>
  readonly phones?: (to: string) => Phone
  /** What relays media streams. Default: the gateway has no streams. */
  readonly relay?: MediaRelay
  /** Whether the PBX ends a call when the phone sends no audio. Default: no. */
  readonly media_timeout?: boolean
  /** Days for which recordings are kept. Default: 90. */
  readonly retention_days?: number
  /** The stored audio. Like the journal, pass it again after a crash. */
  readonly recordings?: MemoryRecordings
  /** Rates of destinations outside of Kenya, in KES. Default: none. */
  readonly rates?: ReadonlyArray<Rate>
  /**
   * Changes to the calling policy. Default: the normal default, but with 1,000 concurrent calls and 1,000 per second.
   */
  readonly calling_policy?: Partial<CallingPolicy>
  /**
   * The workspace's own trunk, with the price of a minute to Kenya and its limits. The number then is the workspace's
   * own. Default: none, so calls use the platform's carrier.
   */
  readonly own_trunk?: { readonly id: string; readonly rate_per_min_minor: number } & Partial<TrunkLimits>
  /** Whether the charge of a call whose first callback fails is given back. Default: no. */
  readonly waive_callback_failures?: boolean
  /** How many charges a workspace is given back in a day. Default: 20. */
  readonly waived_calls_per_day?: number
  /** The extensions of the workspace's registered devices. */
  readonly extensions?: ReadonlyArray<Extension>
  /** Changes to the routing of the number. */
  readonly routing?: Partial<Routing>
  /** Price of an inbound minute. Default: 100. */
  readonly inbound_per_min_minor?: number
  /** Whether the workspace is a sandbox, which calls the test network and nothing else. Default: no. */
  readonly test_mode?: boolean
  /** Status of the workspace. Default: active. */
  readonly status?: "active" | "suspended" | "closed"
}

/** Time, calls, money and memory of the engine under test. */
export class TestEngine extends Context.Service<
  TestEngine,
  {
    /** Moves the test's clock by this many seconds, and waits for all effects. */
    readonly pass: (seconds: number) => Effect.Effect<void>
    /** The current record of a call of the workspace. */
    readonly call: (id: CallRef) => Effect.Effect<CallRecord | undefined, ReadFailed>
    readonly journal: MemoryJournal
    /** Puts money into the workspace's wallet. */
    readonly credit: (amount_minor: number) => Effect.Effect<void>
    readonly balance_minor: Effect.Effect<number>
    readonly held_minor: Effect.Effect<number>
  }
>()("trunkline/testing/TestEngine") {}

const makeTestEngine = (journal: MemoryJournal, workspace_id: WorkspaceId) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const reads = yield* CallReads
    const { uuid } = yield* Ids
    const column = (name: string) =>
      Effect.sync(() => Number(journal.tables.snapshot("Wallet", workspace_id)?.columns[name] ?? 0))
    const ask = (command: Parameters<typeof WalletActor.WalletActor.decide>[1]) =>
      Effect.orDie(system.ask(WalletActor.WalletActor, workspace_id, command))
    return TestEngine.of({
      pass: (seconds) =>
        Effect.gen(function* () {
          yield* system.drain
          for (let second = 0; second < seconds; second++) {
            yield* TestClock.adjust("1 second")
            yield* system.drain
          }
        }),
      call: (id) => reads.find(workspace_id, id),
      journal,
      balance_minor: column("balance_minor"),
      held_minor: column("held_minor"),
      credit: (amount_minor) =>
        Effect.asVoid(
          Effect.andThen(
            ask({ _tag: "Open", currency: "KES" }),
            ask({
              _tag: "Credit",
              entry_id: uuid(),
              kind: "manual_credit",
              amount_minor,
              reference_type: "adjustment",
              reference_id: uuid(),
              description: "Test money",
              origin: systemOrigin
            })
          )
        )
    })
  })

/** The engine as a layer. It needs a clock, which in `it.effect` is the test's. */
export const engine = (options: EngineOptions = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const journal = options.journal ?? (yield* MemoryJournal.make)
      const calls = callEngine({
        journal,
        outside: Layer.mergeAll(
          MemoryDirectory.layer(directoryWith(options)),
          SipHosts.local,
          Layer.succeed(VoiceCallback)({ ask: options.callback ?? (() => Effect.succeed([])) })
        ),
        recordings: (options.recordings ?? new MemoryRecordings()).layer,
        storage_prices,
        settings:
          options.waive_callback_failures === true
            ? Layer.merge(
                memoryCallSettings,
                Layer.succeed(CallSettings)({
                  ...usualLimits,
                  waived_calls_per_day: options.waived_calls_per_day ?? 20
                })
              )
            : memoryCallSettings,
        pbx: {
          gateway_id: toGatewayId("default"),
          ...(options.phones && { phones: options.phones }),
          ...(options.relay && { relay: options.relay }),
          ...(options.media_timeout !== undefined && { media_timeout: options.media_timeout })
        }
      })
      return Layer.merge(StorageTiers.layer, Layer.effect(TestEngine, makeTestEngine(journal, idOf(options)))).pipe(
        Layer.provideMerge(calls)
      )
    })
  )
