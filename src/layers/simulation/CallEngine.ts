// Calls, wallets, recordings and a simulated PBX over a journal in memory: the actors and rules of `npm start`, for
// tests and for calls that are only tried.
import { Effect, Layer } from "effect"
import { Calls } from "../../actors/calls/Calls.ts"
import { CallWebhooks } from "../../actors/calls/CallWebhooks.ts"
import { Legs } from "../../actors/calls/Legs.ts"
import * as PerformCall from "../../actors/calls/PerformCall.ts"
import type { SipHosts } from "../../actors/calls/SipHosts.ts"
import * as ConferenceRoomsActor from "../../actors/conferences/ConferenceRoomsActor.ts"
import * as PerformConference from "../../actors/conferences/PerformConference.ts"
import { InboundCalls } from "../../actors/ingest/InboundCalls.ts"
import { PbxIngest } from "../../actors/ingest/PbxIngest.ts"
import { TenantEvents } from "../../actors/ingest/TenantEvents.ts"
import * as GatewayActor from "../../actors/pbx/GatewayActor.ts"
import { TenantResync } from "../../actors/pbx/TenantResync.ts"
import * as PerformRecording from "../../actors/recordings/PerformRecording.ts"
import { ActorSystem } from "../../actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../actors/runtime/LocalSystem.ts"
import * as PerformStorage from "../../actors/storage/PerformStorage.ts"
import * as PerformWallet from "../../actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../actors/wallet/WalletOwner.ts"
import { Wallets } from "../../actors/wallet/Wallets.ts"
import { SandboxCalls } from "../../domain/ports/calls/SandboxCalls.ts"
import type { Directory } from "../../domain/ports/access/Directory.ts"
import type { RecordingSpool } from "../../domain/ports/calls/RecordingSpool.ts"
import type { RecordingStore } from "../../domain/ports/calls/RecordingStore.ts"
import { StreamHeaders } from "../../domain/ports/calls/StreamHeaders.ts"
import type { VoiceCallback } from "../../domain/ports/calls/VoiceCallback.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import * as SystemIds from "../ids/SystemIds.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import * as MemoryReads from "../memory/MemoryReads.ts"
import * as MemoryStorageReads from "../memory/MemoryStorageReads.ts"
import * as MemoryWalletReads from "../memory/MemoryWalletReads.ts"
import * as LibPhoneNumber from "../numberplan/LibPhoneNumber.ts"
import { PbxSimulator, type SimulatorOptions } from "../pbx/simulator/PbxSimulator.ts"

export interface CallEngineOptions {
  readonly journal: MemoryJournal
  /** Workspaces, numbers, prices, hosts, and what answers callbacks. */
  readonly outside: Layer.Layer<Directory | SipHosts | VoiceCallback>
  readonly recordings: Layer.Layer<RecordingSpool | RecordingStore>
  /** What a month of each size of storage costs, by MB. */
  readonly storage_prices: Readonly<Record<string, number>>
  /** Whether live workspaces may call test numbers. */
  readonly allow_test_numbers: boolean
  readonly waived_calls_per_day: number
  readonly policy: TargetPolicy
  readonly pbx: SimulatorOptions
}

/** It needs a clock, on which everything runs. */
export const callEngine = (options: CallEngineOptions) => {
  const { allow_test_numbers, journal, outside, pbx, policy, recordings, storage_prices, waived_calls_per_day } =
    options
  const ports = Layer.mergeAll(
    journal.layer,
    SystemIds.layer,
    outside,
    recordings,
    MemoryReads.callReads(journal),
    MemoryReads.liveCalls(journal),
    MemoryReads.charges(journal),
    MemoryWalletReads.layer(journal),
    MemoryStorageReads.layer(journal, storage_prices),
    LibPhoneNumber.layer,
    StreamHeaders.none
  )
  const facades = Layer.merge(Legs.layer({ allow_test_numbers }).pipe(Layer.provide(SandboxCalls.none)), Wallets.layer)
  const actors = Layer.mergeAll(
    PerformCall.layer({ waived_calls_per_day, max_streams: 50, max_conferences: 20 }),
    PerformConference.layer,
    ConferenceRoomsActor.layer,
    PerformRecording.layer,
    PerformStorage.layer,
    PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)),
    GatewayActor.layer.pipe(Layer.provide(TenantResync.none))
  ).pipe(Layer.provideMerge(facades), Layer.provideMerge(LocalSystem.layer.pipe(Layer.provideMerge(ports))))
  const started = Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start)).pipe(
    Layer.provideMerge(actors)
  )
  const ingest = PbxIngest.layer.pipe(Layer.provide(TenantEvents.none), Layer.provideMerge(InboundCalls.layer))
  return Layer.merge(
    Calls.layer(policy).pipe(Layer.provide(CallWebhooks.none)),
    PbxSimulator.layer(pbx).pipe(Layer.provideMerge(ingest))
  ).pipe(Layer.provideMerge(started))
}
