import { defineConfig } from "vitest/config"

const shared = { testTimeout: 20_000 }
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
        test: {
          ...shared,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.{db,program}.test.ts"]
        }
      },
      { test: { ...database, name: "db", include: ["test/**/*.db.test.ts"] } },
      { test: { ...database, name: "program", include: ["test/**/*.program.test.ts"] } }
    ]
  }
})
