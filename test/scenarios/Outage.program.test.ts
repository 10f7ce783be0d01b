import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { TestContext } from "vitest"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/layers/postgres/database/Database.ts"
import { applicationPrefix } from "../../src/layers/postgres/database/Database.ts"
import { startEphemeral } from "../../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/layers/postgres/migrations/Migrations.ts"
import { allWasTold, booksAreSound, settled } from "../support/Books.ts"
import { acts, makeCustomer } from "../support/Customer.ts"
import { measured } from "../support/Figures.ts"
import { judge, underLoad } from "../support/Load.ts"
import { makeProgram, type Program, stoodInLine_ms } from "../support/Program.ts"
import { makeRelay } from "../support/Relay.ts"
import { overTcp } from "../support/DatabaseUrl.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { fillWallet } from "../support/Treasury.ts"
import { until } from "../support/Until.ts"

/** Number of crashes; CI has little time. */
const crashes = Number(process.env["OUTAGE_CRASHES"] ?? 3)
const aways = ["100 millis", "1 second", "3 seconds"] as const

/** Runs the program under load through a disturbance of its database, and judges what has come of it. */
const disturbed = <E, R>(
  options: { readonly env?: Readonly<Record<string, string>> },
  disturbance: (program: Program, start_ms: number) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    yield* migrate()
    yield* fillWallet("demo", 1_000_000_000)
    const program = yield* makeProgram(options)
    const customer = yield* makeCustomer
    const start_ms = yield* program.start
    const pid = program.pid()
    assert.strictEqual((yield* customer.subscribe(program)).status, 201)
    const voices = [customer.voice(acts({ hangup: {} })), customer.voice(acts({ say: { text: "Hi" } }))]
    const ledger = yield* underLoad(program, voices, disturbance(program, start_ms))
    assert.isTrue(program.isAlive())
    assert.strictEqual(program.pid(), pid)
    // The hold of a call that could not be written is released by the audit of the wallet, which takes up to 90 s.
    yield* settled("100 seconds")
    yield* booksAreSound
    yield* judge(ledger)
    yield* allWasTold(customer)
    return ledger
  })

/** Alive, not ready, and 503 with Retry-After for whoever asks. */
const saysThatItIsAway = Effect.fnUntraced(function* (program: Program) {
  assert.strictEqual((yield* program.ask("/healthz")).status, 200)
  const { code, headers, status } = yield* program.ask("/readyz")
  assert.deepStrictEqual([status, code, headers.get("retry-after")], [503, "service_unavailable", "1"])
  const body = { to: "+99900000002", from: program.demo().number.number, voice_callback_url: "http://127.0.0.1:9/none" }
  assert.strictEqual((yield* program.ask("/v1/calls/originate", { body })).code, "service_unavailable")
  const reads = {
    "/v1/calls": "calls.list_failed",
    "/v1/calls/stats": "calls.stats_failed",
    "/v1/wallet/balance": "service_unavailable",
    "/v1/numbers": "service_unavailable",
    "/v1/webhooks": "webhooks.list_failed"
  }
  for (const [path, failure] of Object.entries(reads)) {
    const read = yield* program.ask(path)
    assert.deepStrictEqual([path, read.status, read.code, read.headers.get("retry-after")], [path, 503, failure, "1"])
  }
})

/** Milliseconds until a write is taken again, but those in which others had the processors. */
const untilServed = (program: Program) =>
  Effect.gen(function* () {
    const now = () => Date.now() - stoodInLine_ms(program.pid())
    const since = now()
    const body = {
      to: "+99900000002",
      from: program.demo().number.number,
      voice_callback_url: "http://127.0.0.1:9/none"
    }
    const placing = program.ask("/v1/calls/originate", { body })
    yield* until("call that is placed", placing, ({ status }) => status === 201, { every_ms: 0 })
    return now() - since
  })

/** Whoever restarts the engine gains nothing. On a fast machine it may take 3 s, in which it tries again. */
const servesAsSoonAsAfterAStart = (context: TestContext, back_ms: number, start_ms: number) => {
  const most = Math.max(3_000, start_ms)
  measured(context, { name: "calls are taken again after", value: back_ms, unit: "ms", goal: { most } })
  assert.isBelow(back_ms, most, `the start took ${start_ms} ms`)
}

describe("an engine whose database", () => {
  it.live(
    "is not available yet waits for it",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase.TestDatabase
        const wired = overTcp(url)
        const relay = yield* makeRelay(Number(wired.port))
        wired.port = String(relay.port)
        yield* relay.cut
        const program = yield* makeProgram({ env: { DATABASE_URL: wired.href } })
        const starting = yield* Effect.forkChild(program.start)
        const notice = "trunkline cannot reach its database"
        yield* until(`"${notice}" in the output`, Effect.sync(program.output), (output) => output.includes(notice))
        yield* relay.mend
        yield* Fiber.join(starting)
        yield* untilServed(program)
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    30_000
  )

  it.live(
    "keeps terminating sessions loses and duplicates nothing",
    (context) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* disturbed({}, (program, start_ms) =>
          Effect.gen(function* () {
            for (let round = 0; round < 20; round++) {
              yield* Effect.sleep(50 + Math.random() * 200)
              yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE application_name = ${applicationPrefix + program.pid()}`
            }
            servesAsSoonAsAfterAStart(context, yield* untilServed(program), start_ms)
          })
        )
        assert.isAbove(ledger.size, 50)
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    140_000
  )

  it.live(
    `crashes ${crashes} times and stays down for a while reports it, and serves as soon as it is back`,
    (context) =>
      Effect.gen(function* () {
        const server = yield* startEphemeral("memory")
        const relay = yield* makeRelay(server.port)
        const wired = overTcp(server.url)
        wired.port = String(relay.port)
        const outage = Effect.fnUntraced(function* (program: Program, start_ms: number) {
          for (let crash = 0; crash < crashes; crash++) {
            const away = aways[crash % aways.length]!
            yield* Effect.sleep("500 millis")
            yield* relay.cut
            // SIGQUIT: PostgreSQL's immediate shutdown, as a crash. The server is started again by itself.
            process.kill(server.pid(), "SIGQUIT")
            yield* Effect.sleep(away)
            if (away !== "100 millis") yield* saysThatItIsAway(program)
            yield* relay.mend
            servesAsSoonAsAfterAStart(context, yield* untilServed(program), start_ms)
          }
        })
        yield* disturbed({ env: { DATABASE_URL: wired.href } }, outage).pipe(
          Effect.provide(Database.layer({ url: server.url, connections: 2 }))
        )
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    140_000 + crashes * 10_000
  )
})
