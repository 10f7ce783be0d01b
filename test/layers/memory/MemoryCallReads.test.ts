import { Effect, Layer } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { callReads } from "../../../src/layers/memory/MemoryReads.ts"
import { callListsContract } from "../../contract/CallLists.ts"
import { unreadableCallsContract } from "../../contract/UnreadableCalls.ts"

const services = Layer.unwrap(Effect.map(MemoryJournal.make, (memory) => Layer.merge(memory.layer, callReads(memory))))

unreadableCallsContract("unreadable calls in memory", services)
callListsContract("lists of calls in memory", services)
