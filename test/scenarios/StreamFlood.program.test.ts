// Applications of one workspace send as much over their media streams as they can. Others must not notice.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { acts, type Customer, makeCustomer } from "../support/Customer.ts"
import { makeProgram, type Program } from "../support/Program.ts"
import { streamApplication, type StreamConnection } from "../support/StreamApplication.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { fillWallet } from "../support/Treasury.ts"
import { until } from "../support/Until.ts"

const calls = 8
const streams = 3 * calls
const flood_ms = 10_000
/** A phone that answers and talks for 65 s. */
const talkative = "+99900000001"
const long = { event: "transcript", transcript: { role: "agent", text: "x".repeat(8_000) } }

/** Sends 180 transcripts a second while the connection takes them; more than 200 messages a second would end it. */
const flood = (connection: StreamConnection) => {
  const timer = setInterval(() => {
    for (let nth = 0; nth < 9 && connection.socket.bufferedAmount < 4 << 20; nth++) connection.send(long)
  }, 50)
  connection.socket.on("close", () => clearInterval(timer))
}

class Engine extends Context.Service<Engine, { readonly program: Program; readonly customer: Customer }>()("Engine") {
  static readonly layer = Layer.effect(
    Engine,
    Effect.gen(function* () {
      yield* fillWallet("other", 1_000_000)
      const program = yield* makeProgram()
      const customer = yield* makeCustomer
      yield* program.start
      return { program, customer }
    })
  ).pipe(Layer.provide(TestDatabase.layer))
}

/** A number of the demo workspace's sandbox, and money for calls from it. */
const numberOfSandbox = Effect.gen(function* () {
  const { program } = yield* Engine
  const { test_api_key: key } = program.demo()
  yield* program.ask("/v1/sandbox/credits", { key, body: { amount_minor: 1_000_000 } })
  const { json } = yield* program.ask("/v1/numbers/available", { key })
  const [free] = json<ReadonlyArray<{ readonly inventory_id: string }>>()
  const claimed = yield* program.ask(`/v1/numbers/${free!.inventory_id}/claim`, { key, method: "POST" })
  assert.strictEqual(claimed.status, 201, claimed.text)
  return claimed.json<{ readonly number: string }>().number
})

layer(Engine.layer, { excludeTestServices: true, timeout: "180 seconds" })("a flood over media streams", (it) => {
  it.effect.each(["live", "test"])("of one workspace refuses nobody else a read or a call: %s mode", (mode) =>
    Effect.gen(function* () {
      const { customer, program } = yield* Engine
      const { api_key, number, other_workspace, test_api_key } = program.demo()
      const key = mode === "live" ? api_key : test_api_key
      const { connections, url } = yield* streamApplication(flood)
      const forks = Array.from({ length: 2 }, () => ({ stream: { url, mode: "fork" as const } }))
      const place = (question: object, body: object) =>
        program.ask("/v1/calls/originate", { ...question, body: { to: talkative, timeout_seconds: 30, ...body } })
      const flooding = place(
        { key },
        {
          from: mode === "live" ? number.number : yield* numberOfSandbox,
          voice_callback_url: customer.voice(acts(...forks, { stream: { url } }))
        }
      )
      // Sandboxes place few calls a second.
      for (let nth = 0; nth < calls; nth++)
        yield* until("call", flooding, ({ status }) => status === 201, { every_ms: 300 })
      const count = Effect.sync(() => connections.length)
      yield* until("streams", count, (open) => open >= streams)

      const refusals: Array<string> = []
      const other = { key: other_workspace.api_key }
      const call = { from: other_workspace.number.number, voice_callback_url: customer.voice(acts()) }
      const over_at = performance.now() + flood_ms
      let tried = 0
      let worst_ms = 0
      while (performance.now() < over_at || tried < 12) {
        const to = `+25471200${1000 + tried}`
        for (const ask of [program.ask("/v1/calls", other), place(other, { ...call, to })]) {
          const began = performance.now()
          const { status, text } = yield* ask
          worst_ms = Math.max(worst_ms, performance.now() - began)
          tried++
          if (status >= 500) refusals.push(text)
        }
        yield* Effect.sleep("200 millis")
      }
      console.log(`${tried} requests of others, worst ${Math.round(worst_ms)} ms, refused ${refusals.length}`)
      assert.deepStrictEqual(refusals, [])
    })
  )
})
