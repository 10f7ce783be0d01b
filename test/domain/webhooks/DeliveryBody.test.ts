import { assert, it } from "@effect/vitest"
import { deliveryBody, maxPayload } from "../../../src/domain/webhooks/DeliveryBody.ts"
import { workspaceId } from "../../support/Ids.ts"

it("wraps the stored payload in an envelope", () => {
  const payload = `{"kind":"call.completed",  "name":"Zoë ☎","cost_minor":450}`
  const body = deliveryBody(
    {
      event_id: "e1",
      event_kind: "call.completed",
      sequence: 3,
      occurred_at: Date.UTC(2026, 9, 1, 12),
      payload
    },
    workspaceId("w1"),
    "2026-10-01"
  )
  assert.include(body, payload)
  assert.deepStrictEqual(JSON.parse(body), {
    id: "e1",
    event_kind: "call.completed",
    api_version: "2026-10-01",
    workspace_id: "w1",
    livemode: true,
    occurred_at: "2026-10-01T12:00:00.000Z",
    sequence: 3,
    payload: { kind: "call.completed", name: "Zoë ☎", cost_minor: 450 }
  })
})

it("shortens a payload that is too large and marks it", () => {
  const payload = JSON.stringify({
    kind: "call.completed",
    id: "c1",
    cost_minor: 450,
    metadata: { a: "x".repeat(maxPayload) },
    ids: [1],
    note: "y".repeat(300)
  })
  const body = deliveryBody(
    { event_id: "e1", event_kind: "call.completed", sequence: 3, occurred_at: 0, payload },
    workspaceId("w1"),
    "2026-10-01"
  )
  assert.deepStrictEqual(JSON.parse(body).payload, { kind: "call.completed", id: "c1", cost_minor: 450, thinned: true })
})
