// What the network says of a caller's number, from the gateway to whoever asks for the call.
import { assert, describe, it } from "@effect/vitest"
import type { Attestation } from "../../src/domain/pbx/Attestation.ts"
import { type EngineUnderTest, testEngine, type TestEngineOptions } from "../../src/testing.ts"

const number = "+254700000001"
const caller = "+254722000000"

interface Asked {
  readonly direction: string
  readonly attestation: unknown
}

/** Answers each inbound call with `actions`. `asked`: the questions of its callback. */
const options = (actions: ReadonlyArray<object>, asked: Array<Asked> = []): TestEngineOptions => ({
  workspaces: [{ numbers: [number], routing: { voice_url: "https://app.test/voice" } }],
  app: async (request) => {
    if (!request.url.endsWith("/voice")) return new Response(null, { status: 204 })
    asked.push((await request.json()) as Asked)
    return Response.json({ actions })
  }
})
const pauses = [{ pause: { seconds: 60 } }]

const read = async (engine: EngineUnderTest, path: string) => (await engine.request("GET", path)).body

describe("the attestation of an inbound call", () => {
  it.each<Attestation>(["A", "B", "C", "passed", "failed", "not_validated"])(
    "is %s in its record, the list, its events, its webhooks and the question of its callback",
    async (attestation) => {
      const asked: Array<Asked> = []
      await using engine = await testEngine(options(pauses, asked))
      const session = engine.dialIn(caller, number, { attestation, talks: "30 seconds" })
      await engine.clock.advance("2 minutes")
      const call = await read(engine, `/v1/calls/${session}`)
      assert.deepInclude(call, { status: "completed", direction: "inbound", attestation })
      const calls = await read(engine, "/v1/calls")
      assert.deepStrictEqual(
        calls.map((each: { attestation: unknown }) => each.attestation),
        [attestation]
      )
      assert.deepStrictEqual(
        asked.map((question) => [question.direction, question.attestation]),
        [["inbound", attestation]]
      )
      const events = await read(engine, `/v1/calls/${call.id}/events`)
      assert.isAbove(events.length, 2)
      for (const { payload } of events) assert.deepInclude(payload, { attestation })
      for (const kind of ["call.ringing", "call.answered", "call.completed"]) {
        const [delivered] = engine.webhooks.received(kind) as unknown as [{ payload: object }]
        assert.deepInclude(delivered.payload, { attestation })
      }
    }
  )

  it("is null if the trunk says nothing", async () => {
    const asked: Array<Asked> = []
    await using engine = await testEngine(options(pauses, asked))
    const session = engine.dialIn(caller, number)
    await engine.clock.advance("5 seconds")
    assert.deepInclude(await read(engine, `/v1/calls/${session}`), { direction: "inbound", attestation: null })
    assert.deepInclude(asked[0]!, { attestation: null })
  })

  it("outlives a crash of the engine", async () => {
    await using engine = await testEngine(options(pauses))
    const session = engine.dialIn(caller, number, { attestation: "B" })
    await engine.clock.advance("5 seconds")
    await engine.faults.process.kill()
    await engine.faults.process.restart()
    await engine.clock.advance("1 second")
    assert.deepInclude(await read(engine, `/v1/calls/${session}`), { status: "answered", attestation: "B" })
  })

  it("is not that of the legs that the call dials", async () => {
    await using engine = await testEngine(options([{ dial: { number: "+254711000001" } }]))
    const session = engine.dialIn(caller, number, { attestation: "A" })
    await engine.clock.advance("10 seconds")
    const { attestation, child_call_ids } = await read(engine, `/v1/calls/${session}`)
    assert.strictEqual(attestation, "A")
    assert.deepInclude(await read(engine, `/v1/calls/${child_call_ids[0]}`), { kind: "dial", attestation: null })
  })

  it("is not believed of a call from the chat app", async () => {
    await using engine = await testEngine(options(pauses))
    const session = engine.dialIn(caller, number, { attestation: "A", chatapp: true })
    await engine.clock.advance("5 seconds")
    assert.deepInclude(await read(engine, `/v1/calls/${session}`), { kind: "chatapp", attestation: null })
  })

  it("can be tried without a call", async () => {
    const asked: Array<Asked> = []
    await using engine = await testEngine(options(pauses, asked))
    const inbound = { direction: "inbound", to: number, phone: { talks_seconds: 5 } }
    const simulate = (body: object) => engine.request("POST", "/v1/voice-actions/simulate", body)
    assert.deepInclude((await simulate({ ...inbound, attestation: "failed" })).body.call, { attestation: "failed" })
    assert.deepInclude((await simulate(inbound)).body.call, { attestation: null })
    assert.deepStrictEqual(
      asked.map((question) => question.attestation),
      ["failed", null]
    )
    const outbound = await simulate({ from: number, to: caller, actions: pauses, attestation: "A" })
    assert.strictEqual(outbound.status, 400)
    assert.strictEqual(outbound.body.error.details[0].field, "/attestation")
    assert.strictEqual((await simulate({ ...inbound, attestation: "D" })).status, 400)
  })
})
