import { assert, describe, it } from "@effect/vitest"
import { HashMap } from "effect"
import { changeOf } from "../../../src/domain/Decision.ts"
import type { HoldRow } from "../../../src/domain/journal/Rows.ts"
import { presentOf } from "../../../src/domain/Presence.ts"
import { recordWallet } from "../../../src/domain/wallet/RecordWallet.ts"
import { restoreWallet, stateOfWallet, walletState } from "../../../src/domain/wallet/StoredWallet.ts"
import { evolveWallet, initialWallet, type PresentWallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletEvent } from "../../../src/domain/wallet/WalletEvent.ts"
import { recentDialsOf } from "../../../src/domain/wallet/DialLimiter.ts"
import { nothingCarried } from "../../../src/domain/trunks/TrunkCapacity.ts"
import { callId, workspaceId } from "../../support/Ids.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

type Legs = Readonly<Record<string, number>>

/** Until version 2, the state had the legs of open holds: `groups` all, where it was several, and `high_risk` those. */
const earlierOf = (groups: Legs = {}, high_risk: Legs = {}) => {
  const earlier_holds: Record<string, { legs?: number; high_risk_legs?: number }> = {}
  for (const [id, legs] of Object.entries(groups)) (earlier_holds[id] ??= {}).legs = legs
  for (const [id, legs] of Object.entries(high_risk)) (earlier_holds[id] ??= {}).high_risk_legs = legs
  return Object.keys(earlier_holds).length > 0 && { earlier_holds }
}

testStoredStates("Wallet", {
  state: walletState,
  restore: restoreWallet,
  stateOf: (wallet) => stateOfWallet(presentOf(wallet)),
  // The rows have no holds and no recent calls.
  // Before entries had a sequence, a state did not count them; the migration added the count.
  expected: ({ groups, high_risk, v: _, ...stored }) => ({
    _tag: "Present",
    entries: 0,
    ...stored,
    ...earlierOf(groups, high_risk),
    legs: 0,
    high_risk_legs: 0,
    dialled: { ...stored.dialled, recent: recentDialsOf([]) },
    trunk: nothingCarried,
    holds: HashMap.empty(),
    recent: []
  }),
  damages: [
    ["held money that is no whole number", '"held_minor":300', '"held_minor":300.5', "/held_minor"],
    ["no balance", '"balance_minor":', '"balance":', "/balance_minor"],
    ["a daily sum that is text", '"spent_minor":0', '"spent_minor":"0"', "/dialled/spent_minor"]
  ],
  // A generated id of an earlier hold may be `__proto__`.
  generates: false
})

const workspace_id = workspaceId("0199a000-0000-7000-8000-000000000001")
const hold = {
  id: "0199a000-0000-7000-8000-000000000002",
  workspace_id,
  call_id: callId("0199a000-0000-7000-8000-000000000003"),
  amount_minor: 300,
  status: "open",
  captured_minor: 0,
  placed_at: 1_700_000_000_000,
  closed_at: null,
  trunk_legs: 2,
  legs: 1,
  high_risk_legs: 0
} as const
const now = 1_700_000_020_000
const rowOf = (state: string) => ({ version: 4, workspace_id, state, alarm: null, holds: [hold] })

/** As engines stored it before states had versions. */
const version0 =
  '{"workspace_id":"0199a000-0000-7000-8000-000000000001","currency":"KES","balance_minor":1000000,"held_minor":300,' +
  '"low_balance_threshold_minor":5000,"updated_at":1700000000000,"groups":{"0199a000-0000-7000-8000-000000000002":2},' +
  '"audit_at":1700000015000,"sequence":3,"dialled":{"paced_until":1700000000005,"day":19675,"spent_minor":900}}'

it("restores a wallet of version 0 with its open holds", () => {
  const wallet = presentOf(restoreWallet(rowOf(version0), workspace_id))
  assert.deepInclude(wallet, { balance_minor: 1_000_000, held_minor: 300, sequence: 3, recent: [] })
  assert.deepInclude(wallet.dialled, { paced_until: 1_700_000_000_005, day: 19_675, spent_minor: 900 })
  assert.strictEqual(HashMap.getUnsafe(wallet.holds, hold.id).amount_minor, 300)
  assert.strictEqual(wallet.trunk.legs, 2)
  assert.strictEqual(wallet.legs, 2)
})

it("restores a wallet of version 0 that lacks what was added later", () => {
  const { audit_at, dialled, groups, sequence, ...first } = JSON.parse(version0) as Record<string, unknown>
  assert.isDefined(audit_at ?? dialled ?? groups ?? sequence)
  const wallet = presentOf(restoreWallet(rowOf(JSON.stringify(first)), workspace_id))
  assert.deepInclude(wallet, { legs: 1, audit_at: null, sequence: 0 })
  assert.deepInclude(wallet.dialled, { paced_until: 0, day: 0, spent_minor: 0 })
})

it("restores a wallet that was stored before it was opened as absent", () => {
  const unopened = version0.replace('"currency":"KES"', '"currency":null')
  assert.deepStrictEqual(restoreWallet({ ...rowOf(unopened), holds: [] }, workspace_id), initialWallet(workspace_id))
})

describe("dials that were open when their wallet was stored by version 2", () => {
  const rowsOf = (...holds: ReadonlyArray<Partial<HoldRow>>) =>
    holds.map((more, index): HoldRow => ({ ...hold, id: `dial-${index}`, trunk_legs: 0, ...more }))
  const state = version0
    .replace("{", '{"v":2,"entries":2,')
    .replace('"held_minor":300', '"held_minor":900')
    .replace(/"groups":{[^}]*}/, '"groups":{"dial-0":2,"dial-1":3},"high_risk":{"dial-1":1,"dial-2":1}')
  const restored = (text: string, holds: ReadonlyArray<HoldRow>) =>
    presentOf(restoreWallet({ ...rowOf(text), holds }, workspace_id))
  const rows = rowsOf({}, {}, {})
  const wallet = restored(state, rows)
  const legsOf = (of: PresentWallet) => [of.legs, of.high_risk_legs]
  const storedOf = (of: PresentWallet) => walletState.read(stateOfWallet(of)).earlier_holds
  const after = (of: PresentWallet, ...events: ReadonlyArray<WalletEvent>) => {
    const change = changeOf(evolveWallet, of, events)
    return { wallet: presentOf(change.after), rows: recordWallet(change).holds }
  }

  it("keep their legs, now and after the next restart", () => {
    assert.deepStrictEqual(legsOf(wallet), [6, 2])
    assert.deepStrictEqual(storedOf(wallet), {
      "dial-0": { legs: 2 },
      "dial-1": { legs: 3, high_risk_legs: 1 },
      "dial-2": { high_risk_legs: 1 }
    })
    assert.deepStrictEqual(restored(stateOfWallet(wallet), rows), wallet)
  })

  it("leave the state once their rows say the legs", () => {
    const raised = after(wallet, { _tag: "HoldExtended", at: now, hold_id: "dial-1", amount_minor: 400 })
    assert.deepInclude(raised.rows[0], { id: "dial-1", legs: 3, high_risk_legs: 1 })
    assert.deepStrictEqual(storedOf(raised.wallet), { "dial-0": { legs: 2 }, "dial-2": { high_risk_legs: 1 } })
    const again = restored(stateOfWallet(raised.wallet), [rows[0]!, raised.rows[0]!, rows[2]!])
    assert.deepStrictEqual(legsOf(again), [6, 2])
  })

  it("leave nothing behind when they have ended", () => {
    const left = after(
      wallet,
      { _tag: "HoldReleased", at: now, hold_id: "dial-0" },
      { _tag: "HoldCaptured", at: now, hold_id: "dial-1", amount_minor: 100, entry_id: "charge", description: "" },
      { _tag: "HoldReleased", at: now, hold_id: "dial-2" }
    ).wallet
    assert.deepStrictEqual([...legsOf(left), left.held_minor], [0, 0, 0])
    assert.notProperty(JSON.parse(stateOfWallet(left)), "earlier_holds")
  })
})

it("reads what it writes", () => {
  const opened = evolveWallet(initialWallet(workspace_id), { _tag: "Opened", at: 5, currency: "KES" })
  const wallet = { ...opened, balance_minor: -5 }
  const state = stateOfWallet(wallet)
  assert.isTrue(state.startsWith('{"v":3,'))
  assert.deepStrictEqual(restoreWallet({ ...rowOf(state), holds: [] }, workspace_id), wallet)
})

it.each([
  ["a balance that is no number", '"balance_minor":1000000', '"balance_minor":"1000000"'],
  ["a balance that is no whole number", '"balance_minor":1000000', '"balance_minor":0.5'],
  ["an unknown currency", '"KES"', '"XXX"']
])("refuses %s", (_, valid, damaged) => {
  assert.throws(() => walletState.read(version0.replace(valid, damaged)), /does not match its schema/)
})
