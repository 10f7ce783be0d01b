// A call that is only tried goes as the same call goes when it is placed.
import { assert, describe, it } from "@effect/vitest"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import type { SimulatedCall, SimulationRequest } from "../../../src/domain/calls/views/Simulation.ts"
import { type App, type EngineUnderTest, testEngine } from "../../../src/testing.ts"

const path = "/v1/voice-actions/simulate"
const remote = "+254722000000"
const second = "+254722000001"

const simulate = async (engine: EngineUnderTest, request: SimulationRequest): Promise<SimulatedCall> => {
  const { body, status } = await engine.request("POST", path, request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

interface Entry {
  readonly at: string
  readonly kind: string
  readonly cause: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** Ids differ, and so do the addresses and bodies that have them. The body of a callback says that it is simulated. */
const withoutIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null)
      .replaceAll(/\\?"simulated\\?":true,/gu, "")
      .replaceAll(/HD_[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/gu, "ID")
  )

const comparable = ({ at, cause, detail, kind }: Entry, began: string) => ({
  at_ms: Date.parse(at) - Date.parse(began),
  kind,
  cause: withoutIds(cause),
  detail: withoutIds(detail)
})

const unlisted = /^(?:hold|charge|pbx|webhook|stream)/

interface Outcome {
  readonly statuses: ReadonlyArray<string>
  readonly seconds: ReadonlyArray<number | undefined>
  readonly cost_minor: number
  readonly hangup: ReadonlyArray<string | null>
}

const outcomeOf = (calls: ReadonlyArray<CallRecord>): Outcome => ({
  statuses: calls.map(({ status }) => status),
  seconds: calls.map(({ duration_seconds }) => duration_seconds),
  cost_minor: calls.reduce((sum, { cost_minor = 0 }) => sum + cost_minor, 0),
  hangup: calls.map(({ hangup_cause }) => hangup_cause)
})

/** The call that is placed, after an hour. */
const played = async (engine: EngineUnderTest, body: object) => {
  const placed = await engine.request("POST", "/v1/calls/originate", body)
  assert.strictEqual(placed.status, 201, JSON.stringify(placed.body))
  await engine.clock.advance("1 hour")
  const read = async (id: string): Promise<CallRecord> => (await engine.request("GET", `/v1/calls/${id}`)).body
  const call = await read(placed.body.id)
  const legs = await Promise.all(call.child_call_ids.map(read))
  const { entries } = (await engine.request("GET", `/v1/calls/${call.id}/timeline`)).body as {
    readonly entries: ReadonlyArray<Entry>
  }
  const untilItsEnd = entries.filter(({ at, kind }) => at <= call.ended_at! && !unlisted.test(kind))
  return { call, legs, entries: untilItsEnd }
}

const menu = {
  actions: [
    { gather: { prompt: { say: { text: "For sales press 1, for support 2" } }, num_digits: 1 } },
    { dial: { number: second, timeout: 20 } },
    { say: { text: "Nobody is there. Goodbye." } },
    { hangup: {} }
  ]
}

interface Case {
  readonly title: string
  readonly request: SimulationRequest
  /** What the phones of the placed call do, as the request says of those of the simulation. */
  readonly phones: (engine: EngineUnderTest) => void
  readonly app?: App
}

const callbackApp: App = async (request) => {
  if (request.headers.has("x-service-event")) return new Response(null, { status: 204 })
  const { reason, result } = (await request.json()) as { readonly reason: string; readonly result: { digits?: string } }
  if (reason === "gather_completed")
    return Response.json({ actions: [{ say: { text: `You pressed ${result.digits}.` } }, { hangup: {} }] })
  return Response.json({ actions: [{ gather: { num_digits: 2, action_url: "https://app.test/more" } }] })
}

const voice_callback_url = "https://app.test/voice"

const cases: ReadonlyArray<Case> = [
  {
    title: "a menu whose second phone does not answer",
    request: { ...menu, phone: { after_seconds: 2, keys: ["2"] }, dialled: { answers: "no_answer" } },
    phones: (engine) => {
      engine.phone(remote).answers({ after: "2 seconds", talks: "1 hour", presses: "2" })
      engine.phone(second).noAnswer()
    }
  },
  {
    title: "a menu whose second phone answers and talks for 65 seconds",
    request: { ...menu, phone: { keys: ["2"] }, dialled: { after_seconds: 3, talks_seconds: 65 } },
    phones: (engine) => {
      engine.phone(remote).answers({ after: "2 seconds", talks: "1 hour", presses: "2" })
      engine.phone(second).answers({ after: "3 seconds", talks: "65 seconds" })
    }
  },
  {
    title: "a phone that is busy",
    request: { ...menu, phone: { answers: "busy" } },
    phones: (engine) => engine.phone(remote).busy()
  },
  {
    title: "a recorded message",
    request: { actions: [{ record: { max_length: 30 } }, { hangup: {} }], record: true, phone: {} },
    phones: (engine) => engine.phone(remote).answers({ after: "2 seconds", talks: "1 hour" })
  },
  {
    title: "a call without enough money for its second minute",
    request: { actions: [{ pause: { seconds: 60 } }, { pause: { seconds: 30 } }], balance_minor: 450, phone: {} },
    phones: (engine) => engine.phone(remote).answers({ after: "2 seconds", talks: "1 hour" })
  },
  {
    title: "a callback that is asked twice",
    request: { voice_callback_url, phone: { keys: ["42"] } },
    phones: (engine) => engine.phone(remote).answers({ after: "2 seconds", talks: "1 hour", presses: "42" }),
    app: callbackApp
  },
  {
    title: "a callback that answers 500",
    request: { voice_callback_url, phone: {} },
    phones: (engine) => engine.phone(remote).answers({ after: "2 seconds", talks: "1 hour" }),
    app: ({ headers }) => new Response(null, { status: headers.has("x-service-event") ? 204 : 500 })
  }
]

describe("a simulated call", () => {
  for (const { app, phones, request, title } of cases)
    it(`goes as the placed one: ${title}`, async () => {
      const { balance_minor = 1_000_000 } = request
      await using engine = await testEngine({ workspaces: [{ balance_minor }], ...(app && { app }) })
      phones(engine)
      const { balance_minor: _, dialled: __, phone: ___, ...body } = request
      const simulated = await simulate(engine, { ...request, from: engine.number, to: remote })
      const { call, entries, legs } = await played(engine, { ...body, from: engine.number, to: remote })
      assert.deepStrictEqual(
        simulated.entries.map((entry) => comparable(entry as Entry, simulated.call.created_at)),
        entries.map((entry) => comparable(entry, call.created_at))
      )
      assert.deepStrictEqual(outcomeOf([simulated.call, ...simulated.legs]), outcomeOf([call, ...legs]))
      assert.isNull(simulated.stopped)
      assert.strictEqual(simulated.cost_minor, outcomeOf([call, ...legs]).cost_minor)
    })

  it("leaves no call, no charge, no event and no webhook, and finds nothing afterwards", async () => {
    await using engine = await testEngine()
    const { call, cost_minor, duration_seconds } = await simulate(engine, {
      ...menu,
      from: engine.number,
      dialled: { talks_seconds: 30 }
    })
    assert.deepStrictEqual([duration_seconds > 0, cost_minor], [true, 600])
    assert.strictEqual(engine.wallet.balance(), 1_000_000)
    assert.strictEqual(engine.wallet.held(), 0)
    await engine.clock.advance("5 minutes")
    assert.deepStrictEqual(engine.webhooks.attempts(), [])
    assert.deepStrictEqual((await engine.request("GET", "/v1/calls")).body, [])
    assert.strictEqual((await engine.request("GET", `/v1/calls/${call.id}`)).status, 404)
  })

  it("asks the callback with a sign that the call is tried, and with a valid signature", async () => {
    const asked: Array<Headers> = []
    const bodies: Array<string> = []
    const app: App = async (request) => {
      asked.push(request.headers)
      bodies.push(await request.text())
      return Response.json({ actions: [{ hangup: {} }] })
    }
    await using engine = await testEngine({ app })
    await simulate(engine, { voice_callback_url, from: engine.number })
    assert.strictEqual(asked.length, 1)
    assert.strictEqual(asked[0]!.get("x-service-simulation"), "1")
    assert.match(asked[0]!.get("x-service-signature")!, /^t=\d+,v1=[0-9a-f]{64}$/u)
    assert.isTrue(JSON.parse(bodies[0]!).simulated, "the signature covers it")
    const placed = await engine.request("POST", "/v1/calls/originate", {
      from: engine.number,
      to: remote,
      voice_callback_url
    })
    assert.strictEqual(placed.status, 201)
    await engine.clock.advance("1 minute")
    assert.notProperty(JSON.parse(bodies[1]!), "simulated")
  })

  it("comes in from outside, to the callback of the number or of the request", async () => {
    const asked: Array<string> = []
    const app: App = async (request) => {
      asked.push(`${new URL(request.url).pathname} ${((await request.json()) as { reason: string }).reason}`)
      return Response.json({ actions: [{ gather: { num_digits: 1 } }, { hangup: {} }] })
    }
    await using engine = await testEngine({
      app,
      workspaces: [{ routing: { voice_url: "https://app.test/routed" } }]
    })
    const routed = await simulate(engine, { direction: "inbound", to: engine.number, phone: { keys: ["1"] } })
    assert.deepInclude(routed.call, { direction: "inbound", from: "+99900000001", status: "completed" })
    assert.isTrue(routed.entries.some(({ kind }) => kind === "call.dtmf"))
    await simulate(engine, { direction: "inbound", to: engine.number, voice_callback_url })
    assert.deepStrictEqual(asked, ["/routed incoming", "/voice incoming"])
  })

  it("is refused for what a call is refused for", async () => {
    await using engine = await testEngine()
    const { number: from } = engine
    const refused = async (request: object) => {
      const { body, status } = await engine.request("POST", path, request)
      return [status, body.error.code, body.error.details?.[0]?.field]
    }
    const actions = [{ hangup: {} }]
    assert.deepStrictEqual(await refused({ from, to: "0722", actions }), [422, "calls.invalid_destination", undefined])
    assert.deepStrictEqual(await refused({ from, actions, balance_minor: 0 }), [
      402,
      "wallet.insufficient_funds",
      undefined
    ])
    assert.deepStrictEqual(await refused({ from: remote, actions }), [404, "numbers.not_found", undefined])
    assert.deepStrictEqual(await refused({ direction: "inbound", to: remote }), [404, "numbers.not_found", undefined])
    assert.deepStrictEqual(await refused({ from, actions: [{ dail: {} }] }), [
      400,
      "validation.bad_request",
      "/actions/0/dail"
    ])
    for (const [request, field] of [
      [{ actions }, "/from"],
      [{ from }, "/voice_callback_url"],
      [{ from, actions, voice_callback_url }, "/actions"],
      [{ direction: "inbound" }, "/to"],
      [{ direction: "inbound", to: from, actions }, "/actions"],
      [{ from, actions, max_seconds: 1_801 }, "/max_seconds"],
      [{ from, actions, phone: { keys: ["x"] } }, "/phone/keys/0"]
    ] as const)
      assert.deepStrictEqual(await refused(request), [400, "validation.bad_request", field])
  })

  it("has its own phone for the called party, and others for what it dials, also behind the same number", async () => {
    await using engine = await testEngine()
    const dials = (number: string) => ({ from: engine.number, actions: [{ dial: { number, timeout: 20 } }] })
    const statuses = ({ call, legs }: SimulatedCall) => [call, ...legs].map(({ status }) => status)
    for (const to of [remote, "+99900000001"]) {
      const silent = await simulate(engine, { ...dials(to), to, dialled: { answers: "no_answer" } })
      assert.deepStrictEqual(statuses(silent), ["completed", "no_answer"], to)
      assert.deepStrictEqual([silent.duration_seconds, silent.cost_minor], [20, 300])
    }
    // The number that the documents dial is not the one that is called unless the request says so.
    const unnamed = await simulate(engine, dials("+99900000001"))
    assert.deepStrictEqual(statuses(unnamed), ["completed", "completed"])
    assert.notStrictEqual(unnamed.call.to, "+99900000001")
  })

  it("says of a call that it stops how long it lasted until then, and what it cost", async () => {
    await using engine = await testEngine()
    const { number: from } = engine
    const talking = await simulate(engine, { from, to: remote, actions: [{ dial: { number: second } }] })
    assert.deepStrictEqual([talking.stopped, talking.call.status], ["max_seconds", "answered"])
    // Ten minutes each, of which each phone rang for two seconds.
    assert.deepStrictEqual([talking.duration_seconds, talking.cost_minor], [598, 6_000])
    const ringing = await simulate(engine, { from, to: remote, actions: menu.actions, max_seconds: 1 })
    assert.deepStrictEqual([ringing.stopped, ringing.duration_seconds, ringing.cost_minor], ["max_seconds", 0, 0])
    const paid = { from, to: remote, actions: [{ pause: { seconds: 60 } }], max_seconds: 30 }
    const waiting = await simulate(engine, paid)
    assert.deepStrictEqual([waiting.duration_seconds, waiting.cost_minor], [28, 300])
  })

  it("stops at its limits: seconds of the call, callbacks, and simulations at once", async () => {
    let asked = 0
    const app: App = () => {
      asked++
      return Response.json({ actions: [{ pause: { seconds: 2 } }, { redirect: { url: voice_callback_url } }] })
    }
    await using engine = await testEngine({ app })
    const { number: from } = engine
    const endless = await simulate(engine, { from, voice_callback_url, max_seconds: 30 })
    assert.deepStrictEqual([endless.stopped, endless.call.status], ["max_seconds", "answered"])
    asked = 0
    const looping = await simulate(engine, { from, voice_callback_url, max_seconds: 1_800 })
    assert.deepStrictEqual([asked, looping.call.hangup_cause], [50, "callback_failed"])
    const three = await Promise.all([1, 2, 3].map(() => engine.request("POST", path, { from, actions: menu.actions })))
    assert.deepStrictEqual(three.map(({ status }) => status).sort(), [200, 200, 429])
  })
})
