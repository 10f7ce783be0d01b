import { Layer } from "effect"
import { ChangeFeed } from "../../../../src/layers/postgres/cache/ChangeFeed.ts"
import * as DeliveryReads from "../../../../src/layers/postgres/reads/DeliveryReads.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import * as SubscriptionReads from "../../../../src/layers/postgres/reads/SubscriptionReads.ts"
import { webhookReadsContract } from "../../../contract/WebhookReads.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

webhookReadsContract(
  "webhook reads on PostgreSQL",
  Layer.mergeAll(DeliveryReads.layer, SubscriptionReads.layer, PostgresJournal.layer).pipe(
    Layer.provide(ChangeFeed.layer),
    Layer.provide(TestDatabase.layer)
  )
)
