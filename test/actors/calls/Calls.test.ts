// What an originate asks of the directory.
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Calls } from "../../../src/actors/calls/Calls.ts"
import { CallWebhooks } from "../../../src/actors/calls/CallWebhooks.ts"
import { AllowedTargets } from "../../../src/domain/ports/engine/AllowedTargets.ts"
import { Legs, LegSettings } from "../../../src/actors/calls/Legs.ts"
import { SipHosts } from "../../../src/actors/calls/SipHosts.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { CallCommands } from "../../../src/domain/calls/state/CallCommand.ts"
import { CallGatewayUnavailable } from "../../../src/domain/errors/CallErrors.ts"
import { GatewayCommands } from "../../../src/domain/pbx/GatewayCommand.ts"
import { SandboxCalls } from "../../../src/domain/ports/calls/SandboxCalls.ts"
import { CallReads } from "../../../src/domain/ports/calls/CallReads.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import * as LibPhoneNumber from "../../../src/layers/numberplan/LibPhoneNumber.ts"
import { WebhookLimitReached } from "../../../src/domain/errors/WebhookErrors.ts"
import { FakeActors } from "../../support/FakeActors.ts"
import { gatewayId, numberId, subscriptionId, workspaceId } from "../../support/Ids.ts"
import { recordOf } from "../../support/RingingRecord.ts"

const workspace_id = workspaceId("workspace")
const from = "+254700000001"
const to = "+254711000001"

const directory = MemoryDirectory.layer({
  workspaces: [
    {
      id: workspace_id,
      name: "Test",
      status: "active",
      currency: "KES",
      tenant_pbx_id: "test",
      gateway_id: gatewayId("default"),
      voice_secret: "",
      numbers: [{ id: numberId("number"), number: from, country: "KE", status: "active", outbound_per_min_minor: 300 }]
    }
  ],
  rates: []
})

const calls = (
  { ask, askTied }: Pick<FakeActors, "ask" | "askTied">,
  found: Layer.Layer<Directory>,
  webhooks: Layer.Layer<CallWebhooks> = CallWebhooks.none
) =>
  Calls.layer.pipe(
    Layer.provide([webhooks, Legs.layer.pipe(Layer.provide([SandboxCalls.none, SipHosts.local]))]),
    Layer.provide([
      Layer.succeed(AllowedTargets)({ allow_insecure: false, allow_private: false }),
      Layer.succeed(LegSettings)({ allow_test_numbers: false, max_daily_spend_minor: new Map() }),
      Layer.mock(ActorSystem)({ ask, askTied }),
      Layer.mock(CallReads)({}),
      found,
      LibPhoneNumber.layer,
      SystemIds.seeded(1)
    ])
  )

const connected = { connected: true, epoch: 1, since: 0 }

it.effect("begins no call on a gateway that has never connected, and holds no money for it", () =>
  Effect.gen(function* () {
    const actors = new FakeActors()
      .answer(GatewayCommands.GetCapabilities, () => Effect.succeed([]))
      .answer(GatewayCommands.GetPresence, () => Effect.succeed({ ...connected, connected: false, epoch: 0 }))
    const { originate } = yield* Effect.provide(Calls, calls(actors, directory))
    const failure = yield* Effect.flip(
      originate(workspace_id, { from, to, voice_callback_url: "https://example.com/voice" })
    )
    assert.instanceOf(failure, CallGatewayUnavailable)
    assert.deepStrictEqual(actors.asked, ["Gateway.GetCapabilities", "Gateway.GetPresence"])
  })
)

const faults = [
  ["a destination that is no number", { to: "+2547" }, "calls.invalid_destination"],
  ["a destination of the test network", { to: "+99900000001" }, "calls.invalid_destination"],
  ["a callback without TLS", { voice_callback_url: "http://example.com/voice" }, "calls.invalid_callback_url"],
  ["an events_url without TLS", { events_url: "http://example.com/calls" }, "calls.invalid_callback_url"]
] as const

for (const [fault, request, code] of faults)
  it.effect(`refuses ${fault} for what it is, although the gateway is away too`, () =>
    Effect.gen(function* () {
      const actors = new FakeActors()
        .answer(GatewayCommands.GetCapabilities, () => Effect.succeed([]))
        .answer(GatewayCommands.GetPresence, () => Effect.succeed({ ...connected, connected: false, epoch: 0 }))
        .answer(WalletCommands.CountRefusal, () => Effect.void)
      const { originate } = yield* Effect.provide(Calls, calls(actors, directory))
      const voice_callback_url = "https://example.com/voice"
      const failure = yield* Effect.flip(originate(workspace_id, { from, to, voice_callback_url, ...request }))
      assert.strictEqual(failure._tag, code)
      assert.notInclude(actors.asked, "Wallet.PlaceHold")
    })
  )

it.effect("looks the workspace and the number of a call up once", () =>
  Effect.gen(function* () {
    const lookedUp: Array<string> = []
    const counting = Layer.effect(
      Directory,
      Effect.map(Directory, (found) =>
        Directory.of({
          ...found,
          workspace: (id) => {
            lookedUp.push(`workspace ${id}`)
            return found.workspace(id)
          },
          number: (id, e164) => {
            lookedUp.push(`number ${e164}`)
            return found.number(id, e164)
          }
        })
      )
    ).pipe(Layer.provide(directory))
    const actors = new FakeActors()
      .answer(GatewayCommands.GetCapabilities, () => Effect.succeed([]))
      .answer(GatewayCommands.GetPresence, () => Effect.succeed(connected))
      .answer(WalletCommands.PlaceHold, () => Effect.succeed({ amount_minor: 300, available_minor: 700 }))
      .answer(CallCommands.Originate, (id) => Effect.succeed(recordOf(id, workspace_id, to, 0)))
    const { originate } = yield* Effect.provide(Calls, calls(actors, counting))
    const record = yield* originate(workspace_id, { from, to, voice_callback_url: "https://example.com/voice" })
    assert.deepStrictEqual(
      [record.to, actors.asked],
      [to, ["Gateway.GetCapabilities", "Gateway.GetPresence", "Wallet.PlaceHold", "Call.Originate"]]
    )
    assert.deepStrictEqual(lookedUp, [`workspace ${workspace_id}`, `number ${from}`])
  })
)

/** An originate whose actors note the order in which they are asked. `known`: the subscription of the URL, if any. */
const subscribing = (subscribe: CallWebhooks["Service"]["subscribe"], known?: string) => {
  const actors = new FakeActors()
    .answer(GatewayCommands.GetCapabilities, () => Effect.succeed([]))
    .answer(GatewayCommands.GetPresence, () => Effect.succeed(connected))
    .answer(WalletCommands.PlaceHold, () => Effect.succeed({ amount_minor: 300, available_minor: 700 }))
    .answer(WalletCommands.ReleaseHold, () => Effect.void)
    .answer(CallCommands.Originate, (id) => Effect.succeed(recordOf(id, workspace_id, to, 0)))
  const webhooks = Layer.succeed(CallWebhooks)({
    find: () => Effect.succeed(known === undefined ? undefined : subscriptionId(known)),
    subscribe: (...of) =>
      Effect.suspend(() => {
        actors.asked.push("subscribe")
        return subscribe(...of)
      })
  })
  const originate = Effect.flatMap(Effect.provide(Calls, calls(actors, directory, webhooks)), (facade) =>
    facade.originate(workspace_id, {
      from,
      to,
      voice_callback_url: "https://example.com/voice",
      events_url: "https://example.com/calls"
    })
  )
  return { asked: actors.asked, originate }
}

const before = ["Gateway.GetCapabilities", "Gateway.GetPresence", "Wallet.PlaceHold"]

it.effect("subscribes a new events_url once the money is held, and before the call is written", () =>
  Effect.gen(function* () {
    const { asked, originate } = subscribing(() => Effect.succeed(subscriptionId("new")))
    yield* originate
    assert.deepStrictEqual(asked, [...before, "subscribe", "Call.Originate"])
  })
)

it.effect("subscribes nothing for an events_url that is known", () =>
  Effect.gen(function* () {
    const { asked, originate } = subscribing(() => Effect.die("not asked"), "known")
    yield* originate
    assert.deepStrictEqual(asked, [...before, "Call.Originate"])
  })
)

it.effect("releases the money of a call whose events_url cannot be subscribed any more", () =>
  Effect.gen(function* () {
    const { asked, originate } = subscribing(() => Effect.fail(new WebhookLimitReached()))
    assert.instanceOf(yield* Effect.flip(originate), WebhookLimitReached)
    assert.deepStrictEqual(asked, [...before, "subscribe", "Wallet.ReleaseHold"])
  })
)
