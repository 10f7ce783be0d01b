// A fresh, migrated database for a test file, dropped when its scope closes.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"
import * as Database from "../../src/layers/postgres/database/Database.ts"
import { databaseUrl } from "./DatabaseUrl.ts"

/** The URL of a test file's database, for tests that need connections besides the pool. */
export class TestDatabase extends Context.Service<TestDatabase, { readonly url: Redacted.Redacted }>()(
  "trunkline/test/TestDatabase"
) {}

/** Runs one statement on the server's own database, outside a transaction. */
const administer = (statement: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(Database.layer({ url: Redacted.make(inject("postgres_url")), connections: 1 })),
    Effect.orDie
  )

const create = (template: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      yield* administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
      return name
    }),
    (name) => administer(`DROP DATABASE ${name} WITH (FORCE)`)
  ).pipe(Effect.map((name) => ({ url: Redacted.make(databaseUrl(inject("postgres_url"), name)) })))

const withPool = (template: string) =>
  Layer.unwrap(Effect.map(TestDatabase, ({ url }) => Database.layer({ url }))).pipe(
    Layer.provideMerge(Layer.effect(TestDatabase, create(template)))
  )

/** A migrated database: PgClient, SqlClient and TestDatabase. */
export const layer = withPool("template_trunkline")

/** A database without a schema. */
export const layerEmpty = withPool("template0")
