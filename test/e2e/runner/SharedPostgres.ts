// The PostgreSQL of a run. It also listens on a Unix socket, because each test file has a network of its own, from
// which loopback of the machine is out of reach.
import { Effect, Exit, Redacted, Scope } from "effect"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { startEphemeral } from "../../../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { makeTemplate } from "../../support/PostgresServer.ts"

/** For four engines and four test files with their pools. */
const max_connections = "300"

const socketFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(tmpdir(), "trunkline-e2e-pg-"))
    // PostgreSQL runs as another user if root starts it.
    await chmod(path, 0o777)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const start = Effect.gen(function* () {
  const folder = yield* socketFolder
  const { url } = yield* startEphemeral("memory", { unix_socket_directories: folder, max_connections })
  yield* makeTemplate(url)
  const reachable = new URL(Redacted.value(url))
  reachable.searchParams.set("host", folder)
  return reachable.href
})

export default async ({ provide }: TestProject) => {
  const scope = Scope.makeUnsafe()
  provide("postgres_url", await Effect.runPromise(Scope.provide(start, scope)))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
