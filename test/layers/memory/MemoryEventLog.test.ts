import { Effect, Layer } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { eventLog } from "../../../src/layers/memory/MemoryEventLog.ts"
import { eventLogContract } from "../../contract/EventLog.ts"

eventLogContract(
  "the log of events in memory",
  Layer.unwrap(Effect.map(MemoryJournal.make, (memory) => Layer.merge(memory.layer, eventLog(memory))))
)
