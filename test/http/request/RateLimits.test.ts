import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { TestClock } from "effect/testing"
import { Api } from "../../../src/http/api/Api.ts"
import { RateLimiting } from "../../../src/http/middleware/RateLimiting.ts"
import { SharedCounts } from "../../../src/domain/ports/engine/SharedCounts.ts"
import { max_remembered, RateLimits } from "../../../src/http/request/RateLimits.ts"
import { EndpointPolicy } from "../../../src/http/request/EndpointPolicy.ts"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { type Answer, ask, originateBody, type Question } from "../../support/HttpTester.ts"

const times = (count: number, question: Question) => Effect.forEach(Array.from({ length: count }), () => ask(question))

const left = ({ headers }: Answer) =>
  ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map((name) => headers.get(name))

const outcome = ({ code, headers, status }: Answer) => [status, code, headers.get("retry-after")]

const refused = [429, "rate_limited", "1"]

const limits = RateLimits.on.pipe(Layer.provide(SharedCounts.none))

describe("rate limits", () => {
  layer(fakeEngine)((it) => {
    it.effect("let a key read with a burst of 100 and then 20 times a second", () =>
      Effect.gen(function* () {
        const question = { path: "/v1/wallet/balance", key: yield* (yield* FakeEngine).mint({ unlimited: false }) }
        const answers = yield* times(100, question)
        assert.deepStrictEqual(left(answers[0]!), ["100", "99", "1"])
        assert.deepStrictEqual(left(answers[99]!), ["100", "0", "5"])
        assert.isTrue(answers.every(({ status }) => status === 200))
        const late = yield* ask(question)
        assert.deepStrictEqual(outcome(late), refused)
        assert.deepStrictEqual(left(late), ["100", "0", "5"])
        yield* TestClock.adjust("1 second")
        const later = yield* times(21, question)
        assert.deepStrictEqual(
          later.map(({ status }) => status),
          [...Array.from({ length: 20 }, () => 200), 429]
        )
      })
    )

    it.effect("let the keys of a workspace together read five times as much as one", () =>
      Effect.gen(function* () {
        const { mint } = yield* FakeEngine
        const keys = yield* Effect.forEach(Array.from({ length: 6 }), () => mint({ unlimited: false }))
        yield* TestClock.adjust("1 minute")
        const path = "/v1/wallet/balance"
        for (const key of keys.slice(0, 5))
          assert.isTrue((yield* times(100, { path, key })).every(({ status }) => status === 200))
        const late = yield* ask({ path, key: keys[5] })
        assert.deepStrictEqual(outcome(late), refused)
        assert.deepStrictEqual(left(late), ["500", "0", "5"])
        const unlimited = yield* ask({ path, key: yield* mint({ unlimited: true }) })
        assert.strictEqual(unlimited.status, 200)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(left(yield* ask({ path, key: keys[5] })), ["100", "99", "1"])
      })
    )

    it.effect("let a key write with a burst of 50 and still read", () =>
      Effect.gen(function* () {
        const key = yield* (yield* FakeEngine).mint({ unlimited: false })
        const answers = yield* times(50, { path: "/v1/calls/originate", key, body: originateBody })
        assert.isTrue(answers.every(({ status }) => status === 201))
        assert.deepStrictEqual(left(answers[49]!), ["50", "0", "5"])
        assert.deepStrictEqual(outcome(yield* ask({ path: "/v1/calls/originate", key, body: originateBody })), refused)
        assert.deepStrictEqual(left(yield* ask({ path: "/v1/calls", key })), ["100", "99", "1"])
      })
    )

    it.effect(
      "count failed requests, and apply after the checks of key, scope and suspension but before the body is read",
      () =>
        Effect.gen(function* () {
          const { mint } = yield* FakeEngine
          const key = yield* mint({ unlimited: false })
          const unreadable = { path: "/v1/calls/originate", key, body: "{" }
          const answers = yield* times(51, unreadable)
          assert.deepStrictEqual([answers[0]!.status, ...left(answers[0]!)], [400, "50", "49", "1"])
          assert.deepStrictEqual(outcome(answers[50]!), refused)
          const absent = yield* ask({ path: "/v1/calls/0190f5fe-7c00-7a00-8000-0000000000ff", key })
          assert.deepStrictEqual([absent.status, ...left(absent)], [404, "100", "99", "1"])

          const reader = yield* mint({ unlimited: false, scopes: ["calls.read"] })
          const suspended = yield* mint({ unlimited: false, workspace_id: workspaces.suspended })
          for (const other of [reader, suspended, "a.b.c"]) {
            const answers = yield* times(51, { ...unreadable, key: other })
            assert.include([401, 403], answers[50]!.status)
            assert.deepStrictEqual(left(answers[50]!), [null, null, null])
          }
        })
    )

    it.effect("apply to each key separately, except to keys without limits", () =>
      Effect.gen(function* () {
        const { mint } = yield* FakeEngine
        const path = "/v1/wallet/balance"
        yield* times(100, { path, key: yield* mint({ unlimited: false }) })
        const other = yield* ask({ path, key: yield* mint({ unlimited: false }) })
        assert.deepStrictEqual(left(other), ["100", "99", "1"])
        const free = yield* times(150, { path, key: yield* mint() })
        assert.isTrue(free.every((answer) => answer.status === 200 && left(answer).every((value) => value === null)))
      })
    )
  })

  it.effect("can be turned off", () =>
    Effect.gen(function* () {
      const { count } = yield* RateLimits
      for (let n = 0; n < 200; n++) yield* count("write", "a key")
    }).pipe(Effect.provide(RateLimits.off))
  )

  it("apply to every endpoint that accepts keys", () => {
    const endless: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { annotations, method, path }, middleware }) => {
        const limited = [...middleware].some(({ key }) => key === RateLimiting.key)
        if (Context.get(annotations, EndpointPolicy).scope !== undefined && !limited) endless.push(`${method} ${path}`)
      }
    })
    assert.deepStrictEqual(endless, [])
  })

  it.effect("are remembered for a limited number of keys, of which those that are quiet are forgotten first", () =>
    Effect.gen(function* () {
      const { count } = yield* RateLimits
      const usedUp = (who: string) => Effect.repeat(count("write", who), { times: 49 })
      const isRefused = (who: string) => Effect.isFailure(count("write", who))
      yield* usedUp("quiet")
      yield* usedUp("busy")
      for (let n = 0; n < 2 * max_remembered; n++) {
        yield* count("write", `key ${n}`)
        if (n % 10_000 === 0) assert.isTrue(yield* isRefused("busy"), `after ${n} others`)
      }
      assert.isTrue(yield* isRefused("busy"))
      assert.isFalse(yield* isRefused("quiet"))
    }).pipe(Effect.provide(limits))
  )

  it.effect("let PBX gateways send 2,000 reports a second", () =>
    Effect.gen(function* () {
      const { count } = yield* RateLimits
      const report = count("pbx_ingest", "")
      for (let n = 0; n < 2000; n++) yield* report
      assert.strictEqual((yield* Effect.flip(report))._tag, "rate_limited")
      yield* TestClock.adjust("1 second")
      for (let n = 0; n < 2000; n++) yield* report
    }).pipe(Effect.provide(limits))
  )
})
