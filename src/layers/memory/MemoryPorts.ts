// The ports of engines in memory.
import { Layer } from "effect"
import { SandboxCalls } from "../../domain/ports/calls/SandboxCalls.ts"
import { StreamHeaders } from "../../domain/ports/calls/StreamHeaders.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import * as LibPhoneNumber from "../numberplan/LibPhoneNumber.ts"
import * as MemoryReads from "./MemoryReads.ts"
import * as MemoryStorageReads from "./MemoryStorageReads.ts"
import * as MemoryWalletReads from "./MemoryWalletReads.ts"

/** What calls need. `storage_prices`: monthly price by size in MB, the same number in every currency. */
export const memoryCallPorts = (journal: MemoryJournal, storage_prices: Readonly<Record<string, number>>) =>
  Layer.mergeAll(
    MemoryReads.callReads(journal),
    MemoryReads.liveCalls(journal),
    MemoryReads.charges(journal),
    MemoryWalletReads.layer(journal),
    MemoryStorageReads.layer(journal, storage_prices),
    LibPhoneNumber.layer,
    StreamHeaders.none,
    SandboxCalls.none
  )
