import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { EventLog as EventLogPort } from "../../../../src/domain/ports/webhooks/EventLog.ts"
import { positionBefore } from "../../../../src/domain/webhooks/EventPosition.ts"
import * as EventLog from "../../../../src/layers/postgres/reads/EventLog.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { eventLogContract, readAll } from "../../../contract/EventLog.ts"
import { workspaceId } from "../../../support/Ids.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const services = Layer.merge(EventLog.layer, PostgresJournal.layer).pipe(Layer.provideMerge(TestDatabase.layer))

eventLogContract("the log of events on PostgreSQL", services)

const store = (workspace_id: string, id: string) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql`
      INSERT INTO events (id, workspace_id, subject_id, sequence, kind, occurred_at, late, payload, recorded_at)
      VALUES (${id}, ${workspace_id}, ${randomUUID()}, 1, 'call.busy', now(), false, '{}', now())`
  )

layer(services, { excludeTestServices: true })("two transactions that overlap", (it) => {
  it.effect("are read in one order for all time, although the later one commits first", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const log = yield* EventLogPort
      const workspace_id = randomUUID()
      const [slow, quick] = [randomUUID(), randomUUID()]
      const [began, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const first = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* store(workspace_id, slow)
            yield* Deferred.succeed(began, undefined)
            yield* Deferred.await(mayEnd)
          })
        )
      )
      yield* Deferred.await(began)
      yield* store(workspace_id, quick)
      const read = log.after(workspaceId(workspace_id), positionBefore(0n), ["call.busy"], 10)
      // The second is committed, but whoever read it now would never be told the first.
      assert.deepStrictEqual(yield* read, [])
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(first)
      const events = yield* readAll(workspaceId(workspace_id), 2)
      assert.deepStrictEqual(
        events.map(({ position }) => position.id),
        [slow, quick]
      )
    })
  )
})
