import { assert, it } from "@effect/vitest"
import { testDeliveryOf } from "../../../src/domain/webhooks/TestDelivery.ts"
import { sandbox_id, workspace } from "../../../src/testing.ts"

const about = (to: string, event_kind = "call.completed") => ({ event_kind, payload: JSON.stringify({ to }) })

it("the webhooks of a sandbox about two of its phones come late or twice, and all others as usual", () => {
  assert.deepStrictEqual(testDeliveryOf(sandbox_id, about("+99900000023")), { delay_ms: 60_000 })
  assert.deepStrictEqual(testDeliveryOf(sandbox_id, about("+99900000024")), { twice: true })
  assert.isUndefined(testDeliveryOf(sandbox_id, about("+99900000001")))
  assert.isUndefined(testDeliveryOf(sandbox_id, about("+99900000024", "wallet.adjusted")))
  assert.isUndefined(testDeliveryOf(workspace.id, about("+99900000024")))
})
