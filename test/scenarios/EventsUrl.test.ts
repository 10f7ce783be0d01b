// The `events_url` of calls: which subscriptions they leave, and that no event of a call is missed.
import { assert, describe, it } from "@effect/vitest"
import { type EngineUnderTest, testEngine, type WorkspaceOptions } from "../../src/testing.ts"

const url = "https://app.test/calls"
const callee = "+254722000000"

/** An engine whose application notes which URL was sent which event. */
const start = async (options: WorkspaceOptions = {}) => {
  const sent: Array<readonly [url: string, event_kind: string]> = []
  const engine = await testEngine({
    workspaces: [options],
    app: async (request) => {
      if (request.url.endsWith("/voice")) return Response.json({ actions: [{ pause: { seconds: 60 } }] })
      sent.push([request.url, (await request.json()).event_kind])
      return new Response(null, { status: 204 })
    }
  })
  return { engine, sent, [Symbol.asyncDispose]: () => engine.stop() }
}

const originate = (engine: EngineUnderTest, change: object = {}) =>
  engine.request("POST", "/v1/calls/originate", {
    to: callee,
    from: engine.number,
    voice_callback_url: "https://app.test/voice",
    events_url: url,
    ...change
  })

const subscriptions = async (engine: EngineUnderTest): Promise<ReadonlyArray<string>> => {
  const { body } = await engine.request("GET", "/v1/webhooks")
  return body.filter(({ source }: { source: string }) => source === "call").map(({ url }: { url: string }) => url)
}

interface Refusal {
  readonly options?: WorkspaceOptions
  readonly before?: (engine: EngineUnderTest) => unknown
  readonly change?: (engine: EngineUnderTest) => object
  readonly code: string
}

const refusals: Readonly<Record<string, Refusal>> = {
  "lack of funds": { options: { balance_minor: 100 }, code: "wallet.insufficient_funds" },
  "the limit of calls at once": {
    options: { calling_policy: { max_concurrent_calls: 1 } },
    before: (engine) => originate(engine, { events_url: undefined }),
    code: "calls.concurrency_limit_reached"
  },
  "the limit of calls a second": {
    options: { calling_policy: { calls_per_second: 1 } },
    before: async (engine) => {
      for (let call = 0; call < 2; call++) await originate(engine, { events_url: undefined })
    },
    code: "calls.rate_limited"
  },
  "the limit of a day's spending": {
    options: { calling_policy: { daily_spend_limit_minor: 100 } },
    code: "calls.spend_limit_reached"
  },
  "a destination that may not be called": {
    options: { calling_policy: { blocked_prefixes: ["254722"] } },
    code: "calls.destination_refused"
  },
  "a destination that is no number": { change: () => ({ to: "+2547" }), code: "calls.invalid_destination" },
  "a number of somebody else": { change: () => ({ from: "+254700999999" }), code: "numbers.not_found" },
  "an action that does not exist": {
    change: () => ({ voice_callback_url: undefined, actions: [{ fly: {} }] }),
    code: "validation.bad_request"
  },
  "a gateway that is not there": {
    before: async (engine) => {
      engine.faults.pbx.disconnects()
      await engine.clock.advance("1 hour")
    },
    code: "calls.gateway_unavailable"
  }
}

describe("the events_url of a call", () => {
  for (const [reason, { before, change, code, options }] of Object.entries(refusals))
    it(`leaves no subscription behind when the call is refused for ${reason}`, async () => {
      await using started = await start(options)
      const { engine } = started
      await before?.(engine)
      const { body, status } = await originate(engine, change?.(engine))
      assert.deepStrictEqual([body.error?.code, status >= 400], [code, true], JSON.stringify(body))
      assert.deepStrictEqual(await subscriptions(engine), [])
    })

  it("is told of everything from the beginning, from the first call that names it on", async () => {
    await using started = await start()
    const { engine, sent } = started
    for (let call = 0; call < 2; call++) assert.strictEqual((await originate(engine)).status, 201)
    await engine.clock.advance("2 minutes")
    const told = sent.filter(([receiver]) => receiver === url).map(([, kind]) => kind)
    assert.strictEqual(told.filter((kind) => kind === "call.ringing").length, 2)
    assert.strictEqual(told.filter((kind) => kind === "call.completed").length, 2)
    assert.deepStrictEqual(await subscriptions(engine), [url])
  })

  it("is subscribed once when a request is repeated with its Idempotency-Key", async () => {
    await using started = await start()
    const { engine } = started
    const ask = (change: object = {}) =>
      engine.fetch("/v1/calls/originate", {
        method: "POST",
        headers: {
          authorization: `Bearer ${engine.apiKey}`,
          "content-type": "application/json",
          "idempotency-key": "once"
        },
        body: JSON.stringify({
          to: callee,
          from: engine.number,
          voice_callback_url: "https://app.test/voice",
          events_url: url,
          ...change
        })
      })
    const [first, second] = await Promise.all([ask(), ask()])
    const third = await ask()
    assert.deepStrictEqual([first.status, third.status], [201, 201])
    assert.include([201, 409], second.status)
    assert.strictEqual((await third.json()).id, (await first.json()).id)
    assert.isAtLeast((await ask({ events_url: `${url}/other` })).status, 400)
    assert.deepStrictEqual(await subscriptions(engine), [url])
  })

  it("is refused beyond the limit of URLs, and no money is held for the call", async () => {
    await using started = await start({
      calling_policy: { calls_per_second: 1_000, max_concurrent_calls: 1_000, max_calls_per_destination_per_hour: null }
    })
    const { engine } = started
    const placed = (index: number) => originate(engine, { events_url: `${url}/${index}` })
    for (let index = 0; index < 99; index++) {
      const { body, status } = await placed(index)
      assert.strictEqual(status, 201, JSON.stringify(body))
      if (index % 10 === 9) await engine.clock.advance("2 minutes")
    }
    await engine.clock.advance("2 minutes")
    const balance = engine.wallet.balance()
    assert.strictEqual(engine.wallet.held(), 0)
    const answers = await Promise.all([placed(99), placed(100), placed(101)])
    assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
    assert.strictEqual(engine.wallet.held(), 300)
    assert.strictEqual((await placed(103)).body.error.code, "webhooks.limit_reached")
    assert.strictEqual(engine.wallet.balance(), balance)
    assert.lengthOf(await subscriptions(engine), 100)
  })
})
