import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestRunner } from "effect/cluster"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as ClusterSystem from "../../../src/actors/runtime/ClusterSystem.ts"
import { WalletActor } from "../../../src/actors/wallet/WalletActor.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { WalletCommands as Wallet } from "../../../src/domain/wallet/WalletCommand.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { callId, workspaceId } from "../../support/Ids.ts"

const system = ClusterSystem.layer({ shortcuts: false }).pipe(
  Layer.provide(Layer.fresh(TestRunner.layer)),
  Layer.provide([MemoryJournal.layer, SystemIds.layer])
)

it.live("declared commands cross processes, each with its own reply", () =>
  Effect.gen(function* () {
    const { ask, register } = yield* ActorSystem
    yield* register(WalletActor, () => Effect.never)
    const refused = yield* Effect.flip(ask(Wallet.ReleaseHold, workspaceId("w"), { hold_id: "h" }))
    assert.strictEqual(refused._tag, "wallet.not_found")
    assert.isUndefined(yield* ask(Wallet.Open, workspaceId("w"), { currency: "KES" }))
    const credit = {
      kind: "topup",
      entry_id: "0199a000-0000-7000-8000-000000000009",
      amount_minor: 500,
      reference_type: "t",
      reference_id: "r",
      description: "d",
      origin: systemOrigin
    } as const
    assert.deepStrictEqual(yield* ask(Wallet.Credit, workspaceId("w"), credit), { balance_minor: 500 })
    assert.deepStrictEqual(
      yield* ask(Wallet.PlaceHold, workspaceId("w"), { hold_id: "h", call_id: callId("c"), amount_minor: 300 }),
      {
        amount_minor: 300,
        available_minor: 200
      }
    )
    assert.isNull(
      yield* ask(Wallet.CaptureHold, workspaceId("w"), {
        hold_id: "none",
        amount_minor: 1,
        entry_id: "e",
        description: ""
      })
    )
  }).pipe(Effect.provide(system), Effect.scoped)
)
