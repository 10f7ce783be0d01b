import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"
import { connect } from "node:net"
import { booksAreSound } from "../support/Books.ts"
import { depth } from "../support/Depth.ts"
import { measured } from "../support/Figures.ts"
import { makeProgram, type Program } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until, untilHolds } from "../support/Until.ts"

/** Number of rounds; CI has little time. */
const rounds = Number(process.env["STOP_ROUNDS"] ?? depth(3, 20))
const requests = 60
const spread_ms = 15

const busy = "+99900000002"

interface Outcome {
  /** The status, or the code of the error if the connection broke. */
  readonly end: number | string
  readonly connection?: string | undefined
}

/** One request over `agent`, which is never repeated. */
const send = (program: Program, agent: Agent | false, path: string, body?: object) =>
  Effect.callback<Outcome>((resume) => {
    const asking = request(`${program.base_url}${path}`, {
      agent,
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${program.demo().api_key}`,
        ...(body !== undefined && { "content-type": "application/json" })
      }
    })
    asking.on("error", ({ code = "broken" }: NodeJS.ErrnoException) => resume(Effect.succeed({ end: code })))
    asking.on("response", (response) => {
      const { headers, statusCode } = response.resume()
      response.on("error", () => resume(Effect.succeed({ end: "cut" })))
      response.on("end", () => resume(Effect.succeed({ end: statusCode ?? 0, connection: headers.connection })))
    })
    asking.end(body === undefined ? undefined : JSON.stringify(body))
  })

const originate = (program: Program, agent: Agent | false, client_reference: string) =>
  send(program, agent, "/v1/calls/originate", {
    to: busy,
    from: program.demo().number.number,
    voice_callback_url: "http://127.0.0.1:9/none",
    client_reference
  })

const keepAliveAgent = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true, maxSockets: requests })),
  (agent) => Effect.sync(() => agent.destroy())
)

/** Sends requests over new and over used connections within `spread_ms` of the signal. */
const stopAmongRequests = Effect.fnUntraced(function* (program: Program) {
  const agent = yield* keepAliveAgent
  yield* Effect.all(
    Array.from({ length: requests / 2 }, () => send(program, agent, "/healthz")),
    { concurrency: "unbounded" }
  )
  const asked = Array.from({ length: requests }, (_, place) => {
    const key = randomUUID()
    const asking = originate(program, place % 2 === 0 ? agent : false, key)
    return Effect.map(Effect.delay(asking, Math.random() * spread_ms * 2), (outcome) => [key, outcome] as const)
  })
  const stopping = Effect.delay(program.signal("SIGTERM"), spread_ms)
  const [outcomes] = yield* Effect.all([Effect.all(asked, { concurrency: "unbounded" }), stopping], { concurrency: 2 })
  assert.strictEqual(yield* program.exited, 0, program.output())
  return outcomes
})

describe("an engine that receives a stop signal", () => {
  it.live(
    `answers every request that reaches it, ${rounds} times`,
    (context) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const program = yield* makeProgram()
        const ends = new Map<string, number | string>()
        for (let round = 0; round < rounds; round++) {
          yield* program.start
          for (const [key, { end }] of yield* stopAmongRequests(program)) ends.set(key, end)
          yield* booksAreSound
        }
        const placed = new Set(
          (yield* sql<{ readonly key: string }>`SELECT client_reference AS key FROM calls`).map(({ key }) => key)
        )
        for (const [key, end] of ends) assert.strictEqual(placed.has(key), end === 201, `${key} ended with ${end}`)
        const counts = Object.fromEntries(
          [...Map.groupBy(ends.values(), String)].map(([end, all]) => [end, all.length])
        )
        measured(context, {
          name: `connections that broke, of ${ends.size} requests within ${2 * spread_ms} ms around the signal`,
          value: [...ends.values()].filter((end) => end === "ECONNRESET").length,
          unit: "",
          goal: { most: 0 }
        })
        // Refused: it never reached the engine. 429: on a slow machine more calls are under way than there may be.
        const allowed = new Set(["201", "429", "503", "ECONNREFUSED"])
        assert.deepStrictEqual(
          Object.keys(counts).filter((end) => !allowed.has(end)),
          [],
          JSON.stringify(counts)
        )
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    60_000 + rounds * 30_000
  )

  it.live(
    "says so for as long as SHUTDOWN_DELAY, in which it still serves, and does not wait for silent connections",
    () =>
      Effect.gen(function* () {
        const program = yield* makeProgram({ env: { SHUTDOWN_DELAY: "5" } })
        yield* program.start
        const silent = connect(Number(new URL(program.base_url).port), "127.0.0.1").on("error", () => {})
        yield* Effect.addFinalizer(() => Effect.sync(() => silent.destroy()))
        yield* program.signal("SIGTERM")
        const ready = send(program, false, "/readyz")
        yield* until("503 of /readyz", ready, ({ end }) => end === 503)
        const agent = yield* keepAliveAgent
        assert.deepStrictEqual(yield* originate(program, agent, "late"), { end: 201, connection: "close" })
        yield* untilHolds("end of the program", () => !program.isAlive())
        assert.strictEqual(yield* program.exited, 0, program.output())
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    60_000
  )
})
