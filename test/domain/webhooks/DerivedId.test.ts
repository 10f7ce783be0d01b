import { assert, it } from "@effect/vitest"
import { subscriptionOfNumber } from "../../../src/domain/webhooks/DerivedId.ts"
import { numberId, workspaceId } from "../../support/Ids.ts"

const [w1, w2] = ["0199a000-1111-7abc-8000-000000000001", "0199a000-2222-7def-9000-0000000000f2"]
const [n1, n2] = ["0199b000-3333-7123-a000-00000000ab03", "0199b000-4444-7456-b000-00000000cd04"]

it("derives the same subscription id for the same number and workspace only", () => {
  const ids = [
    subscriptionOfNumber(workspaceId(w1), numberId(n1)),
    subscriptionOfNumber(workspaceId(w1), numberId(n2)),
    subscriptionOfNumber(workspaceId(w2), numberId(n1)),
    subscriptionOfNumber(workspaceId(w2), numberId(n2))
  ]
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.strictEqual(new Set(ids).size, 4)
  assert.strictEqual(subscriptionOfNumber(workspaceId(w1), numberId(n1)), ids[0])
})
