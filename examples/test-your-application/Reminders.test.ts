import assert from "node:assert/strict"
import { test } from "vitest"
import { testEngine, type TestEngineOptions } from "trunkline/testing"
import { Reminders } from "./Reminders.ts"

const phone = "+254722000000"

/** The application on an engine of its own. */
const start = async (options: TestEngineOptions = {}) => {
  const engine = await testEngine(options)
  const app = new Reminders({
    fetch: engine.fetch,
    apiKey: engine.apiKey,
    number: engine.number,
    voiceSecret: engine.voiceSecret,
    webhookSecret: engine.webhooks.secret,
    now: () => engine.clock.now().getTime()
  })
  engine.connect(app.handle)
  return { app, engine, [Symbol.asyncDispose]: engine.stop }
}

test("bills a call once, by the minute", async () => {
  await using world = await start()
  const { app, engine } = world
  engine.phone(phone).answers({ presses: "1" })
  const id = await app.remind(phone)
  await engine.clock.advance("1 minute")
  const { body: call } = await engine.request("GET", `/v1/calls/${id}`)
  assert.equal(call.status, "completed")
  assert.deepEqual([...app.invoices.values()], [{ call_id: id, minutes: 1, minor: 600 }])
})

test("a busy phone costs nothing", async () => {
  await using world = await start()
  const { app, engine } = world
  engine.phone(phone).busy()
  await app.remind(phone)
  const busy = await engine.webhooks.next("call.busy")
  assert.equal(busy.payload["to"], phone)
  assert.equal(engine.wallet.balance(), 1_000_000)
  assert.equal(app.invoices.size, 0)
})

test("1 confirms the appointment, silence does not", async () => {
  await using world = await start()
  const { app, engine } = world
  engine.phone(phone).answers({ presses: "1" })
  const confirmed = await app.remind(phone)
  engine.phone("+254722000001").answers()
  const silent = await app.remind("+254722000001")
  await engine.clock.advance("2 minutes")
  assert.ok(app.confirmed.has(confirmed))
  assert.ok(!app.confirmed.has(silent))
})

test("an answering machine hears the appointment, and is asked nothing", async () => {
  await using world = await start()
  const { app, engine } = world
  engine.phone(phone).machine()
  const id = await app.remind(phone)
  await engine.clock.advance("1 minute")
  const { body } = await engine.request("GET", `/v1/calls/${id}/timeline`)
  const text = JSON.stringify(body)
  assert.match(text, /You have an appointment/)
  assert.doesNotMatch(text, /Press 1/)
})

test("without money nothing rings", async () => {
  await using world = await start({ workspaces: [{ balance_minor: 0 }] })
  const { app, engine } = world
  assert.equal(await app.remind(phone), "wallet.insufficient_funds")
  await engine.clock.advance("1 minute")
  assert.deepEqual(engine.webhooks.received("call.ringing"), [])
})

test("a callback that does not answer ends the call", async () => {
  await using world = await start()
  const { app, engine } = world
  engine.faults.app.hangs()
  const id = await app.remind(phone)
  await engine.clock.advance("1 minute")
  const { body: call } = await engine.request("GET", `/v1/calls/${id}`)
  assert.equal(call.hangup_cause, "callback_timeout")
})

test("an inbound call reaches the office", async () => {
  await using world = await start({ workspaces: [{ routing: { voice_url: "https://app.test/voice" } }] })
  const { engine } = world
  engine.phone("+254711000001").answers({ talks: "20 seconds" })
  engine.dialIn("+254733000000", engine.number)
  await engine.clock.advance("1 minute")
  const legs = engine.webhooks.received("call.completed").map(({ payload }) => [payload["direction"], payload["to"]])
  assert.deepEqual(legs.sort(), [
    ["inbound", engine.number],
    ["outbound", "+254711000001"]
  ])
})

test("a webhook that was answered 500 comes again, under the same id", async () => {
  await using world = await start()
  const { app, engine } = world
  await app.remind(phone)
  await engine.clock.advance("4 seconds")
  engine.faults.app.answers(500)
  await engine.clock.advance("1 minute")
  engine.faults.app.recovers()
  await engine.clock.advance("10 minutes")
  const ids = new Set(engine.webhooks.attempts("call.completed").map(({ delivery_id }) => delivery_id))
  assert.ok(engine.webhooks.attempts("call.completed").length > 1)
  assert.equal(ids.size, 1)
  assert.equal(app.invoices.size, 1)
})

test("bills a call once, although the PBX reports everything twice and in the wrong order", async () => {
  await using world = await start()
  const { app, engine } = world
  engine.faults.pbx.reportsTwice()
  engine.faults.pbx.reportsOutOfOrder()
  engine.phone(phone).answers({ presses: "1" })
  await app.remind(phone)
  await engine.clock.advance("3 minutes")
  assert.equal(engine.webhooks.received("call.completed").length, 1)
  assert.equal(app.invoices.size, 1)
  assert.equal(engine.wallet.balance(), 1_000_000 - 300)
})

test("a call survives the death of the engine and is charged once", async () => {
  await using world = await start()
  const { app, engine } = world
  engine.phone(phone).answers({ talks: "100 seconds", presses: "1" })
  const id = await app.remind(phone)
  await engine.clock.advance("3 seconds")
  await engine.faults.process.kill()
  await engine.clock.advance("10 seconds")
  await engine.faults.process.restart()
  await engine.clock.advance("3 minutes")
  const { body } = await engine.request("GET", "/v1/wallet/statements?kind=call_charge")
  assert.deepEqual(
    body.map((entry: { reference_id: string }) => entry.reference_id),
    [id]
  )
})
