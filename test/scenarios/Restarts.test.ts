// Calls that are under way while the engine is down.
import { assert, describe, it } from "@effect/vitest"
import { type EngineUnderTest, testEngine } from "../../src/testing.ts"

const callee = "+254722000000"

const originate = async (engine: EngineUnderTest, change: object = {}): Promise<string> => {
  const wish = { to: callee, from: engine.number, voice_callback_url: "https://app.test/voice", ...change }
  const { body, status } = await engine.request("POST", "/v1/calls/originate", wish)
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body.id
}

const callOf = async (engine: EngineUnderTest, id: string) => (await engine.request("GET", `/v1/calls/${id}`)).body

const talking = () => Response.json({ actions: [{ pause: { seconds: 60 } }, { hangup: {} }] })

describe("a call whose callback has not answered when the engine dies", () => {
  const asked = async (engine: EngineUnderTest) => {
    engine.phone(callee).answers({ after: "2 seconds", talks: "10 minutes" })
    engine.faults.app.hangs()
    const id = await originate(engine)
    await engine.clock.advance("5 seconds")
    assert.strictEqual((await callOf(engine, id)).status, "answered")
    await engine.faults.process.kill()
    await engine.clock.advance("30 seconds")
    return id
  }

  it("goes on with the answer that comes after the start", async () => {
    await using engine = await testEngine({ app: talking })
    const id = await asked(engine)
    engine.faults.app.recovers()
    await engine.faults.process.restart()
    await engine.clock.advance("30 seconds")
    assert.strictEqual((await callOf(engine, id)).status, "answered")
    await engine.clock.advance("60 seconds")
    assert.deepInclude(await callOf(engine, id), { status: "completed", hangup_cause: "normal_clearing" })
  })

  it("gives it ten seconds from the start", async () => {
    await using engine = await testEngine({ app: talking })
    const id = await asked(engine)
    await engine.faults.process.restart()
    await engine.clock.advance("9 seconds")
    assert.strictEqual((await callOf(engine, id)).status, "answered")
    await engine.clock.advance("3 seconds")
    assert.deepInclude(await callOf(engine, id), { hangup_cause: "callback_timeout" })
  })
})
