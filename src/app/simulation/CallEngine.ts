// Calls, wallets, recordings and a simulated PBX over a journal in memory: the actors and rules of `npm start`, for
// tests and for calls that are only tried.
import { Layer } from "effect"
import type { LegSettings } from "../../actors/calls/Legs.ts"
import type { CallSettings } from "../../actors/calls/PerformCall.ts"
import type { SipHosts } from "../../actors/calls/SipHosts.ts"
import { callCore } from "../../actors/core/CallCore.ts"
import * as LocalSystem from "../../actors/runtime/LocalSystem.ts"
import type { Directory } from "../../domain/ports/access/Directory.ts"
import type { RecordingSpool } from "../../domain/ports/calls/RecordingSpool.ts"
import type { RecordingStore } from "../../domain/ports/calls/RecordingStore.ts"
import type { VoiceCallback } from "../../domain/ports/calls/VoiceCallback.ts"
import type { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"
import * as SystemIds from "../../layers/ids/SystemIds.ts"
import type { MemoryJournal } from "../../layers/journal/MemoryJournal.ts"
import { memoryCallPorts } from "../../layers/memory/MemoryPorts.ts"
import { PbxSimulator, type SimulatorOptions } from "../../layers/pbx/simulator/PbxSimulator.ts"

export interface CallEngineOptions {
  readonly journal: MemoryJournal
  /** Workspaces, numbers, prices, hosts, and what answers callbacks. */
  readonly outside: Layer.Layer<Directory | SipHosts | VoiceCallback>
  readonly settings: Layer.Layer<AllowedTargets | CallSettings | LegSettings>
  readonly recordings: Layer.Layer<RecordingSpool | RecordingStore>
  /** What a month of each size of storage costs, by MB. */
  readonly storage_prices: Readonly<Record<string, number>>
  readonly pbx: SimulatorOptions
}

/** It needs a clock, on which everything runs. */
export const callEngine = ({ journal, outside, pbx, recordings, settings, storage_prices }: CallEngineOptions) =>
  PbxSimulator.layer(pbx).pipe(
    Layer.provideMerge(callCore),
    Layer.provideMerge(LocalSystem.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        journal.layer,
        SystemIds.layer,
        outside,
        settings,
        recordings,
        memoryCallPorts(journal, storage_prices)
      )
    )
  )
