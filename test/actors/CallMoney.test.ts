// What becomes of a charge that the books refuse, because the call is charged already.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeCallMoney } from "../../src/actors/CallMoney.ts"
import type { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { absentCall } from "../../src/domain/calls/Call.ts"
import type { CallCommand } from "../../src/domain/calls/CallCommand.ts"
import { Charges } from "../../src/domain/ports/Charges.ts"
import { Ids } from "../../src/domain/ports/Ids.ts"
import { NotCommitted } from "../../src/domain/ports/Journal.ts"
import type { WalletCommand, WalletReply } from "../../src/domain/wallet/WalletCommand.ts"

const call_id = "call"
const settle = { _tag: "Settle", workspace_id: "workspace", cost_minor: 300, description: "" } as const

const settling = (answers: Partial<Record<WalletCommand["_tag"], WalletReply>>, charge: { entry_id: string; amount_minor: number } | undefined) => {
  const asked: Array<string> = []
  const told: Array<CallCommand> = []
  const ask = (_definition: unknown, _id: string, command: WalletCommand) =>
    Effect.suspend(() => {
      asked.push(command._tag)
      const answer = answers[command._tag]
      return answer === undefined ? Effect.fail(new NotCommitted({ reason: "unavailable" })) : Effect.succeed(answer)
    })
  const system = { ask } as unknown as ActorSystem["Service"]
  const charges = Charges.of({ ofCall: () => Effect.succeed(charge), orphanedHolds: () => Effect.succeed([]) })
  const self = {
    id: call_id,
    state: () => absentCall(call_id),
    tell: (command: CallCommand) => Effect.sync(() => (told.push(command), { _tag: "Noted" } as const))
  }
  const money = makeCallMoney(system, charges, Ids.of({ uuid: () => "entry", named: (name) => name }))
  return Effect.map(Effect.exit(money(settle, self)), ({ _tag }) => ({ asked, told, _tag }))
}

describe("Settling a call", () => {
  it.effect("charges it from its hold", () =>
    Effect.gen(function*() {
      const { told } = yield* settling({ CaptureHold: { _tag: "Captured", amount_minor: 300, entry_id: "entry", balance_minor: 0 } }, undefined)
      assert.deepStrictEqual(told, [{ _tag: "Settled", cost_minor: 300, entry_id: "entry" }])
    }))

  it.effect("finds the charge that was made before a crash", () =>
    Effect.gen(function*() {
      const { asked, told } = yield* settling({ CaptureHold: { _tag: "HoldUnknown" } }, { entry_id: "first", amount_minor: 300 })
      assert.deepStrictEqual(told, [{ _tag: "Settled", cost_minor: 300, entry_id: "first" }])
      assert.deepStrictEqual(asked, ["CaptureHold"])
    }))

  it.effect("lets a hold go that was placed once more after the charge", () =>
    Effect.gen(function*() {
      const { asked, told } = yield* settling({ ReleaseHold: { _tag: "Released" } }, { entry_id: "first", amount_minor: 300 })
      assert.deepStrictEqual(asked, ["CaptureHold", "ReleaseHold"])
      assert.deepStrictEqual(told, [{ _tag: "Settled", cost_minor: 300, entry_id: "first" }])
    }))

  it.effect("is tried again where there is no charge", () =>
    Effect.gen(function*() {
      const { _tag, told } = yield* settling({}, undefined)
      assert.strictEqual(_tag, "Failure")
      assert.deepStrictEqual(told, [])
    }))
})
