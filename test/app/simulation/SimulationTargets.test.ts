// Where the callbacks of a simulation go in production: a key that places calls has none signed for its own receiver.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { LegSettings } from "../../../src/actors/calls/Legs.ts"
import { CallSettings } from "../../../src/actors/calls/PerformCall.ts"
import { AllowedTargets } from "../../../src/domain/ports/engine/AllowedTargets.ts"
import { SipHosts } from "../../../src/actors/calls/SipHosts.ts"
import { toGatewayId, type WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import type { CallbackRequest } from "../../../src/domain/calls/state/CallbackAttempt.ts"
import type { SimulationRequest } from "../../../src/domain/calls/views/Simulation.ts"
import type { VoiceAction } from "../../../src/domain/calls/verbs/VoiceAction.ts"
import { defaultRouting } from "../../../src/domain/numbers/Routing.ts"
import { CallSimulator } from "../../../src/domain/ports/calls/CallSimulator.ts"
import { VoiceCallback } from "../../../src/domain/ports/calls/VoiceCallback.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import * as CallSimulation from "../../../src/app/simulation/CallSimulation.ts"
import { sandbox_id, workspace } from "../../../src/testing.ts"

const voice_url = "https://app.example.com/voice"
const voice_fallback_url = "https://backup.example.com/voice"
const evil = "https://evil.example.com/voice"
const { number: from } = workspace

const directory = (id: WorkspaceId): MemoryDirectory.DirectoryData => ({
  workspaces: [
    {
      id,
      name: "Test",
      status: "active",
      currency: "KES",
      tenant_pbx_id: workspace.tenant_pbx_id,
      gateway_id: toGatewayId("default"),
      voice_secret: "",
      calling_policy: {},
      retention_days: 90,
      extensions: [],
      numbers: [
        {
          id: workspace.number_id,
          number: from,
          status: "active",
          source: "platform",
          country: "KE",
          outbound_per_min_minor: 300,
          inbound_per_min_minor: 100,
          routing: { ...defaultRouting, voice_url, voice_fallback_url }
        }
      ]
    }
  ],
  rates: []
})

/** What a simulation answers, and which URLs it asked. */
const simulated = (
  request: SimulationRequest,
  { actions = [{ hangup: {} }], id = workspace.id }: { actions?: ReadonlyArray<VoiceAction>; id?: WorkspaceId } = {}
) =>
  Effect.gen(function* () {
    const asked: Array<CallbackRequest> = []
    const ask = (request: CallbackRequest) =>
      Effect.sync(() => {
        asked.push(request)
        return asked.length === 1 ? actions : [{ hangup: {} }]
      })
    const layer = CallSimulation.layer.pipe(
      Layer.provide([
        Layer.succeed(AllowedTargets)({ allow_insecure: false, allow_private: false }),
        Layer.succeed(LegSettings)({ allow_test_numbers: false, max_daily_spend_minor: new Map() }),
        Layer.succeed(CallSettings)({ waived_calls_per_day: 0, max_streams: 50, max_conferences: 20 }),
        MemoryDirectory.layer(directory(id)),
        SipHosts.local,
        SystemIds.layer,
        Layer.succeed(VoiceCallback)({ ask })
      ])
    )
    const result = yield* Effect.result(
      Effect.provide(
        Effect.flatMap(CallSimulator, ({ run }) => run(id, request)),
        layer
      )
    )
    return { result, urls: asked.map(({ url }) => url), bodies: asked.map(({ body }) => JSON.parse(body)) }
  })

const codeOf = ({ result }: Effect.Success<ReturnType<typeof simulated>>): string =>
  Result.isSuccess(result) ? "run" : `${result.failure._tag} ${result.failure.reason ?? ""}`

const to = "+254722000000"
const refused = "calls.invalid_callback_url not_configured"

describe("a simulation of a live workspace", () => {
  for (const [what, request, expected, urls] of [
    ["asks the callback of the number", { from, to, voice_callback_url: voice_url }, "run", [voice_url]],
    ["asks no other URL", { from, to, voice_callback_url: evil }, refused, []],
    ["falls back to no other URL", { from, to, voice_callback_url: voice_url, voice_fallback_url: evil }, refused, []],
    [
      "takes no other URL for an inbound call",
      { direction: "inbound", to: from, voice_callback_url: evil },
      refused,
      []
    ],
    ["asks that of the number for an inbound call", { direction: "inbound", to: from }, "run", [voice_url]]
  ] as ReadonlyArray<readonly [string, SimulationRequest, string, ReadonlyArray<string>]>)
    it.live(what, () =>
      Effect.gen(function* () {
        const outcome = yield* simulated(request)
        assert.strictEqual(codeOf(outcome), expected)
        assert.deepStrictEqual(outcome.urls, urls)
        for (const body of outcome.bodies) assert.isTrue(body.simulated)
      })
    )

  it.live("follows a redirect to its own server only", () =>
    Effect.gen(function* () {
      const request = { from, to, voice_callback_url: voice_url }
      const own = yield* simulated(request, { actions: [{ redirect: { url: "https://app.example.com/next" } }] })
      assert.deepStrictEqual(own.urls, [voice_url, "https://app.example.com/next"])
      const away = yield* simulated(request, { actions: [{ redirect: { url: evil } }] })
      assert.deepStrictEqual(away.urls, [voice_url])
      const given = yield* simulated({ from, to, actions: [{ redirect: { url: evil } }] })
      assert.deepStrictEqual(given.urls, [])
    })
  )
})

it.live("a simulation of a sandbox, which signs with a secret of its own, asks any URL", () =>
  Effect.gen(function* () {
    const outcome = yield* simulated({ from, to: "+99900000001", voice_callback_url: evil }, { id: sandbox_id })
    assert.deepStrictEqual([codeOf(outcome), outcome.urls], ["run", [evil]])
  })
)
