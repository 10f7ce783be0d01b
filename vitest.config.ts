import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (file: string) => fileURLToPath(new URL(`src/${file}`, import.meta.url))

/** Tests of the examples import the package by its published names. */
const resolve = {
  alias: {
    "trunkline/testing": source("testing.ts"),
    "trunkline/client": source("client/Client.ts"),
    "trunkline/webhooks": source("client/Webhooks.ts"),
    "trunkline/actions": source("client/Actions.ts"),
    trunkline: source("index.ts")
  }
}
const processors = availableParallelism()
const shared = {
  // Waits fail by themselves after 30 s and say what they waited for (test/support/Until.ts).
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: processors,
  setupFiles: ["test/support/ReservedNames.ts"],
  globalSetup: ["test/support/ClientTypes.ts"]
}
/** Programs that tests start find their modules compiled from the second start on. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL(".cache/compiled", import.meta.url))
const database = {
  ...shared,
  env: { NODE_COMPILE_CACHE },
  globalSetup: [...shared.globalSetup, "test/support/PostgresServer.ts"]
}

/**
 * Three projects, told apart by the name of a test file:
 * - unit (`X.test.ts`): no database and no other process.
 * - db (`X.db.test.ts`): a PostgreSQL that all files of a run share.
 * - program (`X.program.test.ts`): starts, kills and restarts whole programs.
 * - timing (`X.timing.test.ts`): how long something takes. A busy machine fails them, so that CI leaves them out.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: "unit",
          // Files share a worker, so that modules are loaded once. Tests keep no state in modules.
          isolate: false,
          include: ["{test,examples}/**/*.test.ts"],
          exclude: ["test/**/*.{db,program,timing}.test.ts"]
        }
      },
      // Some of its files wait for the database for a while.
      {
        test: {
          ...database,
          name: "db",
          isolate: false,
          maxWorkers: processors + 1,
          include: ["test/**/*.db.test.ts"]
        }
      },
      // A program waits more than it computes: for its start, for phones, for the end of a call.
      {
        test: { ...database, name: "program", maxWorkers: 2 * processors, include: ["test/**/*.program.test.ts"] }
      },
      { test: { ...database, name: "timing", include: ["test/**/*.timing.test.ts"] } }
    ]
  }
})
