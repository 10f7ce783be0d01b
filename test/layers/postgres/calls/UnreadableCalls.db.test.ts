import { Layer } from "effect"
import * as PgCallReads from "../../../../src/layers/postgres/calls/CallReads.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { unreadableCallsContract } from "../../../contract/UnreadableCalls.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

unreadableCallsContract(
  "unreadable calls on PostgreSQL",
  Layer.merge(PgCallReads.layer, PostgresJournal.layer).pipe(Layer.provide(TestDatabase.layer))
)
