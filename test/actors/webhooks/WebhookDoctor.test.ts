// What a doctor finds out about receivers of each kind.
import { assert, describe, it } from "@effect/vitest"
import { WebhookVerificationError, verifyWebhook } from "../../../src/client/Webhooks.ts"
import { toSubscriptionId } from "../../../src/domain/BrandedIds.ts"
import type { WebhookDiagnosis } from "../../../src/domain/webhooks/WebhookDiagnosis.ts"
import { type App, type EngineUnderTest, testEngine } from "../../../src/testing.ts"

const examine = async (engine: EngineUnderTest, id: string): Promise<WebhookDiagnosis> => {
  const { body, status } = await engine.request("POST", `/v1/webhooks/${id}/doctor`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

const subscription = async (engine: EngineUnderTest): Promise<string> =>
  (await engine.request("GET", "/v1/webhooks")).body[0].id

const with_ = async (app: App, use: (diagnosis: WebhookDiagnosis, engine: EngineUnderTest) => void) => {
  await using engine = await testEngine()
  engine.connect(app)
  use(await examine(engine, await subscription(engine)), engine)
}

const passed = ({ probes }: WebhookDiagnosis) => Object.fromEntries(probes.map(({ passed, probe }) => [probe, passed]))

describe("the doctor of webhooks", () => {
  it("finds a receiver healthy that verifies, and leaves no delivery", async () => {
    await using engine = await testEngine()
    const ids: Array<string | null> = []
    engine.connect(async (request) => {
      ids.push(request.headers.get("x-service-idempotency-key"))
      try {
        await verifyWebhook(request, engine.webhooks.secret, { now: () => engine.clock.now().getTime() })
      } catch (error) {
        if (error instanceof WebhookVerificationError) return new Response(error.check, { status: 400 })
        throw error
      }
      return new Response(null, { status: 204, headers: { date: engine.clock.now().toUTCString() } })
    })
    const id = await subscription(engine)
    const found = await examine(engine, id)
    assert.deepInclude(found, { healthy: true, clock_skew_ms: 0, subscription_id: toSubscriptionId(id) })
    assert.deepStrictEqual(
      found.probes.map(({ http_status, probe }) => [probe, http_status]),
      [
        ["signed", 204],
        ["repeated", 204],
        ["odd_bytes", 204],
        ["altered", 400],
        ["old", 400]
      ]
    )
    assert.strictEqual(ids[0], ids[1])
    assert.strictEqual(new Set(ids).size, 4)
    assert.deepStrictEqual((await engine.request("GET", `/v1/webhooks/${id}/deliveries`)).body, [])
  })

  it("sends one probe of a workspace at a time, however often it is asked", async () => {
    await using engine = await testEngine()
    let open = 0
    let most = 0
    engine.connect(async () => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setImmediate(resolve))
      open--
      return new Response(null, { status: 204 })
    })
    const id = await subscription(engine)
    await Promise.all([1, 2, 3].map(() => examine(engine, id)))
    assert.strictEqual(most, 1)
  })

  it("finds what a receiver does not check, or does not bear", async () => {
    await with_(
      () => new Response(null, { status: 200 }),
      (found) => {
        assert.isFalse(found.healthy)
        assert.deepStrictEqual(passed(found), {
          signed: true,
          repeated: true,
          odd_bytes: true,
          altered: false,
          old: false
        })
        assert.isNull(found.clock_skew_ms)
      }
    )
    await with_(
      () => new Response(null, { status: 500 }),
      (found) =>
        assert.deepStrictEqual(passed(found), {
          signed: false,
          repeated: false,
          odd_bytes: false,
          altered: true,
          old: true
        })
    )
  })

  it("finds a clock that is wrong", async () => {
    await using engine = await testEngine()
    const hour = () => new Date(engine.clock.now().getTime() + 3_600_000).toUTCString()
    let asked = 0
    engine.connect(() => new Response(null, { status: ++asked > 3 ? 400 : 204, headers: { date: hour() } }))
    const found = await examine(engine, await subscription(engine))
    assert.deepInclude(found, { healthy: false, clock_skew_ms: 3_600_000 })
    assert.isTrue(found.probes.every(({ passed }) => passed))
  })

  it("stops at the first request without a response", async () => {
    await with_(
      () => {
        throw new Error("refused")
      },
      ({ healthy, probes }) => {
        assert.isFalse(healthy)
        assert.deepStrictEqual(
          probes.map(({ error, http_status, passed, probe }) => [probe, http_status, error, passed]),
          [["signed", null, "connection_lost", false]]
        )
      }
    )
  })

  it("knows no webhook of another workspace", async () => {
    await using engine = await testEngine({ workspaces: [{ name: "a" }, { name: "b", numbers: ["+254700000009"] }] })
    const other = (await engine.workspace("b").request("GET", "/v1/webhooks")).body[0].id
    const { body, status } = await engine.request("POST", `/v1/webhooks/${other}/doctor`)
    assert.deepStrictEqual([status, body.error.code], [404, "webhooks.not_found"])
  })
})
