import { Layer } from "effect"
import { ChangeFeed } from "../../../../src/layers/postgres/cache/ChangeFeed.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import * as PgRecordingReads from "../../../../src/layers/postgres/reads/RecordingReads.ts"
import * as PgSubscriptionReads from "../../../../src/layers/postgres/reads/SubscriptionReads.ts"
import * as PgTopUpReads from "../../../../src/layers/postgres/reads/TopUpReads.ts"
import {
  paymentsInSuspense,
  recordings,
  subscriptions,
  topUps,
  unreadableRowsContract
} from "../../../contract/UnreadableRows.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const services = Layer.mergeAll(
  PgTopUpReads.layer,
  PgRecordingReads.layer,
  PgSubscriptionReads.layer,
  PostgresJournal.layer
).pipe(Layer.provide(ChangeFeed.layer), Layer.provide(TestDatabase.layer))

unreadableRowsContract("a list of top-ups on PostgreSQL", topUps, services)
unreadableRowsContract("a list of payments in suspense on PostgreSQL", paymentsInSuspense, services)
unreadableRowsContract("a list of recordings on PostgreSQL", recordings, services)
unreadableRowsContract("a list of subscriptions on PostgreSQL", subscriptions, services)
