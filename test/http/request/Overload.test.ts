// Who is refused what while the engine has too much to do.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Backlogs, callsFrom, fullFrom, readsFrom, sandboxesFrom } from "../../../src/domain/journal/Shedding.ts"
import { cardIngestPath } from "../../../src/domain/topups/CardNotice.ts"
import { JournalBacklog } from "../../../src/domain/ports/engine/JournalBacklog.ts"
import { LoadSignals } from "../../../src/domain/ports/engine/LoadSignals.ts"
import { Overload } from "../../../src/http/request/Overload.ts"
import { FakeEngine, layerOver, sandboxes, workspaces } from "../../support/FakeEngine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

const nothingWaits: Backlogs = { all: { entries: 0, characters: 0 }, of: new Map() }
const calm = { backlogs: nothingWaits, journal_wait_ms: 0, pool_wait_ms: 0, event_loop_ms: 0 }
let now = calm

const signals = Layer.merge(
  Layer.succeed(JournalBacklog)({ read: () => now.backlogs, wait: () => now.journal_wait_ms }),
  Layer.succeed(LoadSignals)({
    eventLoop: () => ({ late_ms: now.event_loop_ms, busy: 1 }),
    pools: () => new Map([["system", { waiting: 1, wait_ms: now.pool_wait_ms }]])
  })
)
const engine = (max_requests = 1_000) =>
  layerOver(Overload.layer({ max_requests, event_loop_ms: 50 }).pipe(Layer.provide(signals)))

/** So many entries wait, and most of them are of one workspace. */
const waiting = (entries: number, cause: string) => ({
  ...calm,
  backlogs: {
    all: { entries, characters: 0 },
    of: new Map([
      [cause, { entries: entries - 10, characters: 0 }],
      ["somebody else", { entries: 10, characters: 0 }]
    ])
  }
})

const read = (key: string) => Effect.map(ask({ path: "/v1/calls", key }), ({ status }) => status)
const call = (key: string) =>
  Effect.map(ask({ path: "/v1/calls/originate", key, body: originateBody }), ({ status }) => status)
/** What is to be ended does not exist here. */
const end = (key: string) =>
  Effect.map(ask({ method: "POST", path: `/v1/calls/${workspaces.other}/terminate`, key }), ({ status }) => status)

/** The statuses of reads and calls, after the engine has looked for a second. */
const asked = Effect.gen(function* () {
  const { mint } = yield* FakeEngine
  yield* TestClock.adjust("1 second")
  const mine = yield* mint({})
  const others = yield* mint({ workspace_id: workspaces.other })
  const sandbox = yield* mint({ env: "test" })
  return {
    cause: [yield* read(mine), yield* call(mine)],
    other: [yield* read(others), yield* call(others)],
    sandbox: [yield* read(sandbox), yield* call(sandbox)]
  }
})

const readiness = Effect.map(
  ask({ path: "/readyz" }),
  ({ body }) => body as { status: string; shedding: string; because?: string }
)

layer(engine())("an engine whose journal is behind", (it) => {
  it.effect("refuses lists first, and then sandboxes", () =>
    Effect.gen(function* () {
      now = waiting(readsFrom.entries, sandboxes.active)
      assert.deepStrictEqual(yield* asked, { cause: [200, 201], other: [200, 201], sandbox: [503, 201] })
      now = waiting(sandboxesFrom.entries, workspaces.active)
      assert.deepStrictEqual(yield* asked, { cause: [503, 201], other: [503, 201], sandbox: [503, 503] })
    })
  )

  it.effect("refuses the workspace that causes it, and nobody else", () =>
    Effect.gen(function* () {
      now = waiting(readsFrom.entries, workspaces.active)
      assert.deepInclude(yield* asked, { cause: [503, 201], other: [200, 201] })
      now = waiting(callsFrom.entries, workspaces.active)
      assert.deepInclude(yield* asked, { cause: [503, 503], other: [503, 201] })
    })
  )

  it.effect("refuses everybody when it is twice as far behind", () =>
    Effect.gen(function* () {
      now = waiting(2 * callsFrom.entries, workspaces.active)
      assert.deepStrictEqual(yield* asked, { cause: [503, 503], other: [503, 503], sandbox: [503, 503] })
    })
  )

  it.effect("says so where its readiness is asked, and when to come back", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint({})
      now = waiting(readsFrom.entries, workspaces.active)
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* readiness, { shedding: "reads", because: "journal" })
      const refused = yield* ask({ path: "/v1/calls", key })
      assert.deepStrictEqual([refused.code, refused.headers.get("retry-after")], ["service_unavailable", "2"])
    })
  )

  it.effect("takes only what ends work when there is no room at all", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint({})
      now = waiting(fullFrom.entries, workspaces.other)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* ask({ path: "/v1/workspace", key })).status, 503)
      const conference = `/v1/conferences/${workspaces.other}`
      const never = [
        ["POST", `/v1/calls/${workspaces.other}/terminate`],
        ["POST", `${conference}/end`],
        ["DELETE", `${conference}/participants/${workspaces.other}`],
        ["POST", "/v1/webhooks/pbx/events"],
        ["POST", "/v1/ingest/chatapp"],
        ["POST", cardIngestPath],
        ["GET", "/healthz"],
        ["GET", "/readyz"],
        ["GET", "/metrics"]
      ] as const
      for (const [method, path] of never)
        assert.notStrictEqual((yield* ask({ method, path, key })).status, 503, `${method} ${path}`)
    })
  )

  it.effect("answers a refused request before it reads the body, and like any other", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint({})
      now = calm
      yield* TestClock.adjust("3 seconds")
      // A key that was never seen is verified first.
      assert.strictEqual(yield* call(key), 201)
      now = waiting(2 * callsFrom.entries, workspaces.other)
      yield* TestClock.adjust("1 second")
      const errorsOf = Effect.map(ask({ path: "/metrics" }), ({ text }) =>
        Number(/^trunkline_http_errors_total\{code="service_unavailable"\} (\d+)/m.exec(text)?.[1] ?? 0)
      )
      const before = yield* errorsOf
      const request_id = "0190f5fe-7c00-7a00-8000-0000000000aa"
      const headers = { "x-request-id": request_id }
      const refused = yield* ask({ path: "/v1/calls/originate", key, headers, body: "no JSON" })
      assert.deepStrictEqual([refused.status, refused.code], [503, "service_unavailable"])
      assert.strictEqual(refused.headers.get("x-request-id"), request_id)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* errorsOf, before + 1)
      now = calm
    })
  )
})

layer(engine())("an engine that is short of something", (it) => {
  const shortages = [
    ["entries of the journal wait for long", { journal_wait_ms: 3_000 }, "journal"],
    ["connections to the database are missing", { pool_wait_ms: 3_000 }, "database"]
  ] as const
  for (const [what, shortage, cause] of shortages)
    it.effect(`refuses reads and calls beyond the rate while ${what}, and nobody after`, () =>
      Effect.gen(function* () {
        now = calm
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(yield* asked, { cause: [200, 201], other: [200, 201], sandbox: [200, 201] })
        now = { ...calm, ...shortage }
        const short = yield* asked
        assert.deepStrictEqual([short.cause[0], short.other[0], short.sandbox], [503, 503, [503, 503]])
        assert.deepInclude(yield* readiness, { status: "ready", shedding: "calls", because: cause })
        const key = yield* (yield* FakeEngine).mint({})
        const statuses = yield* Effect.forEach(Array.from({ length: 20 }), () => call(key))
        assert.include(statuses, 503)
        assert.strictEqual(yield* end(key), 404)
        now = calm
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(yield* asked, { cause: [200, 201], other: [200, 201], sandbox: [200, 201] })
        const rested = yield* readiness
        assert.deepStrictEqual([rested.shedding, rested.because], ["nothing", undefined])
      })
    )

  it.effect("refuses because of a late event loop if there are many requests, and not if there are few", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint({})
      now = { ...calm, event_loop_ms: 200 }
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* readiness).shedding, "nothing")
      for (let look = 0; look < 4; look++) {
        yield* Effect.forEach(Array.from({ length: 20 }), () => ask({ path: "/v1/workspace", key }))
        yield* TestClock.adjust("50 millis")
      }
      assert.deepInclude(yield* readiness, { status: "ready", shedding: "calls", because: "event_loop" })
      now = calm
    })
  )

  it.effect("gives each workspace an equal share of what it can carry", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      const flood = yield* mint({})
      const small = yield* mint({ workspace_id: workspaces.other })
      now = { ...calm, journal_wait_ms: 3_000 }
      yield* TestClock.adjust("1 second")
      const flooded: Array<number> = []
      const served: Array<number> = []
      for (let half = 0; half < 6; half++) {
        served.push(yield* call(small))
        for (let look = 0; look < 10; look++) {
          flooded.push(yield* call(flood), yield* call(flood))
          yield* TestClock.adjust("50 millis")
        }
      }
      assert.deepStrictEqual([...new Set(served)], [201])
      const taken = flooded.filter((status) => status === 201).length
      assert.isAtLeast(taken, served.length)
      assert.isAtMost(taken, 5 * served.length)
      now = calm
    })
  )

  it.effect("shows what waits without being asked", () =>
    Effect.gen(function* () {
      now = { ...waiting(1_234, workspaces.active), journal_wait_ms: 3_000, pool_wait_ms: 500 }
      yield* TestClock.adjust("1 second")
      const { text } = yield* ask({ path: "/metrics" })
      for (const line of [
        "trunkline_shedding 3",
        'trunkline_pressure_ratio{cause="journal"} 3',
        'trunkline_pressure_ratio{cause="database"} 0.5',
        "trunkline_journal_waiting_entries 1234",
        "trunkline_journal_wait_seconds 3",
        'trunkline_database_waiting{pool="system"} 1'
      ])
        assert.include(text, line)
      now = calm
    })
  )
})

const max_requests = 40

layer(engine(max_requests))("an engine with a limited number of requests in work", (it) => {
  it.effect("refuses one more of all kinds, but none that ends work, and takes others again when one is done", () =>
    Effect.gen(function* () {
      now = calm
      const overload = yield* Overload
      const key = yield* (yield* FakeEngine).mint({})
      for (let nth = 0; nth < max_requests; nth++) overload.began()
      const refused = yield* ask({ path: "/v1/workspace", key })
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [503, "2"])
      assert.strictEqual(yield* end(key), 404)
      assert.strictEqual((yield* ask({ path: "/readyz" })).status, 200)
      overload.ended()
      assert.notStrictEqual((yield* ask({ path: "/v1/workspace", key })).status, 503)
      for (let nth = 1; nth < max_requests; nth++) overload.ended()
    })
  )

  it.effect("takes a quarter of them as new calls, and refuses the workspace that has its share of these first", () =>
    Effect.gen(function* () {
      now = calm
      const overload = yield* Overload
      const fake = yield* FakeEngine
      const key = yield* fake.mint({})
      const other = yield* fake.mint({ workspace_id: workspaces.other })
      // A key that was never seen is verified first.
      assert.deepStrictEqual([yield* read(key), yield* read(other)], [200, 200])
      const gate = yield* Deferred.make<void>()
      fake.gate = Deferred.await(gate)
      const holding = (who: string) => Effect.forkChild(call(who))
      const held = yield* Effect.forEach(Array.from({ length: max_requests / 4 }), () => holding(key))
      yield* until("all are in work", Effect.sync(overload.isRefusing), (is) => is)
      held.push(yield* holding(other))
      assert.strictEqual(yield* call(key), 503)
      assert.strictEqual(yield* read(key), 200)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual([...new Set(yield* Effect.forEach(held, Fiber.join))], [201])
      assert.strictEqual(yield* call(key), 201)
      fake.gate = Effect.void
    })
  )

  it.effect("counts nothing as work that is refused for what it asks", () =>
    Effect.gen(function* () {
      now = calm
      const key = yield* (yield* FakeEngine).mint({})
      const wrong = Effect.map(ask({ path: "/v1/calls?unknown=1", key }), ({ status }) => status)
      const asked = yield* Effect.forEach(Array.from({ length: max_requests }), () => wrong)
      assert.deepStrictEqual([...new Set(asked)], [400])
      assert.strictEqual(yield* read(key), 200)
      assert.isFalse((yield* Overload).isRefusing())
    })
  )
})
