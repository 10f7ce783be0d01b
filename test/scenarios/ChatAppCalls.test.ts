// Calls of the chat app, in both directions, on the engine with its simulated provider and PBX.
import { assert, describe, it } from "@effect/vitest"
import { initialSettings, type CallSettings } from "../../src/domain/chatapp/CallSettings.ts"
import { type EngineUnderTest, testEngine, type TestEngineOptions } from "../../src/testing.ts"

/** The simulated provider grants numbers with this ending the permission to call `permitted`. */
const number = "+254700000096"
const permitted = "+99900000001"
const stranger = "+254722000000"
const options = (actions: ReadonlyArray<object> = [{ pause: { seconds: 60 } }]): TestEngineOptions => ({
  workspaces: [{ numbers: [number, "+254700000010"], routing: { voice_url: "https://app.test/voice" } }],
  rates: [{ prefix: "999", per_min_minor: 400 }],
  app: (request) => (request.url.endsWith("/voice") ? Response.json({ actions }) : new Response(null, { status: 204 }))
})

type Settings = Partial<CallSettings>
const enabled: Settings = { status: "ENABLED", callback_permission_status: "ENABLED" }
const closed: CallSettings["call_hours"] = { ...initialSettings.call_hours, status: "ENABLED" }
const voicemail = (...triggers: ReadonlyArray<string>): CallSettings["voicemail"] => ({
  ...initialSettings.voicemail,
  status: "ENABLED",
  triggers
})

const setUp = async (engine: EngineUnderTest, settings: Settings = {}): Promise<void> => {
  const { body: numbers } = await engine.request("GET", "/v1/numbers")
  const { id } = numbers.find((each: { number: string }) => each.number === number)
  const path = `/v1/numbers/${id}/chatapp`
  const body = { ...initialSettings, ...enabled, ...settings }
  assert.strictEqual((await engine.request("PUT", `${path}/call-settings`, body)).status, 200)
  assert.strictEqual((await engine.request("POST", `${path}/trunk`)).status, 202)
  await engine.clock.advance("5 seconds")
  assert.strictEqual((await engine.request("GET", `${path}/trunk`)).body.status, "active")
}

const callOf = async (engine: EngineUnderTest, id: string) => (await engine.request("GET", `/v1/calls/${id}`)).body

const originate = (engine: EngineUnderTest, to: string, change: object = {}) =>
  engine.request("POST", "/v1/calls/originate", {
    to,
    from: number,
    actions: [{ pause: { seconds: 60 } }],
    ...change
  })

describe("a call from the chat app", () => {
  it("has its kind, is answered as the number says, and costs what an inbound call costs", async () => {
    await using engine = await testEngine(options())
    await setUp(engine)
    const session = engine.dialIn(stranger, number, { chatapp: true, talks: "30 seconds" })
    await engine.clock.advance("1 minute")
    assert.deepInclude(await callOf(engine, session), {
      kind: "chatapp",
      direction: "inbound",
      from: stranger,
      to: number,
      status: "completed",
      cost_minor: 100
    })
    const [{ payload }] = engine.webhooks.received("call.completed") as unknown as [{ payload: { call_kind: string } }]
    assert.deepInclude(payload, { call_kind: "chatapp" })
    assert.strictEqual(engine.wallet.balance(), 1_000_000 - 100)
  })

  it("reaches nobody while the number takes no calls there, and is free", async () => {
    await using engine = await testEngine(options())
    const before = engine.dialIn(stranger, number, { chatapp: true })
    await engine.clock.advance("5 seconds")
    assert.deepInclude(await callOf(engine, before), { status: "failed", hangup_cause: "no_route" })
    await setUp(engine, { status: "DISABLED" })
    const off = engine.dialIn(stranger, number, { chatapp: true })
    const other = engine.dialIn(stranger, "+254700000010", { chatapp: true })
    const telephone = engine.dialIn(stranger, number, { talks: "5 seconds" })
    await engine.clock.advance("30 seconds")
    for (const id of [off, other])
      assert.deepInclude(await callOf(engine, id), { kind: "chatapp", status: "failed", hangup_cause: "no_route" })
    assert.deepInclude(await callOf(engine, telephone), { kind: "sip", status: "completed" })
    assert.strictEqual(engine.wallet.balance(), 1_000_000 - 100)
  })

  const announced = async (engine: EngineUnderTest, id: string): Promise<ReadonlyArray<string>> => {
    const { body } = await engine.request("GET", `/v1/calls/${id}/timeline`)
    return body.entries
      .filter(({ kind }: { kind: string }) => kind === "announcement")
      .map(({ detail }: { detail: { text: string } }) => detail.text)
  }

  it("hears outside the hours that calls are not taken, free of charge", async () => {
    await using engine = await testEngine(options())
    await setUp(engine, { call_hours: closed, voicemail: voicemail("no_answer", "busy") })
    const id = engine.dialIn(stranger, number, { chatapp: true })
    await engine.clock.advance("10 seconds")
    assert.deepInclude(await callOf(engine, id), { status: "busy", hangup_cause: "call_rejected", cost_minor: 0 })
    assert.deepStrictEqual(await announced(engine, id), ["Calls are not taken at this time. Please call again later."])
  })

  it("is asked for a message outside the hours if the settings say so, and the message is recorded", async () => {
    await using engine = await testEngine(options())
    await setUp(engine, { call_hours: closed, voicemail: voicemail("outside_hours") })
    const id = engine.dialIn(stranger, number, { chatapp: true, talks: "40 seconds" })
    await engine.clock.advance("2 minutes")
    const call = await callOf(engine, id)
    assert.deepInclude(call, { status: "completed", kind: "chatapp", cost_minor: 100 })
    assert.lengthOf(engine.webhooks.received("call.recording_available"), 1)
  })

  it.each([
    ["busy", "busy", "completed"],
    ["rejected", "declined", "completed"],
    ["rejected", "busy", "busy"]
  ])("that is refused as %s leaves a message if the trigger is %s: %s", async (reason, trigger, status) => {
    await using engine = await testEngine(options([{ reject: { reason } }]))
    await setUp(engine, { voicemail: voicemail(trigger) })
    const id = engine.dialIn(stranger, number, { chatapp: true, talks: "40 seconds" })
    await engine.clock.advance("2 minutes")
    assert.deepInclude(await callOf(engine, id), { status })
    assert.lengthOf(engine.webhooks.received("call.recording_available"), status === "completed" ? 1 : 0)
  })

  it("goes on after the engine was killed, and is charged once", async () => {
    await using engine = await testEngine(options())
    await setUp(engine)
    const id = engine.dialIn(stranger, number, { chatapp: true, talks: "90 seconds" })
    await engine.clock.advance("20 seconds")
    assert.strictEqual((await callOf(engine, id)).status, "answered")
    await engine.faults.process.kill()
    await engine.faults.process.restart()
    await engine.clock.advance("3 minutes")
    assert.deepInclude(await callOf(engine, id), { status: "completed", kind: "chatapp", cost_minor: 100 })
    assert.strictEqual(engine.wallet.balance(), 1_000_000 - 100)
    const next = engine.dialIn(stranger, number, { chatapp: true, talks: "30 seconds" })
    await engine.clock.advance("2 minutes")
    assert.deepInclude(await callOf(engine, next), { status: "completed" })
  })
})

describe("a call to a user of the chat app", () => {
  const refusal = async (engine: EngineUnderTest, to: string, change: object = {}): Promise<string> => {
    const { body, status } = await originate(engine, to, change)
    assert.strictEqual(status, 422)
    return `${body.error.code} ${body.error.reason}`
  }

  it("needs an active trunk, calls that are on, and a permission that lasts", async () => {
    await using engine = await testEngine(options())
    const to = `chatapp:${permitted}`
    assert.strictEqual(await refusal(engine, to), "calls.destination_refused chatapp_unavailable")
    await setUp(engine)
    assert.strictEqual(await refusal(engine, `chatapp:${stranger}`), "calls.destination_refused chatapp_not_permitted")
    const foreign = { from: "+254700000010" }
    assert.strictEqual(await refusal(engine, to, foreign), "calls.destination_refused chatapp_unavailable")
    assert.strictEqual((await originate(engine, to)).status, 201)
    const check = await engine.request(
      "GET",
      `/v1/calls/destination-check?from=%2B254700000096&to=${encodeURIComponent(to)}`
    )
    assert.deepInclude(check.body, { rated: true, rate_per_min_minor: 400, normalized_to: permitted })
    await engine.clock.advance("1 day")
    assert.strictEqual(await refusal(engine, to), "calls.destination_refused chatapp_not_permitted")
    assert.strictEqual(await refusal(engine, "chatapp:12"), "calls.invalid_destination missing_country_code")
  })

  it("takes the trunk of the provider, has its kind, and is charged by the minute at the rate of the number", async () => {
    await using engine = await testEngine(options())
    await setUp(engine)
    const { body } = await originate(engine, `chatapp:${permitted}`)
    assert.deepInclude(body, { kind: "chatapp", to: permitted, rate_per_min_minor: 400 })
    assert.strictEqual(engine.wallet.held(), 400)
    await engine.clock.advance("3 minutes")
    assert.deepInclude(await callOf(engine, body.id), { status: "completed", cost_minor: 400 })
    assert.strictEqual(engine.wallet.balance(), 1_000_000 - 400)
    assert.strictEqual(engine.wallet.held(), 0)
  })

  it("may be called back from there: the simulator has a user who does so", async () => {
    await using engine = await testEngine(options())
    await setUp(engine)
    assert.strictEqual((await originate(engine, "chatapp:+99900000027")).status, 201)
    await engine.clock.advance("2 minutes")
    const [call] = (await engine.request("GET", "/v1/calls?direction=inbound")).body
    assert.deepInclude(call, { kind: "chatapp", from: "+99900000027", to: number, status: "completed" })
  })

  it("can be a leg of a dial, and a user without permission is not called", async () => {
    const actions = [
      { dial: { number: `chatapp:${stranger}` } },
      { dial: { number: `chatapp:${permitted}`, time_limit: 20 } }
    ]
    await using engine = await testEngine(options(actions))
    await setUp(engine)
    const id = engine.dialIn(stranger, number, { talks: "50 seconds" })
    await engine.clock.advance("3 minutes")
    const { child_call_ids } = await callOf(engine, id)
    assert.lengthOf(child_call_ids, 1)
    assert.deepInclude(await callOf(engine, child_call_ids[0]), { kind: "chatapp", to: permitted, status: "completed" })
  })
})
