import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/e2e/runner/LongestFirst.ts"
import { ownNetwork } from "./test/e2e/runner/OwnNetwork.ts"

const { E2E_ALL, E2E_NETWORK, E2E_SHARDS = "1" } = process.env

/** Against a real PBX, with real SIP and sound, in real time: scripts/e2e/run gets what it needs. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.e2e.ts"],
    exclude: E2E_ALL === "1" ? [] : ["test/e2e/real-waits/**"],
    globalSetup: ["test/support/ClientTypes.ts", "test/e2e/runner/SharedPostgres.ts"],
    testTimeout: 60_000,
    // Engines that tests start find their modules compiled from the second start on.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL(".cache/compiled", import.meta.url)) },
    sequence: { sequencer: LongestFirst },
    pool: E2E_NETWORK === "own" ? ownNetwork : "forks",
    maxWorkers: Number(E2E_SHARDS)
  }
})
