// One PostgreSQL for a whole test run, with a migrated template from which each test file's database is cloned.
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"
import * as Database from "../../src/layers/postgres/database/Database.ts"
import { startEphemeral } from "../../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/layers/postgres/migrations/Migrations.ts"
import { databaseUrl } from "./DatabaseUrl.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the server that all test files share. */
    postgres_url: string
  }
}

/** Makes the migrated template on a server. */
export const makeTemplate = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const create = Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe("CREATE DATABASE template_trunkline"))
  yield* Effect.provide(create, Database.layer({ url, connections: 1 }))
  const template = Redacted.make(databaseUrl(Redacted.value(url), "template_trunkline"))
  yield* Effect.provide(migrate(), Database.layer({ url: template, connections: 1 }))
})

/** For the engines and the pools of all files that run at once; a busy engine has some 25 connections. */
const max_connections = "300"

export default async ({ provide }: TestProject) => {
  const scope = Scope.makeUnsafe()
  const server = await Effect.runPromise(Scope.provide(startEphemeral("memory", { max_connections }), scope))
  await Effect.runPromise(makeTemplate(server.url))
  provide("postgres_url", Redacted.value(server.url))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
