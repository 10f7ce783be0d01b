// The engine for tests serves every area of the interface. Each test uses one as an application would.
import { assert, describe, it } from "@effect/vitest"
import { type EngineUnderTest, testEngine, type TestEngineOptions } from "../../src/testing.ts"

const callee = "+254722000000"

/** Every answered call is asked for these actions once. */
const doing = (...actions: ReadonlyArray<object>): TestEngineOptions => ({
  app: async (request) => {
    if (request.headers.has("x-service-event")) return new Response(null, { status: 204 })
    const { reason } = (await request.json()) as { readonly reason: string }
    return Response.json({ actions: reason === "answered" ? actions : [{ hangup: {} }] })
  }
})

const answer = async (
  engine: Pick<EngineUnderTest, "clock" | "request">,
  status: number,
  ...request: Parameters<EngineUnderTest["request"]>
) => {
  const response = await engine.clock.until(engine.request(...request))
  assert.strictEqual(response.status, status, JSON.stringify(response.body))
  return response.body
}

const originate = async (engine: EngineUnderTest, change: object = {}): Promise<string> => {
  const wish = { to: callee, from: engine.number, voice_callback_url: "https://app.test/voice", ...change }
  return (await answer(engine, 201, "POST", "/v1/calls/originate", wish)).id
}

describe("an engine for tests serves", () => {
  it("numbers: one is claimed, paid, routed, called and given back", async () => {
    await using engine = await testEngine()
    const [offer] = await answer(engine, 200, "GET", "/v1/numbers/available?country=KE")
    assert.strictEqual(offer.number, "+254709000001")
    const claimed = await answer(engine, 201, "POST", `/v1/numbers/${offer.inventory_id}/claim`)
    assert.strictEqual(claimed.status, "active")
    assert.strictEqual(engine.wallet.balance(), 1_000_000 - offer.monthly_price_minor)
    assert.strictEqual(engine.webhooks.received("number.claimed")[0]?.payload["number"], offer.number)
    const numbers = await answer(engine, 200, "GET", "/v1/numbers")
    assert.deepStrictEqual(
      numbers.map(({ number }: { number: string }) => number),
      [offer.number, engine.number]
    )
    await answer(engine, 200, "PATCH", `/v1/numbers/${claimed.id}/routing`, { voice_url: "https://app.test/voice" })
    engine.dialIn("+254733000000", offer.number)
    await engine.clock.advance("1 minute")
    const calls = await answer(engine, 200, "GET", "/v1/calls")
    assert.strictEqual(calls[0].to, offer.number)
    await answer(engine, 200, "POST", `/v1/numbers/${claimed.id}/release`)
    assert.strictEqual((await answer(engine, 200, "GET", `/v1/numbers/${claimed.id}`)).status, "released")
  })

  it("conferences: calls meet in one, which ends with the last", async () => {
    await using engine = await testEngine(doing({ conference: { name: "team" } }))
    const ids = [await originate(engine), await originate(engine, { to: "+254722000001" })]
    for (const number of [callee, "+254722000001"]) engine.phone(number).answers({ talks: "1 minute" })
    await engine.clock.advance("10 seconds")
    const [conference] = await answer(engine, 200, "GET", "/v1/conferences?status=in_progress")
    const { participants } = await answer(engine, 200, "GET", `/v1/conferences/${conference.id}`)
    assert.sameMembers(
      participants.map(({ call_id }: { call_id: string }) => call_id),
      ids
    )
    await engine.clock.advance("2 minutes")
    assert.strictEqual((await answer(engine, 200, "GET", `/v1/conferences/${conference.id}`)).status, "ended")
  })

  it("recordings: one is listed, downloaded and deleted", async () => {
    await using engine = await testEngine(doing({ pause: { seconds: 5 } }))
    const id = await originate(engine, { record: "record-from-answer" })
    engine.phone(callee).answers({ talks: "10 seconds" })
    await engine.clock.advance("2 minutes")
    const [recording] = await answer(engine, 200, "GET", "/v1/recordings")
    assert.strictEqual(recording.call_id, id)
    assert.strictEqual(recording.status, "available")
    const { download_url } = await answer(engine, 200, "GET", `/v1/calls/${id}/recording`)
    const audio = Buffer.from(await (await engine.fetch(download_url)).arrayBuffer())
    assert.strictEqual(audio.subarray(0, 4).toString(), "RIFF")
    assert.strictEqual((await answer(engine, 200, "GET", "/v1/storage")).used_bytes, audio.length)
    await answer(engine, 204, "DELETE", `/v1/calls/${id}/recording`)
    assert.strictEqual((await engine.fetch(download_url)).status, 410)
  })

  it("streams: the application gets one, says something and closes it", async () => {
    const stream = { name: "agent", url: "wss://agent.test/calls", parameters: { order: "4711" } }
    await using engine = await testEngine(doing({ stream }))
    const id = await originate(engine)
    engine.phone(callee).answers({ talks: "1 minute" })
    await engine.clock.advance("10 seconds")
    const [opened] = engine.streams()
    assert.deepInclude(opened, {
      call_id: id,
      name: "agent",
      url: stream.url,
      parameters: stream.parameters,
      isOpen: true
    })
    opened?.says("agent", "Hello")
    opened?.close()
    await engine.clock.advance("10 seconds")
    assert.isFalse(engine.streams()[0]?.isOpen)
    const { entries } = await answer(engine, 200, "GET", `/v1/calls/${id}/timeline`)
    const kinds = entries.map(({ kind }: { kind: string }) => kind)
    assert.include(kinds, "call.stream_started")
    assert.include(kinds, "call.stream_ended")
    assert.include(JSON.stringify(entries), "Hello")
  })

  it("SIP credentials and WebRTC: a browser's token is minted for an extension", async () => {
    await using engine = await testEngine()
    const [{ id }] = await answer(engine, 200, "GET", "/v1/numbers")
    const path = `/v1/numbers/${id}/sip-credentials`
    const credential = await answer(engine, 201, "POST", path, { extension: "1001" })
    assert.isString(credential.password)
    assert.strictEqual((await answer(engine, 200, "GET", path))[0].extension, "1001")
    const token = await answer(engine, 200, "POST", "/v1/webrtc/token", { extension: "1001" })
    assert.strictEqual(token.sipProfile.uri, `sip:${credential.username}@sip.test`)
    assert.strictEqual(token.expiresIn, 900)
  })

  it("trunks: one becomes active, and a number of one's own is registered behind it", async () => {
    await using engine = await testEngine({ workspaces: [{ numbers: [] }] })
    await answer(engine, 201, "POST", "/v1/sip-trunk", {
      auth_mode: "ip",
      host: "41.90.10.7",
      allowed_ips: ["41.90.10.7"]
    })
    await engine.clock.advance("1 minute")
    assert.strictEqual((await answer(engine, 200, "GET", "/v1/sip-trunk")).status, "active")
    const { id } = await answer(engine, 202, "POST", "/v1/caller-ids", { number: "+254711222333" })
    await answer(engine, 200, "POST", `/v1/caller-ids/${id}/verify`, { code: "123456" })
    const number = await answer(engine, 201, "POST", "/v1/numbers/byo", { number: "+254711222333" })
    assert.strictEqual(number.source, "byo")
  })

  it("storage, invoices, statistics and the audit log", async () => {
    const start = new Date("2026-01-31T23:55:00Z")
    await using engine = await testEngine({ ...doing({ pause: { seconds: 5 } }), start })
    await originate(engine)
    await engine.clock.advance("1 minute")
    assert.strictEqual((await answer(engine, 200, "PUT", "/v1/storage/tier", { tier_gb: 5 })).tier_gb, 5)
    const { totals } = await answer(engine, 200, "GET", "/v1/calls/stats")
    assert.strictEqual(totals.calls, 1)
    await engine.clock.advance("5 minutes")
    const [{ month }] = await answer(engine, 200, "GET", "/v1/invoices")
    assert.strictEqual(month, "2026-01")
    assert.isTrue((await answer(engine, 200, "GET", "/v1/audit/verify")).valid)
  })

  it("accounts: a person signs up by mail, creates a workspace and makes an API key", async () => {
    await using engine = await testEngine()
    let cookie = ""
    const post = async (status: number, path: string, body: object) => {
      const headers = { "content-type": "application/json", cookie }
      const request = engine.fetch(path, { method: "POST", headers, body: JSON.stringify(body) })
      const response = await engine.clock.until(request)
      const text = await response.text()
      assert.strictEqual(response.status, status, text)
      cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? cookie
      return JSON.parse(text)
    }
    await post(201, "/v1/auth/signup", { email: "ada@example.com" })
    await engine.clock.advance("1 second")
    const [mail] = engine.mails()
    assert.strictEqual(mail?.to, "ada@example.com")
    const [, token = ""] = /token=([\w.~-]+)/.exec(mail?.text ?? "") ?? []
    await post(200, "/v1/auth/magic-link/verify", { token })
    await post(201, "/v1/workspace", { name: "Ada", currency: "KES" })
    const { id, key } = await post(201, "/v1/api-keys", { label: "Backend", scopes: ["calls.read"] })
    const headers = { authorization: `Bearer ${key}` }
    assert.strictEqual((await engine.fetch("/v1/calls", { headers })).status, 200)
    assert.strictEqual((await engine.fetch("/v1/wallet/balance", { headers })).status, 403)
    await post(200, `/v1/api-keys/${id}/revoke`, {})
    assert.strictEqual((await engine.fetch("/v1/calls", { headers })).status, 401)
  })
})
