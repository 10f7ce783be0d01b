import assert from "node:assert/strict"
import { Trunkline } from "trunkline/client"
import { testEngine } from "trunkline/testing"
import { test } from "vitest"
import { Appointments } from "./Appointments.ts"
import { Reminders } from "./Reminders.ts"

const phone = "+254722000000"
const office = "+254711000001"

/** 11:00 in Nairobi, with an appointment at noon of the next day, which is due in an hour. */
const start = async () => {
  const engine = await testEngine({ start: new Date("2026-01-05T08:00:00Z") })
  const appointments = new Appointments(":memory:")
  const reminders = new Reminders({
    client: new Trunkline({ apiKey: engine.apiKey, fetch: engine.fetch }),
    appointments,
    from: engine.number,
    office,
    publicUrl: "https://app.test",
    voiceSecret: engine.voiceSecret,
    webhookSecret: engine.webhooks.secret,
    timeZone: "Africa/Nairobi",
    now: () => engine.clock.now().getTime()
  })
  engine.connect(reminders.handle)
  reminders.add({ id: "a1", phone, at: new Date("2026-01-06T09:00:00Z") })
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      await reminders.callDue()
      await engine.clock.advance("1 minute")
    }
  }
  const status = () => appointments.get("a1")?.status
  const calls = () => engine.webhooks.received("call.ringing").length
  return { calls, engine, minutes, reminders, status, [Symbol.asyncDispose]: engine.stop }
}

test("calls a day before, and 1 confirms", async () => {
  await using world = await start()
  const { calls, engine, minutes, status } = world
  engine.phone(phone).answers({ presses: "1" })
  await minutes(59)
  assert.equal(calls(), 0)
  await minutes(10)
  assert.equal(status(), "confirmed")
  assert.equal(calls(), 1)
})

test("2 connects with the office", async () => {
  await using world = await start()
  const { engine, minutes, status } = world
  engine.phone(phone).answers({ presses: "2" })
  await minutes(65)
  assert.equal(status(), "moved")
  const called = engine.webhooks.received("call.answered").map(({ payload }) => payload["to"])
  assert.deepEqual(called, [phone, office])
})

test("an answering machine hears the appointment, and is asked nothing", async () => {
  await using world = await start()
  const { engine, minutes, status } = world
  engine.phone(phone).machine()
  await minutes(65)
  assert.equal(status(), "reminded")
  const [ended] = engine.webhooks.received("call.completed")
  const { body } = await engine.request("GET", `/v1/calls/${ended?.payload["id"]}/timeline`)
  assert.match(JSON.stringify(body), /an appointment with us on Tuesday at 12:00/)
  assert.doesNotMatch(JSON.stringify(body), /press 1/)
})

test("a busy phone is called three times, half an hour apart", async () => {
  await using world = await start()
  const { calls, engine, minutes, status } = world
  engine.phone(phone).busy()
  await minutes(85)
  assert.equal(calls(), 1)
  assert.equal(status(), "waiting")
  await minutes(200)
  assert.equal(calls(), 3)
  assert.equal(status(), "unreached")
})

test("nobody is called at night", async () => {
  await using world = await start()
  const { calls, engine, minutes, reminders } = world
  reminders.add({ id: "a2", phone, at: new Date("2026-01-06T05:00:00Z") })
  await engine.clock.advanceTo(new Date("2026-01-05T20:00:00Z"))
  await minutes(5)
  assert.equal(calls(), 0)
})

test("without an answer of the engine the next minute places the call, once", async () => {
  await using world = await start()
  const { calls, engine, minutes, status } = world
  engine.phone(phone).answers({ presses: "1" })
  await engine.clock.advance("1 hour")
  await engine.faults.process.kill()
  await world.reminders.callDue()
  assert.equal(status(), "waiting")
  await engine.faults.process.restart()
  await minutes(5)
  assert.equal(status(), "confirmed")
  assert.equal(calls(), 1)
})
