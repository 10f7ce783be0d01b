import { Effect, Layer } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { callReads } from "../../../src/layers/memory/MemoryReads.ts"
import { unreadableCallsContract } from "../../contract/UnreadableCalls.ts"

unreadableCallsContract(
  "unreadable calls in memory",
  Layer.unwrap(Effect.map(MemoryJournal.make, (memory) => Layer.merge(memory.layer, callReads(memory))))
)
