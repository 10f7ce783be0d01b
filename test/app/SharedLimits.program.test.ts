// Two real processes of a cluster, and how many requests of one workspace they admit together.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { quotas } from "../../src/domain/access/Quota.ts"
import { leaseOf } from "../../src/domain/limits/Leases.ts"
import { overTcp } from "../support/DatabaseUrl.ts"
import { pausedProxy } from "../support/PausedProxy.ts"
import { freePort } from "../support/Ports.ts"
import { type Answer, makeProgram, type Program } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

const setClock = join(import.meta.dirname, "../support/SetClockChild.ts")

/** The limit of a key must not be what refuses: as many keys as share the requests of a flood. */
const keys_count = 10

const makeKey = ({ base_url, demo }: Program, label: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${base_url}/v1/api-keys`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: `session=${demo().owner_session}`, origin: base_url },
      body: JSON.stringify({ label, scopes: ["calls.read", "calls.write"] })
    })
    assert.strictEqual(response.status, 201)
    return ((await response.json()) as { readonly key: string }).key
  })

const makeKeys = (program: Program) =>
  Effect.forEach(Array.from({ length: keys_count }), (_, n) => makeKey(program, `Key ${n}`))

/** A request that counts and then fails by what it says, without a look at the database. */
const wrong = {
  workspace_read: { path: "/v1/calls/no-id", question: {} },
  workspace_write: { path: "/v1/calls/originate", question: { body: {} } }
} as const
type Kind = keyof typeof wrong

const ask = (program: Program, kind: Kind, key: string) =>
  program.ask(wrong[kind].path, { ...wrong[kind].question, key })

const isAdmitted = ({ code, status }: Answer): boolean => {
  if (status === 429) return false
  assert.include([400, 404, 422], status, code)
  return true
}

/** Sends so many requests to each of the programs at once, with all keys. */
const flood = Effect.fnUntraced(function* (
  programs: ReadonlyArray<Program>,
  keys: ReadonlyArray<string>,
  kind: Kind,
  each: number
) {
  const said = programs.map(({ output }) => output().length)
  const began_at = Date.now()
  const admittedBy = (program: Program) =>
    Effect.map(
      Effect.forEach(Array.from({ length: each }), (_, n) => ask(program, kind, keys[n % keys.length]!), {
        concurrency: 50
      }),
      (answers) => answers.filter(isAdmitted).length
    )
  const admitted = yield* Effect.forEach(programs, admittedBy, { concurrency: "unbounded" })
  const refilled = ((Date.now() - began_at) / 1_000) * quotas[kind].per_second
  return {
    admitted,
    together: admitted.reduce((sum, each) => sum + each, 0),
    refilled,
    isAlone: programs.some(({ output }, n) => output().slice(said[n]).includes("limits requests alone"))
  }
})

/** A flood during which the database answered in time: on a busy machine it may not. */
const floodInTime = (...flooded: Parameters<typeof flood>) =>
  until("flood that is counted by all", flood(...flooded), ({ isAlone }) => !isAlone, {
    every_ms: 5_000,
    within_ms: 60_000
  })

/** What a process may hold of the limit when nobody asks. */
const heldBy = (kind: Kind): number => 1.5 * leaseOf(quotas[kind])

const leases = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT quota FROM shared_leases`)

describe("the limits of a workspace", () => {
  it.live(
    "are counted without a query by an engine that runs alone",
    () =>
      Effect.gen(function* () {
        const program = yield* makeProgram({ env: { RATE_LIMITS: "on" } })
        yield* program.start
        const { refilled, together } = yield* flood([program], yield* makeKeys(program), "workspace_write", 400)
        const { burst } = quotas.workspace_write
        // The keys were made by a member of the workspace.
        assert.isAtLeast(together, burst - keys_count)
        assert.isAtMost(together, burst + refilled)
        assert.deepStrictEqual(yield* leases, [])
      }).pipe(Effect.provide(TestDatabase.layer)),
    120_000
  )

  it.live(
    "hold for two processes together, outlive one of them, and hold in the other while the database is silent",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase.TestDatabase
        const direct = overTcp(url)
        const proxy = yield* pausedProxy({ host: direct.hostname, port: Number(direct.port) })
        const proxied = new URL(direct)
        proxied.host = `127.0.0.1:${proxy.port}`
        const clustered = (runner_port: number) => ({
          RATE_LIMITS: "on",
          CLUSTER: "on",
          RUNNER_PORT: String(runner_port)
        })
        const one = yield* makeProgram({ env: { ...clustered(yield* freePort), DATABASE_URL: proxied.href } })
        yield* one.start
        const { data_dir } = one
        // The clock of its machine is an hour ahead.
        const clock = join(data_dir, "clock-of-two")
        yield* Effect.promise(() => writeFile(clock, "3600000"))
        const wrong_clock = { NODE_OPTIONS: `--import ${setClock}`, TEST_CLOCK_FILE: clock }
        const two = yield* makeProgram({
          data_dir,
          env: { ...clustered(yield* freePort), ...wrong_clock, PBX_GATEWAY: "none" }
        })
        yield* two.start
        assert.include(two.output(), "s ahead of the clock of the database")
        assert.notInclude(one.output(), "the clock of the database")
        const keys = yield* makeKeys(one)

        const counted = yield* floodInTime([one, two], keys, "workspace_write", 400)
        const { burst } = quotas.workspace_write
        assert.isAtMost(counted.together, burst + counted.refilled + 2 * heldBy("workspace_write"))
        assert.isTrue(
          counted.admitted.every((admitted) => admitted > 0),
          `${counted.admitted}`
        )

        // The second process holds a lease of reads, and takes it with it.
        assert.isTrue(isAdmitted(yield* ask(two, "workspace_read", keys[0]!)))
        assert.sameMembers(
          (yield* leases).map(({ quota }) => quota),
          ["workspace_read", "workspace_write"]
        )
        yield* two.kill
        const reads = yield* floodInTime([one], keys, "workspace_read", 700)
        assert.isAtLeast(reads.together, quotas.workspace_read.burst)
        assert.isAtMost(reads.together, quotas.workspace_read.burst + reads.refilled + heldBy("workspace_read"))

        proxy.silenceAll()
        // Those that wait for the database are answered with 503 when the deadline of a request is over.
        const silent = yield* flood([one], keys, "workspace_write", 400)
        assert.isTrue(silent.isAlone)
        assert.isAtLeast(silent.together, burst)
        assert.isAtMost(silent.together, burst + silent.refilled + heldBy("workspace_write"))
      }).pipe(Effect.provide(TestDatabase.layer)),
    300_000
  )
})
