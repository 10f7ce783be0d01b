// What becomes of the hold of a leg when its call cannot be written, or was written before.
import { memorySettings } from "../../../src/layers/memory/MemorySettings.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { Legs } from "../../../src/actors/calls/Legs.ts"
import { SipHosts } from "../../../src/actors/calls/SipHosts.ts"
import type { LegRequest } from "../../../src/actors/calls/LegRequest.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { CallCommands } from "../../../src/domain/calls/state/CallCommand.ts"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import { CallRateLimited } from "../../../src/domain/errors/CallErrors.ts"
import { SandboxCalls } from "../../../src/domain/ports/calls/SandboxCalls.ts"
import { GatewayCommands } from "../../../src/domain/pbx/GatewayCommand.ts"
import { type Held, WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import { NotCommitted } from "../../../src/domain/errors/NotCommitted.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import * as LibPhoneNumber from "../../../src/layers/numberplan/LibPhoneNumber.ts"
import { FakeActors } from "../../support/FakeActors.ts"
import { recordOf } from "../../support/RingingRecord.ts"
import { callId, gatewayId, numberId, workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("workspace")

const request: LegRequest = {
  id: callId("call"),
  kind: "api",
  workspace_id,
  from: "+254700000001",
  to: "+254711000001",
  caller_id: null,
  timeout_seconds: 30,
  max_duration_seconds: 600,
  voice_callback_url: null,
  voice_fallback_url: null,
  metadata: {},
  client_reference: null,
  parent_call_id: null,
  parent_session_id: null
}

const sandbox_id = workspaceId("7e577e57-0000-7000-8000-000000000001")

const directory = MemoryDirectory.layer({
  workspaces: [workspace_id, sandbox_id].map((id) => ({
    id,
    name: "Test",
    status: "active" as const,
    currency: "KES" as const,
    tenant_pbx_id: id,
    gateway_id: gatewayId("default"),
    voice_secret: "",
    calling_policy: {},
    numbers: [
      {
        id: numberId("number"),
        number: request.from,
        status: "active" as const,
        source: "platform" as const,
        country: "KE",
        outbound_per_min_minor: 300,
        inbound_per_min_minor: 100,
        routing: {}
      }
    ]
  })),
  rates: ["254", "999"].map((prefix) => ({ prefix, per_min_minor: 300, class: "normal", currency: "KES" }))
})

interface Answers {
  readonly PlaceHold: Effect.Effect<Held, NotCommitted>
  readonly Originate?: Effect.Effect<CallRecord, NotCommitted>
}

/** Places a leg where actors answer like this. Returns the commands that they were asked, and how placing ended. */
const placing = Effect.fnUntraced(function* (
  { Originate, PlaceHold }: Answers,
  leg = request,
  counts: Layer.Layer<SandboxCalls> = SandboxCalls.none
) {
  const actors = new FakeActors()
    .answer(GatewayCommands.GetCapabilities, () => Effect.succeed([]))
    .answer(WalletCommands.PlaceHold, () => PlaceHold)
    .answer(WalletCommands.CountRefusal, () => Effect.void)
  if (Originate !== undefined) actors.answer(CallCommands.Originate, () => Originate)
  const { ask, asked, askTied } = actors
  const system = Layer.mock(ActorSystem)({ ask, askTied })
  const layer = Legs.layer.pipe(
    Layer.provide(memorySettings),
    Layer.provide([system, directory, LibPhoneNumber.layer, SipHosts.local, counts])
  )
  const place = Effect.flatMap(Legs, (legs) => legs.place(leg)).pipe(Effect.provide(layer))
  const fiber = yield* Effect.forkChild(Effect.result(place), { startImmediately: true })
  yield* TestClock.adjust("1 minute")
  return { asked, placed: yield* Fiber.join(fiber) }
})

const record = recordOf(request.id, workspace_id, request.to, 0)
const held = Effect.succeed({ amount_minor: 300, available_minor: 700 })
const refused = (reason: NotCommitted["reason"]) => Effect.fail(new NotCommitted({ reason }))

describe("Placing a leg", () => {
  for (const reason of ["duplicate", "stale", "unavailable"] as const)
    it.effect(`keeps the hold when the call is refused as ${reason}: an earlier attempt may have written it`, () =>
      Effect.gen(function* () {
        const { asked, placed } = yield* placing({ PlaceHold: held, Originate: refused(reason) })
        assert.deepStrictEqual(asked, ["Gateway.GetCapabilities", "Wallet.PlaceHold", "Call.Originate"])
        assert.deepStrictEqual(placed, Result.fail(new NotCommitted({ reason })))
      })
    )

  it.effect("does not write a call whose money was held too long ago", () =>
    Effect.gen(function* () {
      const { asked, placed } = yield* placing({ PlaceHold: Effect.delay(held, "10001 millis") })
      assert.deepStrictEqual(asked, ["Gateway.GetCapabilities", "Wallet.PlaceHold"])
      assert.deepStrictEqual(placed, Result.fail(new NotCommitted({ reason: "unavailable" })))
    })
  )

  it.effect("finds the call whose hold was captured", () =>
    Effect.gen(function* () {
      const { asked, placed } = yield* placing({ PlaceHold: refused("captured"), Originate: Effect.succeed(record) })
      assert.deepStrictEqual(asked, ["Gateway.GetCapabilities", "Wallet.PlaceHold", "Call.Originate"])
      assert.deepStrictEqual(placed, Result.succeed(record))
    })
  )

  const full = Layer.succeed(SandboxCalls)({
    count: () => Effect.fail(new CallRateLimited({ reason: "sandbox_calls_per_day" }))
  })

  it.effect("holds no money for a sandbox whose person has placed the calls of a day", () =>
    Effect.gen(function* () {
      const leg = { ...request, workspace_id: sandbox_id, to: "+99900000001" }
      const { asked, placed } = yield* placing({ PlaceHold: held, Originate: Effect.succeed(record) }, leg, full)
      assert.notInclude(asked, "Wallet.PlaceHold")
      assert.isTrue(Result.isFailure(placed) && placed.failure._tag === "calls.rate_limited")
      const live = yield* placing({ PlaceHold: held, Originate: Effect.succeed(record) }, request, full)
      assert.deepStrictEqual(live.placed, Result.succeed(record))
    })
  )

  it.effect("fails when the hold is not known to be placed", () =>
    Effect.gen(function* () {
      const { asked, placed } = yield* placing({ PlaceHold: refused("unavailable") })
      assert.deepStrictEqual(asked, ["Gateway.GetCapabilities", "Wallet.PlaceHold"])
      assert.deepStrictEqual(placed, Result.fail(new NotCommitted({ reason: "unavailable" })))
    })
  )
})
