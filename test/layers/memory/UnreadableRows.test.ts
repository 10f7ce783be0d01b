import { Effect, Layer } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import * as MemoryTopUpReads from "../../../src/layers/memory/MemoryTopUpReads.ts"
import { subscriptionReads } from "../../../src/layers/memory/MemoryWebhookReads.ts"
import { paymentsInSuspense, subscriptions, topUps, unreadableRowsContract } from "../../contract/UnreadableRows.ts"

const services = Layer.unwrap(
  Effect.map(MemoryJournal.make, (memory) =>
    Layer.mergeAll(memory.layer, MemoryTopUpReads.layer(memory), subscriptionReads(memory))
  )
).pipe(Layer.provide(SystemIds.layer))

unreadableRowsContract("a list of top-ups in memory", topUps, services)
unreadableRowsContract("a list of payments in suspense in memory", paymentsInSuspense, services)
unreadableRowsContract("a list of subscriptions in memory", subscriptions, services)
