import { Effect, Layer } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { deliveryReads, subscriptionReads } from "../../../src/layers/memory/MemoryWebhookReads.ts"
import { webhookReadsContract } from "../../contract/WebhookReads.ts"

webhookReadsContract(
  "webhook reads in memory",
  Layer.unwrap(
    Effect.map(MemoryJournal.make, (memory) =>
      Layer.mergeAll(memory.layer, deliveryReads(memory), subscriptionReads(memory))
    )
  )
)
