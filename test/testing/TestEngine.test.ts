// The engine for tests of applications, as such a test uses it: without Effect.
import { assert, describe, it } from "@effect/vitest"
import { type EngineUnderTest, testEngine, type TestEngineOptions } from "../../src/testing.ts"
import { verifySignature } from "../../src/layers/http-client/VerifySignature.ts"

const callee = "+254722000000"

const originate = async (engine: Pick<EngineUnderTest, "number" | "request">, change: object = {}): Promise<string> => {
  const wish = { to: callee, from: engine.number, voice_callback_url: "https://app.test/voice", ...change }
  const { body, status } = await engine.request("POST", "/v1/calls/originate", wish)
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body.id
}

const talking: TestEngineOptions = {
  app: (request) =>
    request.url.endsWith("/voice")
      ? Response.json({ actions: [{ pause: { seconds: 60 } }, { pause: { seconds: 60 } }] })
      : new Response(null, { status: 204 })
}

const rejects = async (promise: Promise<unknown>, message: RegExp): Promise<void> => {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error
  )
  assert.instanceOf(error, Error)
  assert.match(error.message, message)
}

describe("An engine for tests", () => {
  it("charges a call by the minute, in the time of the test", async () => {
    await using engine = await testEngine(talking)
    engine.phone(callee).answers({ after: "2 seconds", talks: "65 seconds" })
    const id = await originate(engine)
    assert.strictEqual(engine.wallet.held(), 300)
    const began_at = engine.clock.now().getTime()
    await engine.clock.advance("2 minutes")
    assert.strictEqual(engine.clock.now().getTime() - began_at, 120_000)
    const { body: call } = await engine.request("GET", `/v1/calls/${id}`)
    assert.strictEqual(call.status, "completed")
    assert.strictEqual(call.duration_seconds, 65)
    assert.strictEqual(call.cost_minor, 600)
    assert.strictEqual(engine.wallet.balance(), 1_000_000 - 600)
    assert.strictEqual(engine.wallet.held(), 0)
  })

  it("signs voice callbacks and webhooks in its own time", async () => {
    const verified: Array<string> = []
    await using engine = await testEngine()
    engine.connect(async (request) => {
      const isVoice = request.url.endsWith("/voice")
      const verdict = verifySignature({
        body: await request.text(),
        signature: request.headers.get("x-service-signature") ?? "",
        secret: isVoice ? engine.voiceSecret : engine.webhooks.secret,
        now_seconds: engine.clock.now().getTime() / 1_000
      })
      if (verdict.ok) verified.push(isVoice ? "voice" : "webhook")
      return Response.json({ actions: [] })
    })
    await originate(engine)
    await engine.clock.advance("1 minute")
    assert.include(verified, "voice")
    assert.strictEqual(verified.filter((kind) => kind === "webhook").length, engine.webhooks.received().length)
    assert.isAbove(engine.webhooks.received().length, 2)
  })

  it("streams a call in virtual time", async () => {
    await using engine = await testEngine(talking)
    engine.phone(callee).answers({ talks: "10 seconds" })
    const id = await originate(engine)
    const headers = { authorization: `Bearer ${engine.apiKey}`, accept: "text/event-stream" }
    const response = await engine.fetch(`/v1/calls/${id}/stream`, { headers })
    assert.strictEqual(response.status, 200)
    const text = await engine.clock.until(response.text(), { max: "5 minutes" })
    for (const kind of ["call.answered", "call.completed"]) assert.include(text, kind)
  })

  it("does the same in every run of a seed, and something else with another", async () => {
    const run = async (seed: number) => {
      await using engine = await testEngine({ ...talking, seed })
      await originate(engine)
      await engine.clock.advance("1 minute")
      return engine.webhooks.received().map(({ event_kind, id }) => `${event_kind} ${id}`)
    }
    const [first, again, other] = [await run(7), await run(7), await run(8)]
    assert.isNotEmpty(first)
    assert.deepStrictEqual(again, first)
    assert.notDeepEqual(other, first)
  })

  it("keeps the time of engines apart", async () => {
    await using one = await testEngine(talking)
    await using other = await testEngine({ ...talking, start: new Date("2030-01-01T00:00:00Z") })
    await one.clock.advance("1 hour")
    assert.strictEqual(one.clock.now().toISOString(), "2026-01-05T09:00:00.000Z")
    assert.strictEqual(other.clock.now().toISOString(), "2030-01-01T00:00:00.000Z")
  })

  it("has workspaces with numbers, money and prices of their own, which see nothing of each other", async () => {
    await using engine = await testEngine({
      ...talking,
      rates: [{ prefix: "2547", per_min_minor: 500 }],
      workspaces: [
        { name: "Nairobi" },
        { name: "Kampala", currency: "UGX", numbers: ["+256700000001", "+256700000002"], balance_minor: 5_000 }
      ]
    })
    const kampala = engine.workspace("Kampala")
    const id = await originate(kampala, { from: kampala.numbers[1] })
    await engine.clock.advance("2 minutes")
    const { body: call } = await kampala.request("GET", `/v1/calls/${id}`)
    assert.strictEqual(call.from, "+256700000002")
    assert.strictEqual(call.currency, "UGX")
    assert.strictEqual(kampala.wallet.balance(), 5_000 - call.cost_minor)
    assert.strictEqual(call.cost_minor, 500)
    assert.strictEqual((await engine.request("GET", `/v1/calls/${id}`)).status, 404)
    assert.strictEqual(engine.wallet.balance(), 1_000_000)
    assert.isEmpty(engine.webhooks.received())
    assert.isNotEmpty(kampala.webhooks.received("call.completed"))
  })

  it("credits a top-up when its payer has paid", async () => {
    await using engine = await testEngine()
    const wish = { provider: "mobilemoney", amount_minor: 50_000, currency: "KES", phone_e164: "+254700000010" }
    const { body, status } = await engine.request("POST", "/v1/topups", wish)
    assert.oneOf(status, [201, 202], JSON.stringify(body))
    const { payload } = await engine.webhooks.next("topup.succeeded")
    assert.strictEqual(payload["amount_minor"], 50_000)
    assert.strictEqual(engine.wallet.balance(), 1_050_000)
  })

  it("says what the PBX lost, told late, or told after its connection was back", async () => {
    await using engine = await testEngine(talking)
    engine.faults.pbx.losesNextCall()
    const lost = await originate(engine)
    await engine.clock.advance("10 minutes")
    const { body } = await engine.request("GET", `/v1/calls/${lost}`)
    assert.strictEqual(body.status, "completed")

    engine.faults.pbx.reportsLate("3 seconds")
    engine.phone(callee).answers({ talks: "20 seconds" })
    const late = await originate(engine)
    await engine.clock.advance("1 minute")
    engine.faults.pbx.recovers()
    assert.strictEqual((await engine.request("GET", `/v1/calls/${late}`)).body.duration_seconds, 20)

    const cut = await originate(engine)
    await engine.clock.advance("5 seconds")
    engine.faults.pbx.disconnects()
    await engine.clock.advance("30 seconds")
    assert.strictEqual((await engine.request("GET", `/v1/calls/${cut}`)).body.status, "answered")
    engine.faults.pbx.connects()
    await engine.clock.advance("5 seconds")
    assert.strictEqual((await engine.request("GET", `/v1/calls/${cut}`)).body.duration_seconds, 20)
  })

  it("answers 503 while its database is down, and goes on afterwards", async () => {
    await using engine = await testEngine(talking)
    engine.faults.database.goesDown()
    const wish = { to: callee, from: engine.number, voice_callback_url: "https://app.test/voice" }
    const refused = await engine.request("POST", "/v1/calls/originate", wish)
    assert.strictEqual(refused.status, 503)
    assert.isAtLeast((await engine.request("GET", "/v1/calls")).status, 500)
    engine.faults.database.comesBack()
    await originate(engine)
    engine.faults.database.failsNextWrite()
    await engine.clock.advance("3 minutes")
    assert.strictEqual(engine.webhooks.received("call.completed").length, 1)
  })

  it("refuses connections while it is dead, and breaks those that wait", async () => {
    await using engine = await testEngine(talking)
    const id = await originate(engine)
    const key = { authorization: `Bearer ${engine.apiKey}` }
    await engine.faults.process.kill()
    await rejects(engine.fetch(`/v1/calls/${id}`, { headers: key }), /fetch failed/)
    await engine.faults.process.restart()
    assert.strictEqual((await engine.fetch(`/v1/calls/${id}`, { headers: key })).status, 200)
  })

  it("says what it does not do", async () => {
    await using engine = await testEngine()
    assert.strictEqual((await engine.request("GET", "/v1/admin/rates")).status, 401)
    await rejects(engine.webhooks.next("call.busy", { within: "1 minute" }), /No webhook call.busy came/)
    await rejects(engine.clock.until(new Promise(() => {}), { max: "1 minute" }), /has not settled/)
    assert.throws(() => engine.workspace("Elsewhere"), /no workspace Elsewhere/)
    assert.throws(() => engine.dialIn("+254733000000", "+254799999999"), /No workspace of this engine/)
    assert.strictEqual((await engine.fetch("/v1/calls")).status, 401)
  })

  it("what the application throws fails the test", async () => {
    await using engine = await testEngine({
      app: () => {
        throw new TypeError("the callback is broken")
      }
    })
    await engine.request("POST", "/v1/calls/originate", {
      from: engine.number,
      to: "+254722000000",
      actions: [{ hangup: {} }]
    })
    const told = await engine.clock.advance("1 minute").catch(String)
    assert.match(String(told), /when the engine asked https:\/\/app\.test.*the callback is broken/)
  })

  it("a caller presses other keys each time", async () => {
    const pressed: Array<string | undefined> = []
    await using engine = await testEngine({
      workspaces: [{ routing: { voice_url: "https://app.test/voice" } }],
      app: async (request) => {
        if (request.headers.has("x-service-event")) return new Response(null, { status: 204 })
        const { result } = (await request.json()) as { readonly result: { readonly digits?: string } | null }
        if (result !== null) pressed.push(result.digits)
        const gather = { num_digits: 4, timeout: 2, action_url: "https://app.test/voice" }
        return Response.json({ actions: pressed.length < 3 ? [{ gather }] : [{ hangup: {} }] })
      }
    })
    engine.dialIn("+254733000000", engine.number, { presses: ["12#", "345#"] })
    await engine.clock.advance("1 minute")
    assert.deepStrictEqual(pressed, ["12", "345", ""])
  })
})
