import { defineConfig } from "vitest/config"

/** Against a real PBX, with real SIP and sound, in real time: scripts/e2e/run gets what it needs. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.e2e.ts"],
    globalSetup: ["test/support/PostgresServer.ts"],
    testTimeout: 60_000,
    fileParallelism: false
  }
})
