import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { settled } from "../support/Books.ts"
import { makeProgram } from "../support/Program.ts"
import { receiver } from "../support/Receiver.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** CI has little time. */
const rounds = Number(process.env["KILL_ROUNDS"] ?? 1)
/** Deliveries in flight, each to an endpoint of its own: one that does not answer is sent one at a time. */
const at_once = 20
const busy = "+99900000002"

interface Told {
  readonly delivery_id: string
  readonly event_id: string
  readonly path: string
}

describe("an engine that is killed", () => {
  it.live(
    `with ${at_once} webhooks in flight sends each of them again, with the same id`,
    () =>
      Effect.gen(function* () {
        const program = yield* makeProgram({ speed: 10 })
        const told: Array<Told> = []
        let deaf = true
        const customer = yield* receiver((request, response) => {
          const { id } = JSON.parse(request.body) as { readonly id: string }
          const delivery_id = String(request.headers["x-service-idempotency-key"])
          told.push({ event_id: id, delivery_id, path: request.path })
          if (!deaf) response.writeHead(204).end()
        })
        yield* program.start
        for (let endpoint = 0; endpoint < at_once; endpoint++) {
          const body = { url: `${customer.url}/${endpoint}`, events: ["call.busy"] }
          assert.strictEqual((yield* program.ask("/v1/webhooks", { body })).status, 201)
        }
        for (let round = 0; round < rounds; round++) {
          const before = told.length
          deaf = true
          const call = { to: busy, from: program.demo().number.number, voice_callback_url: customer.url }
          assert.strictEqual((yield* program.ask("/v1/calls/originate", { body: call })).status, 201)
          yield* customer.received(before + at_once)
          yield* program.kill
          deaf = false
          yield* program.start
          yield* settled("30 seconds")
          const round_told = told.slice(before)
          const endpoints = Map.groupBy(round_told, ({ path }) => path)
          assert.strictEqual(endpoints.size, at_once)
          for (const repeats of endpoints.values()) {
            assert.isAtLeast(repeats.length, 2)
            assert.strictEqual(
              new Set(repeats.map(({ delivery_id, event_id }) => `${delivery_id} ${event_id}`)).size,
              1
            )
          }
        }
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    60_000 + rounds * 5_000
  )
})
