import assert from "node:assert/strict"
import { Trunkline } from "trunkline/client"
import { testEngine } from "trunkline/testing"
import { test } from "vitest"
import { Codes } from "./Codes.ts"

const phone = "+254722000000"

const start = async () => {
  const engine = await testEngine()
  const codes = new Codes({
    client: new Trunkline({ apiKey: engine.apiKey, fetch: engine.fetch }),
    from: engine.number,
    now: () => engine.clock.now().getTime(),
    makeCode: () => "407192"
  })
  const send = async (to = phone) => {
    const sent = await codes.send(to)
    return "id" in sent ? sent.id : assert.fail(sent.refused)
  }
  return { codes, engine, send, [Symbol.asyncDispose]: engine.stop }
}

test("the phone hears the code digit by digit, and the code is right once", async () => {
  await using world = await start()
  const { codes, engine, send } = world
  const id = await send()
  const ended = await engine.webhooks.next("call.completed")
  const { body } = await engine.request("GET", `/v1/calls/${ended.payload["id"]}/timeline`)
  assert.match(JSON.stringify(body), /Your code is 4, 0, 7, 1, 9, 2\./)
  assert.equal(codes.check(id, "407192"), "right")
  assert.equal(codes.check(id, "407192"), "over")
})

test("three wrong codes end it", async () => {
  await using world = await start()
  const { codes, send } = world
  const id = await send()
  for (const guess of ["000000", "", "407193"]) assert.equal(codes.check(id, guess), "wrong")
  assert.equal(codes.check(id, "407192"), "over")
})

test("a code is over after five minutes", async () => {
  await using world = await start()
  const { codes, engine, send } = world
  const id = await send()
  await engine.clock.advance("5 minutes")
  assert.equal(codes.check(id, "407192"), "over")
})

test("a phone is called at most once a minute, also by two requests at the same time", async () => {
  await using world = await start()
  const { codes, engine } = world
  const both = await Promise.all([codes.send(phone), codes.send(phone)])
  assert.deepEqual(both[1], { refused: "too_soon" })
  await engine.clock.advance("1 minute")
  assert.ok("id" in (await codes.send(phone)))
  await engine.clock.advance("1 minute")
  assert.equal(engine.webhooks.received("call.ringing").length, 2)
})

test("a number that cannot be called is refused, and may be tried again", async () => {
  await using world = await start()
  const { codes } = world
  assert.deepEqual(await codes.send("12"), { refused: "calls.invalid_destination" })
  assert.deepEqual(await codes.send("12"), { refused: "calls.invalid_destination" })
})
