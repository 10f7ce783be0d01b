// What becomes of a charge that the books refuse, because the call is charged already.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeCallMoney } from "../../../src/actors/calls/CallMoney.ts"
import type { CallSelf } from "../../../src/actors/calls/CallWork.ts"
import { absentCall } from "../../../src/domain/calls/state/Call.ts"
import type { CallMessage } from "../../../src/domain/calls/state/CallCommand.ts"
import { Charges } from "../../../src/domain/ports/calls/Charges.ts"
import { Ids } from "../../../src/domain/ports/engine/Ids.ts"
import { NotCommitted } from "../../../src/domain/errors/NotCommitted.ts"
import type { Reply } from "../../../src/domain/Command.ts"
import { WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import { FakeActors } from "../../support/FakeActors.ts"
import { callId, workspaceId } from "../../support/Ids.ts"

const call_id = callId("call")
const settle = { _tag: "Settle", workspace_id: workspaceId("workspace"), cost_minor: 300, description: "" } as const

const settling = (
  answers: { readonly [T in "CaptureHold" | "ReleaseHold"]?: Reply<WalletCommands, T> },
  charge: { entry_id: string; amount_minor: number } | undefined
) => {
  const told: Array<CallMessage> = []
  const lost = Effect.fail(new NotCommitted({ reason: "unavailable" }))
  const { ask, asked } = new FakeActors()
    .answer(WalletCommands.CaptureHold, () =>
      answers.CaptureHold === undefined ? lost : Effect.succeed(answers.CaptureHold)
    )
    .answer(WalletCommands.ReleaseHold, () => ("ReleaseHold" in answers ? Effect.void : lost))
  const charges = Charges.of({ ofCall: () => Effect.succeed(charge), orphanedHolds: () => Effect.succeed([]) })
  const self = {
    id: call_id,
    state: () => absentCall(call_id),
    tell: ((command: CallMessage) => Effect.sync(() => void told.push(command))) as CallSelf["tell"]
  }
  const money = makeCallMoney({
    system: { ask },
    charges,
    ids: Ids.of({ uuid: () => "entry", named: (name) => name }),
    waive: undefined
  })
  return Effect.map(Effect.exit(money(settle, self)), ({ _tag }) => ({ asked, told, _tag }))
}

describe("Settling a call", () => {
  it.effect("charges it from its hold", () =>
    Effect.gen(function* () {
      const { told } = yield* settling(
        { CaptureHold: { amount_minor: 300, entry_id: "entry", balance_minor: 0 } },
        undefined
      )
      assert.deepStrictEqual(told, [{ _tag: "Settled", cost_minor: 300, entry_id: "entry" }])
    })
  )

  it.effect("finds the charge that was made before a crash", () =>
    Effect.gen(function* () {
      const { asked, told } = yield* settling({ CaptureHold: null }, { entry_id: "first", amount_minor: 300 })
      assert.deepStrictEqual(told, [{ _tag: "Settled", cost_minor: 300, entry_id: "first" }])
      assert.deepStrictEqual(asked, ["Wallet.CaptureHold"])
    })
  )

  it.effect("lets a hold go that was placed once more after the charge", () =>
    Effect.gen(function* () {
      const { asked, told } = yield* settling({ ReleaseHold: undefined }, { entry_id: "first", amount_minor: 300 })
      assert.deepStrictEqual(asked, ["Wallet.CaptureHold", "Wallet.ReleaseHold"])
      assert.deepStrictEqual(told, [{ _tag: "Settled", cost_minor: 300, entry_id: "first" }])
    })
  )

  it.effect("is tried again where there is no charge", () =>
    Effect.gen(function* () {
      const { _tag, told } = yield* settling({}, undefined)
      assert.strictEqual(_tag, "Failure")
      assert.deepStrictEqual(told, [])
    })
  )
})
