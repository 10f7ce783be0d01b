import { assert, describe, it } from "@effect/vitest"
import { gatewayRecord } from "../../../src/domain/pbx/GatewayRecord.ts"
import { isReachable } from "../../../src/domain/pbx/GatewayPresence.ts"
import { gatewayId } from "../../support/Ids.ts"

const at = Date.parse("2026-10-01T12:00:00Z")

describe("isReachable", () => {
  const rows = [
    ["a connected gateway", { connected: true, epoch: 3, since: at - 1_000_000 }, true],
    [
      "one that has been away for a moment, as after a restart",
      { connected: false, epoch: 3, since: at - 19_999 },
      true
    ],
    ["one that has been away for longer", { connected: false, epoch: 3, since: at - 20_000 }, false],
    ["one that has never connected, at once", { connected: false, epoch: 0, since: at }, false]
  ] as const
  for (const [what, presence, expected] of rows)
    it(`says ${expected} of ${what}`, () => assert.strictEqual(isReachable(presence, at), expected))
})

describe("gatewayRecord", () => {
  it("shows the state of a gateway and since when", () => {
    const gateway = { gateway_id: gatewayId("nairobi-1"), workspaces: 2 }
    assert.deepStrictEqual(gatewayRecord(gateway, { connected: true, epoch: 3, since: at }), {
      gateway_id: gatewayId("nairobi-1"),
      state: "connected",
      since: "2026-10-01T12:00:00.000Z",
      connections: 3,
      workspaces: 2
    })
    assert.strictEqual(gatewayRecord(gateway, { connected: false, epoch: 3, since: at }).state, "away")
    assert.deepInclude(gatewayRecord(gateway, { connected: false, epoch: 0, since: at }), {
      state: "never_connected",
      since: null
    })
  })
})
