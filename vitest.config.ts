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
const shared = { testTimeout: 20_000, setupFiles: ["test/support/ReservedNames.ts"] }
const database = { ...shared, globalSetup: ["test/support/PostgresServer.ts"] }

/**
 * Three projects, told apart by the name of a test file:
 * - unit (`X.test.ts`): no database and no other process.
 * - db (`X.db.test.ts`): a PostgreSQL that all files of a run share.
 * - program (`X.program.test.ts`): starts, kills and restarts whole programs.
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
          exclude: ["test/**/*.{db,program}.test.ts"]
        }
      },
      { test: { ...database, name: "db", include: ["test/**/*.db.test.ts"] } },
      { test: { ...database, name: "program", include: ["test/**/*.program.test.ts"] } }
    ]
  }
})
