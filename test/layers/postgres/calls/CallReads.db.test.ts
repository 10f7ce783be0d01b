import { Layer } from "effect"
import * as PgCallReads from "../../../../src/layers/postgres/calls/CallReads.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { callListsContract } from "../../../contract/CallLists.ts"
import { unreadableCallsContract } from "../../../contract/UnreadableCalls.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const services = Layer.merge(PgCallReads.layer, PostgresJournal.layer).pipe(Layer.provide(TestDatabase.layer))

unreadableCallsContract("unreadable calls on PostgreSQL", services)
callListsContract("lists of calls on PostgreSQL", services)
