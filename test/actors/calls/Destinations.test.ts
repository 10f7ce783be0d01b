// Where a workspace may call from a number that it brought: its own prices, and the classes of the platform's rates.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeDestinations } from "../../../src/actors/calls/Destinations.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { SipHosts } from "../../../src/actors/calls/SipHosts.ts"
import type { CallingPolicy } from "../../../src/domain/calls/policy/CallingPolicy.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import * as LibPhoneNumber from "../../../src/layers/numberplan/LibPhoneNumber.ts"
import { gatewayId, numberId, workspaceId } from "../../support/Ids.ts"

const id = workspaceId("workspace")
const from = "+254700000001"
const premium = "+254900223456"
const risky = "+254711000001"
const blocked = "+254722000001"
const plain = "+254733000001"
const unpriced = "+256711000001"

const routed = (to: string, policy: Partial<CallingPolicy> = {}) => {
  const directory = MemoryDirectory.layer({
    workspaces: [
      {
        id,
        name: "Test",
        status: "active",
        currency: "KES",
        tenant_pbx_id: "test",
        gateway_id: gatewayId("default"),
        voice_secret: "",
        calling_policy: { ...policy, sip_allowlist: ["sip.example.com"] },
        numbers: [
          {
            id: numberId("n"),
            number: from,
            status: "active",
            source: "byo",
            country: "KE",
            outbound_per_min_minor: null
          }
        ]
      }
    ],
    rates: [
      { prefix: "254", per_min_minor: 300, class: "normal", currency: "KES" },
      { prefix: "254900", per_min_minor: 9_000, class: "premium", currency: "KES" },
      { prefix: "254711", per_min_minor: 2_000, class: "high_risk", currency: "KES" },
      { prefix: "254722", per_min_minor: 0, class: "blocked", currency: "KES" },
      { prefix: "25", per_min_minor: 0, class: "byo", currency: "KES" }
    ]
  })
  return Effect.gen(function* () {
    const destinations = yield* makeDestinations({ allow_test_numbers: false })
    const workspace = yield* destinations.workspaceOf(id)
    const number = yield* destinations.numberOf(id, from)
    const { authorisation } = yield* destinations.quote(id, from, to.replace(/^sip:|@.*$/g, ""))
    const route = yield* destinations.routeTo(workspace, number, to, { at: 0, sip: true }).pipe(
      Effect.map(({ rate_per_min_minor, risk }) => ({ rate_per_min_minor, high_risk: risk.high_risk })),
      Effect.catchTag("calls.destination_refused", ({ reason }) => Effect.succeed(reason))
    )
    assert.strictEqual(
      authorisation.ok ? undefined : authorisation.reason,
      typeof route === "object" ? undefined : route
    )
    return route
  }).pipe(Effect.provide(Layer.mergeAll(directory, LibPhoneNumber.layer, SipHosts.local, Layer.mock(ActorSystem)({}))))
}

describe("a call over a workspace's own trunk", () => {
  it.effect.each<[string, string]>([
    [premium, "high_risk_blocked"],
    [risky, "high_risk_blocked"],
    [blocked, "prefix_blocked"],
    [`sip:${premium}@sip.example.com`, "high_risk_blocked"],
    [`sip:${blocked}@sip.example.com`, "prefix_blocked"]
  ])("to %s is refused by the class of the platform's rate: %s", ([to, reason]) =>
    Effect.map(routed(to), (route) => assert.strictEqual(route, reason))
  )

  it.effect.each<[string, boolean]>([
    [plain, false],
    [unpriced, false],
    [premium, true],
    [risky, true]
  ])("to %s costs the workspace's own price, and counts as high-risk: %s", ([to, high_risk]) =>
    Effect.map(routed(to, { allow_high_risk: true }), (route) =>
      assert.deepStrictEqual(route, { rate_per_min_minor: 0, high_risk })
    )
  )

  it.effect("to a blocked prefix is refused whatever the policy allows", () =>
    Effect.map(routed(blocked, { allow_high_risk: true }), (route) => assert.strictEqual(route, "prefix_blocked"))
  )
})
