import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Check, checks, judge } from "../../src/app/gateway-check/Checks.ts"
import { EngineEnd } from "../../src/app/gateway-check/EngineEnd.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { runExample } from "../support/Example.ts"
import { makeProgram } from "../support/Program.ts"
import { receiver } from "../support/Receiver.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

const phones = { answers: "+99900000001", busy: "+99900000002", silent: "+99900000003", from: "+99900000000" }
const secret = "a-secret-for-gateways"

/** What the README of the example says that it does not do. */
const isLeftOut = ({ name }: Check) => name.startsWith("records")

describe("the example minimal-gateway", () => {
  it.live(
    "passes every check of gateway:check but the recording",
    () =>
      Effect.gen(function* () {
        const end = yield* Effect.acquireRelease(
          Effect.promise(() => EngineEnd.listen({ host: "127.0.0.1", port: 0, secret, tenant_pbx_id: "t1" })),
          (opened) => Effect.sync(() => opened.close())
        )
        yield* runExample("minimal-gateway", { FEED_URL: end.url, PBX_INGEST_SECRET: secret })
        const { alone, together } = checks(false)
        const verdicts = yield* Effect.promise(() =>
          judge(end, phones, { alone, together: together.filter((check) => !isLeftOut(check)) })
        )
        assert.isAbove(verdicts.length, 15)
        assert.deepStrictEqual(
          verdicts.filter(({ fault }) => fault !== undefined),
          []
        )
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "carries a call of an engine that has no other PBX",
    () =>
      Effect.gen(function* () {
        const program = yield* makeProgram({ env: { PBX_GATEWAY: "none", PBX_INGEST_SECRET: secret } })
        yield* program.start
        const gateway = yield* runExample("minimal-gateway", {
          FEED_URL: `${program.base_url.replace("http", "ws")}/v1/pbx/feed`,
          PBX_INGEST_SECRET: secret
        })
        const customer = yield* receiver((_, response) => {
          response.end(JSON.stringify({ actions: [{ say: { text: "Hello." } }, { hangup: {} }] }))
        })
        const body = { to: "+254722000000", from: program.demo().number.number, voice_callback_url: customer.url }
        // Until the gateway has connected, there is none.
        const placing = program.ask("/v1/calls/originate", { body })
        const placed = yield* until("answer of an engine with a gateway", placing, ({ status }) => status !== 503)
        assert.strictEqual(placed.status, 201, placed.text)
        const read = Effect.map(program.ask(`/v1/calls/${placed.json<CallRecord>().id}`), ({ json }) =>
          json<CallRecord>()
        )
        const call = yield* until("charged call", read, ({ cost_minor }) => cost_minor !== undefined)
        assert.deepInclude(call, { status: "completed", cost_minor: call.rate_per_min_minor })
        assert.include(gateway.output(), "leg.answered")
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    60_000
  )
})
