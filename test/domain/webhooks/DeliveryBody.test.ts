import { assert, it } from "@effect/vitest"
import { deliveryBody } from "../../../src/domain/webhooks/DeliveryBody.ts"

it("is an envelope around the payload as it is stored", () => {
  const payload = `{"kind":"call.completed",  "name":"Zoë ☎","cost_minor":450}`
  const body = deliveryBody({
    event_id: "e1", event_kind: "call.completed", sequence: 3, occurred_at: Date.UTC(2026, 9, 1, 12), payload
  }, "w1", "2026-10-01")
  assert.include(body, payload)
  assert.deepStrictEqual(JSON.parse(body), {
    id: "e1", event_kind: "call.completed", api_version: "2026-10-01", workspace_id: "w1",
    occurred_at: "2026-10-01T12:00:00.000Z", sequence: 3,
    payload: { kind: "call.completed", name: "Zoë ☎", cost_minor: 450 }
  })
})
