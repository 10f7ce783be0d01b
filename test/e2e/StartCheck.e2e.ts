// What the engine finds out at its start about a real Asterisk.
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { examine } from "../../src/layers/pbx/asterisk/checks/CheckAsterisk.ts"
import { settingsFaults } from "../../src/layers/pbx/asterisk/checks/CheckSettings.ts"
import { makeAri } from "../../src/layers/pbx/asterisk/ari/ConnectAri.ts"
import { makeManager } from "../../src/layers/pbx/asterisk/ari/Manager.ts"
import { until } from "../support/Until.ts"
import { ariApp } from "./support/AriApp.ts"
import { folder, freePorts, makeAsterisk } from "./support/Peers.ts"

/** What somebody changes in one of the files of Asterisk. */
type Change = readonly [file: string, text: string, replacement: string]

/** An Asterisk, where its interfaces are, and how its files are changed and read again. */
const startAsterisk = Effect.fnUntraced(function* (silence_seconds = 0) {
  const home = yield* folder
  const options = { folder: home, carrier_port: yield* freePorts(), caller_host: "127.0.0.2", silence_seconds }
  const asterisk = yield* makeAsterisk(options)
  const { ARI_PASSWORD = "", ARI_URL = "", ARI_USERNAME = "" } = asterisk.settings
  const change = (changes: ReadonlyArray<Change>) =>
    Effect.promise(async () => {
      for (const [name, text, replacement] of changes) {
        const file = join(home, "asterisk/etc", name)
        const before = await readFile(file, "utf8")
        assert.include(before, text)
        await writeFile(file, before.replace(text, replacement))
      }
      process.kill(Number(await readFile(join(home, "asterisk/pid"), "utf8")), "SIGHUP")
    })
  const at = { url: ARI_URL, username: ARI_USERNAME, password: Redacted.make(ARI_PASSWORD), app: "trunkline" }
  return { asterisk, at, change }
})

it.live(
  "a manager user that reads no security events is found out, and one that is refused",
  () =>
    Effect.gen(function* () {
      const { at, change } = yield* startAsterisk()
      const readsSecurity = (password = at.password) =>
        Effect.flatMap(makeManager({ ...at, password }), (manager) => manager.readsSecurity)
      assert.isTrue(yield* readsSecurity())
      assert.isUndefined(yield* readsSecurity(Redacted.make("wrong")))

      yield* change([["manager.conf", "read = security", "read = call"]])
      const isRefused = (reads: boolean | undefined) => reads === false
      yield* until("manager user without security events", readsSecurity(), isRefused, { every_ms: 200 })
    }).pipe(Effect.scoped),
  60_000
)

const endpoints = { carrier: "carrier", sip_uris: "sip-uri" }
const contexts = { app: "trunkline", carriers: ["from-carrier"], devices: ["from-user"], nobody: "nobody" }

const mistakes: ReadonlyArray<Change> = [
  ["extensions.conf", "Stasis(trunkline,inbound,carrier)", "Stasis(trunkline,inbound,carrier,${EXTEN})"],
  ["extensions.conf", "[from-user]", "[from-user]\nexten => 999,1,Dial(PJSIP/1@carrier)"],
  ["manager.conf", "bindaddr = 127.0.0.1", "bindaddr = 0.0.0.0"],
  ["pjsip.conf", "transport = carrier", "transport = udp"],
  ["pjsip.conf", "match = ", "match = 192.0.0.0/8,"],
  ["pjsip.conf", "rtp_timeout = 60", "rtp_timeout = 0"],
  ["pjsip.conf", "identify_by = ip", "identify_by = username"]
]
const found: ReadonlyArray<RegExp> = [
  /carrier has no auth and is identified by username/,
  /admits 192\.0\.0\.0/,
  /trusts an address/,
  /Set rtp_timeout/,
  /from-carrier has Stasis\(trunkline,inbound,carrier,\$\{EXTEN\}\)/,
  /from-user has Dial/,
  /manager interface listens at 0\.0\.0\.0/
]

it.live(
  "an Asterisk as it is configured for production is safe, and each mistake in its files is found",
  () =>
    Effect.gen(function* () {
      const { asterisk, at, change } = yield* startAsterisk(60)
      // For the application of an engine that is connected, Asterisk makes a context of its own.
      yield* ariApp(asterisk, at.app)
      const ari = yield* makeAri(at)
      const manager = yield* makeManager(at)
      const faults = Effect.gen(function* () {
        const { deviations } = yield* examine(ari, endpoints)
        return [...deviations, ...(yield* settingsFaults(manager, contexts))]
      })
      assert.deepStrictEqual(yield* faults, [])
      // The command line is readable, so what it tells was judged.
      for (const [command, sign] of [
        ["http show status", "Bound to 127.0.0.1:"],
        ["manager show settings", "TCP Bindaddress:"],
        ["pjsip show settings", "timer_b"]
      ] as const)
        assert.include(yield* manager.print(command), sign)
      assert.isAbove((yield* manager.dialplan)?.length ?? 0, 3)

      yield* change(mistakes)
      const all = yield* until("all mistakes", faults, ({ length }) => length >= found.length, { every_ms: 200 })
      for (const expected of found)
        assert.isTrue(
          all.some((fault) => expected.test(fault)),
          `${expected}: ${all}`
        )
    }).pipe(Effect.scoped),
  60_000
)
