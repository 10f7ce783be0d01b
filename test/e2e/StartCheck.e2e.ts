// What the engine finds out at its start about the manager interface of a real Asterisk.
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { makeManager } from "../../src/layers/pbx/asterisk/Manager.ts"
import { until } from "../support/Until.ts"
import { folder, freePorts, makeAsterisk } from "./support/Peers.ts"

it.live(
  "a manager user that reads no security events is found out, and one that is refused",
  () =>
    Effect.gen(function* () {
      const home = yield* folder
      const asterisk = yield* makeAsterisk({
        folder: home,
        carrier_port: yield* freePorts(),
        caller_host: "127.0.0.2"
      })
      const { ARI_PASSWORD = "", ARI_URL = "", ARI_USERNAME = "" } = asterisk.settings
      const readsSecurity = (password: string) =>
        Effect.flatMap(
          makeManager({ url: ARI_URL, username: ARI_USERNAME, password: Redacted.make(password), app: "trunkline" }),
          (manager) => manager.readsSecurity
        )
      assert.isTrue(yield* readsSecurity(ARI_PASSWORD))
      assert.isUndefined(yield* readsSecurity("wrong"))

      const file = join(home, "asterisk/etc/manager.conf")
      yield* Effect.promise(async () => {
        const text = await readFile(file, "utf8")
        assert.include(text, "read = security")
        await writeFile(file, text.replace("read = security", "read = call"))
        // Asterisk reads its configuration again.
        process.kill(Number(await readFile(join(home, "asterisk/pid"), "utf8")), "SIGHUP")
      })
      const isRefused = (reads: boolean | undefined) => reads === false
      yield* until("manager user without security events", readsSecurity(ARI_PASSWORD), isRefused, { every_ms: 200 })
    }).pipe(Effect.scoped),
  60_000
)
