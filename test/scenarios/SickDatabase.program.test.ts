// What callers, operators and living calls see of a sick database, and that all is well after it. One engine meets all
// faults in turn. FAULT_SECONDS (default 5) is how long each lasts.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import * as Database from "../../src/layers/postgres/database/Database.ts"
import { migrate } from "../../src/layers/postgres/migrations/Migrations.ts"
import { allWasTold, booksAreSound, settled } from "../support/Books.ts"
import { acts, type Customer, makeCustomer, talk } from "../support/Customer.ts"
import { judge, underLoad } from "../support/Load.ts"
import { makeProgram, type Program, untilServed } from "../support/Program.ts"
import { alertRules, holds } from "../support/Promql.ts"
import { type Fault, faultsAt, makeSickDatabase, type SickDatabase } from "../support/SickDatabase.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { fillWallet } from "../support/Treasury.ts"
import { until } from "../support/Until.ts"

/** The engine's clock runs so many times as fast, and its deadlines pass in a quarter of the time. */
const speed = 4
const fault_ms = Number(process.env["FAULT_SECONDS"] ?? 5) * 1_000
/** As many clients wait at the end of a long fault as at that of a short one. */
const calls_per_second = Math.min(30, 150_000 / fault_ms)
const faults = faultsAt(speed)

const secret = "a-secret-of-the-pbx"
/** Answers and never hangs up. */
const patient = "+99900000020"

interface Answer {
  readonly asked: Asked
  readonly status: number
  readonly code: string | undefined
  readonly retry_after: string | null
  readonly text: string
}

/** Everything that is asked again and again, with the codes that it is answered with while the database is away. */
const asked = {
  list: ["calls.list_failed"],
  stats: ["calls.stats_failed"],
  remove: ["webhooks.delete_failed"],
  originate: ["service_unavailable"],
  pbx: ["pbx.resolve_failed", "pbx.ingest_failed"],
  ready: ["service_unavailable"]
}
type Asked = keyof typeof asked
/** A read-only database answers the others: there is nothing that they would write. */
const reads: ReadonlySet<Asked> = new Set(["list", "stats", "remove", "pbx"])

const ask = (program: Program, what: Asked) => {
  const from = program.demo().number.number
  switch (what) {
    case "list":
      return program.ask("/v1/calls?limit=5")
    case "stats":
      return program.ask("/v1/calls/stats")
    case "remove":
      return program.ask(`/v1/webhooks/${randomUUID()}`, { method: "DELETE" })
    case "originate":
      return program.ask("/v1/calls/originate", { body: { to: "+99900000002", from, actions: [{ hangup: {} }] } })
    case "pbx": {
      const event = { event_id: randomUUID(), tenant_pbx_id: randomUUID(), type: "leg.ringing", seq: 1, data: {} }
      const body = { ...event, session_id: "HD_1", occurred_at: new Date().toISOString() }
      return program.ask("/v1/webhooks/pbx/events", { body, key: secret })
    }
    case "ready":
      return program.ask("/readyz")
  }
}

const saysUnknown = /not known whether it is carried out/

const scrape = (program: Program) => Effect.map(program.ask("/metrics"), ({ text }) => text)

/** Asks everything again and again while `fault` lasts, and returns every answer. None may be missing. */
const watched = <A, E, R>(program: Program, fault: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const answers: Array<Answer> = []
    const fate = { over: false }
    const watch = (what: Asked) =>
      Effect.gen(function* () {
        while (!fate.over) {
          const { code, headers, status, text } = yield* ask(program, what)
          answers.push({ asked: what, status, code, retry_after: headers.get("retry-after"), text })
          yield* Effect.sleep("100 millis")
        }
      })
    const watching = yield* Effect.forkChild(
      Effect.all(
        (Object.keys(asked) as ReadonlyArray<Asked>).map((what) => watch(what)),
        { concurrency: "unbounded" }
      )
    )
    yield* fault
    fate.over = true
    yield* Fiber.join(watching)
    return answers
  })

/** No 500, no other code than its own, and `Retry-After`; and the answers are those that the fault leads to. */
const checkAnswers = (
  answers: ReadonlyArray<Answer>,
  { leavesUnknown, ...wanted }: Pick<Fault, "reads" | "writes" | "leavesUnknown">
): void => {
  for (const { asked: what, code, retry_after, status, text } of answers) {
    assert.include([200, 201, 404, 503], status, `${what}: ${text}`)
    if (status !== 503) continue
    assert.strictEqual(retry_after, "1", text)
    assert.include(asked[what], code, text)
  }
  for (const what of Object.keys(asked) as ReadonlyArray<Asked>) {
    const own = answers.filter((answer) => answer.asked === what)
    const refused = own.filter(({ status }) => status === 503).length
    const whether = wanted[reads.has(what) ? "reads" : "writes"]
    if (whether === "away") assert.isAbove(refused, 0, what)
    if (whether === "served") assert.isBelow(refused, own.length, what)
  }
  const unknown = answers.filter(({ asked: what, text }) => what === "originate" && saysUnknown.test(text))
  if (leavesUnknown) assert.isAbove(unknown.length, 0, "calls of which it is not known")
}

/** A call that is answered and talks until somebody ends it. */
const livingCall = Effect.fnUntraced(function* (program: Program, customer: Customer) {
  const voice_callback_url = customer.voice(acts(talk, talk, talk, talk))
  const body = { to: patient, from: program.demo().number.number, voice_callback_url }
  const { json } = yield* untilServed(program.ask("/v1/calls/originate", { body }))
  const { id } = json<CallRecord>()
  const record = Effect.map(program.ask(`/v1/calls/${id}`), ({ json: of }) => of<CallRecord>())
  /** While it lives its status, and then who ended it, and why. */
  const read = Effect.map(record, ({ hangup_cause, hangup_source, status }) =>
    hangup_source === null ? status : `${hangup_source}: ${hangup_cause}`
  )
  yield* until("answered call", read, (state) => state === "answered")
  return { id, read }
})

class World extends Context.Service<
  World,
  {
    readonly database: SickDatabase
    readonly program: Program
    readonly customer: Customer
    readonly ledger: Map<string, ReadonlyArray<string>>
  }
>()("trunkline/test/SickDatabase/World") {}

const world = Layer.unwrap(
  Effect.gen(function* () {
    const database = yield* makeSickDatabase
    const pool = Database.layer({ url: database.server.url, connections: 2 })
    const made = Effect.gen(function* () {
      yield* migrate()
      yield* fillWallet("demo", 1_000_000_000)
      const program = yield* makeProgram({
        speed,
        env: { DATABASE_URL: database.url, REQUEST_TIMEOUT: "6", PBX_INGEST_SECRET: secret }
      }).pipe(Effect.provideService(TestDatabase, { url: Redacted.make(database.url) }))
      yield* program.start
      const customer = yield* makeCustomer
      assert.strictEqual((yield* customer.subscribe(program)).status, 201)
      return { database, program, customer, ledger: new Map<string, ReadonlyArray<string>>() }
    })
    return Layer.provideMerge(Layer.effect(World, made), pool)
  })
)

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("a database that", (it) => {
  for (const { alerts, needsDisk, strike, title, ...expected } of faults) {
    it.effect(
      `${title} harms nobody`,
      () =>
        Effect.gen(function* () {
          const { customer, database, ledger, program } = yield* World
          if (needsDisk && database.disk === undefined)
            return yield* Effect.logWarning(`Not tried, as this process may mount no disk: a database that ${title}`)
          const { id, read } = yield* livingCall(program, customer)
          const before = yield* scrape(program)
          let during = ""
          const fault = Effect.scoped(
            Effect.gen(function* () {
              yield* strike(database)
              yield* Effect.sleep(fault_ms)
              during = yield* scrape(program)
            })
          )
          const voices = [customer.voice(acts({ hangup: {} })), customer.voice(acts({ say: { text: "Hi" } }))]
          let answers: ReadonlyArray<Answer> = []
          const loaded = yield* underLoad(
            program,
            voices,
            Effect.map(watched(program, fault), (all) => void (answers = all)),
            calls_per_second
          )
          for (const [key, told] of loaded) ledger.set(key, told)

          checkAnswers(answers, expected)
          yield* until("readiness", program.ask("/readyz"), ({ status }) => status === 200)
          const after = yield* scrape(program)
          for (const alert of alerts) {
            const condition = alertRules.get(alert) ?? ""
            assert.isTrue(holds(condition, before, during) || holds(condition, before, after), alert)
          }
          assert.strictEqual(yield* read, "answered")
          const ending = program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
          assert.strictEqual((yield* untilServed(ending)).status, 200)
          yield* until("end of the call", read, (state) => state.startsWith("workspace:"))
          yield* booksAreSound
        }),
      60_000 + fault_ms * 2
    )
  }

  it.effect(
    "was sick has exact books, with each call that was asked for once",
    () =>
      Effect.gen(function* () {
        const { customer, ledger } = yield* World
        yield* settled("100 seconds")
        yield* booksAreSound
        yield* judge(ledger)
        yield* allWasTold(customer)
      }),
    140_000
  )
})
