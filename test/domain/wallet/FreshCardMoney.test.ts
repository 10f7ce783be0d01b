// Money from a card can be taken back for weeks, so it buys no high-risk and premium calls at first.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { presentOf } from "../../../src/domain/Presence.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import { addFresh, freshSum, takeFresh } from "../../../src/domain/wallet/FreshMoney.ts"
import { restoreWallet, stateOfWallet } from "../../../src/domain/wallet/StoredWallet.ts"
import type { PresentWallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import { callId } from "../../support/Ids.ts"
import { became, credit, empty, now } from "../../support/WalletStates.ts"

const day_ms = 86_400_000
const in14days = now + 14 * day_ms

const decided = (wallet: PresentWallet, command: WalletMessage, at = now) =>
  Result.map(decideWallet(wallet, command, at), ({ events, reply }) => ({ wallet: became(wallet, ...events), reply }))
const after = (wallet: PresentWallet, command: WalletMessage, at = now) =>
  Result.getOrThrow(decided(wallet, command, at)).wallet

const byCard = (wallet: PresentWallet, amount_minor: number, at = now) =>
  after(wallet, { ...credit(amount_minor, `card ${at} ${amount_minor}`), fresh_until: at + 14 * day_ms }, at)
const other = (amount_minor: number) => after(empty, credit(amount_minor, "by mobile money"))
const reversed = (wallet: PresentWallet, amount_minor: number, contra: string) =>
  after(wallet, {
    _tag: "Debit",
    entry_id: `reversal ${amount_minor}`,
    kind: "topup_reversal",
    amount_minor,
    may_overdraw: true,
    reference_type: "topup",
    reference_id: "t",
    description: "",
    contra,
    origin: systemOrigin
  })

const place = (amount_minor: number, high_risk = 1, hold_id = "hold"): WalletMessage => ({
  _tag: "PlaceHold",
  hold_id,
  call_id: callId(hold_id),
  amount_minor,
  dial: {
    to: ["+882161234567"],
    high_risk,
    limits: { calls_per_second: 1_000, max_calls_per_destination_per_hour: null, daily_spend_limit_minor: null }
  }
})
const extend = (amount_minor: number): WalletMessage => ({ _tag: "ExtendHold", hold_id: "hold", amount_minor })
const reread = (wallet: PresentWallet): PresentWallet =>
  presentOf(
    restoreWallet(
      { version: 1, workspace_id: wallet.workspace_id, state: stateOfWallet(wallet), alarm: null, holds: [] },
      wallet.workspace_id
    )
  )

const outcome = (wallet: PresentWallet, command: WalletMessage, at = now): string => {
  const result = decided(wallet, command, at)
  if (Result.isSuccess(result)) return "held"
  return `${result.failure._tag} ${result.failure.reason ?? "-"}`
}
const refused = "wallet.insufficient_funds card_money_too_fresh"

describe("high-risk calls", () => {
  for (const [what, wallet, command, expected, at = now] of [
    ["are not paid by a card payment of today", byCard(empty, 500), place(1), refused],
    ["nor by one of 13 days ago", byCard(empty, 500), place(1), refused, in14days - 1],
    ["are paid by one of 14 days ago", byCard(empty, 500), place(500), "held", in14days],
    ["are paid by other money", other(500), place(500), "held"],
    ["are paid by other money beside a card payment", byCard(other(100), 500), place(100), "held"],
    ["and by no more of it", byCard(other(100), 500), place(101), refused],
    [
      "lack funds where there is not enough of any money",
      byCard(other(100), 500),
      place(601),
      "wallet.insufficient_funds -"
    ],
    [
      "are paid by what a refund of the card payment leaves",
      reversed(byCard(other(100), 500), 450, "clearing:card"),
      place(100),
      "held"
    ],
    [
      "do not gain by a reversal of other money",
      reversed(byCard(other(100), 500), 60, "clearing:mobilemoney"),
      place(41),
      refused
    ],
    ["are refused by a wallet that is read again", reread(byCard(other(100), 500)), place(101), refused]
  ] as const)
    it(what, () => {
      assert.strictEqual(outcome(wallet, command, at), expected)
    })

  it("do not go on with fresh card money once they have begun", () => {
    const begun = after(byCard(other(100), 500), place(60))
    assert.strictEqual(outcome(begun, extend(100)), "held")
    assert.strictEqual(outcome(begun, extend(101)), refused)
    assert.strictEqual(outcome(begun, extend(101), in14days), "held")
  })

  it("tell the PBX only of the money that they may use", () => {
    const { reply } = Result.getOrThrow(decided(byCard(other(100), 500), place(60)))
    assert.deepInclude(reply, { amount_minor: 60, available_minor: 40 })
  })

  it("do not take it by handing a hold over", () => {
    const begun = after(byCard(other(100), 500), place(60))
    const handOver = (amount_minor: number): WalletMessage => ({
      _tag: "HandOverHold",
      from_hold_id: "hold",
      hold_id: "leg",
      call_id: callId("leg"),
      amount_minor
    })
    assert.strictEqual(outcome(begun, handOver(100)), "held")
    assert.strictEqual(outcome(begun, handOver(101)), refused)
  })
})

it("an overdrawn wallet holds nothing, not even for a free call", () => {
  const overdrawn = reversed(other(100), 150, "clearing:mobilemoney")
  assert.strictEqual(outcome(overdrawn, place(0, 0)), "wallet.insufficient_funds -")
})

it("other calls use fresh card money as any other", () => {
  const wallet = after(byCard(other(100), 500), place(550, 0))
  assert.strictEqual(outcome(wallet, extend(600)), "held")
})

describe("fresh money", () => {
  it("is summed up by days, so that many payments are few entries", () => {
    let fresh = addFresh([], 1, in14days, now)
    for (let n = 1; n < 1_000; n++) fresh = addFresh(fresh, 1, in14days + n, now + n)
    assert.isAtMost(fresh.length, 2)
    assert.strictEqual(freshSum(fresh, now), 1_000)
    assert.strictEqual(freshSum(fresh, in14days + 2 * day_ms), 0)
    assert.lengthOf(addFresh(fresh, 7, in14days + 40 * day_ms, in14days + 30 * day_ms), 1)
  })

  it("is taken back from the newest payment first", () => {
    const fresh = addFresh(addFresh([], 100, now + day_ms, now), 50, now + 9 * day_ms, now)
    const sums = [0, 20, 70, 500].map((amount_minor) => {
      const left = takeFresh(fresh, amount_minor)
      return [freshSum(left, now), freshSum(left, now + 3 * day_ms)]
    })
    assert.deepStrictEqual(sums, [
      [150, 50],
      [130, 30],
      [80, 0],
      [0, 0]
    ])
  })
})
