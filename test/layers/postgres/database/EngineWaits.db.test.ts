// The engine's own work does not wait for a database connection without an end.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isUnavailable } from "../../../../src/domain/errors/Unavailable.ts"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const oneConnection = Layer.unwrap(
  Effect.map(TestDatabase.TestDatabase, ({ url }) => Layer.fresh(Database.layer({ url, connections: 1 })))
).pipe(Layer.provide(TestDatabase.layer))

it.live("what waits for the only connection fails as in an outage, and the next one is served", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const begun = yield* Deferred.make<void>()
    const release = yield* Deferred.make<void>()
    const held = yield* Effect.forkChild(
      sql.withTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(release)))
    )
    yield* Deferred.await(begun)
    const failure = yield* Effect.flip(sql`SELECT 1`)
    assert.isTrue(isUnavailable(failure))
    yield* Deferred.succeed(release, undefined)
    yield* Fiber.join(held)
    assert.lengthOf(yield* sql`SELECT 1`, 1)
  }).pipe(Effect.provide(oneConnection))
)
