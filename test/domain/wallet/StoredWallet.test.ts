import { assert, it } from "@effect/vitest"
import { HashMap } from "effect"
import { presentOf } from "../../../src/domain/Presence.ts"
import { restoreWallet, stateOfWallet, walletState } from "../../../src/domain/wallet/StoredWallet.ts"
import { evolveWallet, initialWallet } from "../../../src/domain/wallet/Wallet.ts"
import { recentDialsOf } from "../../../src/domain/wallet/DialLimiter.ts"
import { nothingCarried } from "../../../src/domain/trunks/TrunkCapacity.ts"
import { callId, workspaceId } from "../../support/Ids.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("Wallet", {
  state: walletState,
  restore: restoreWallet,
  stateOf: (wallet) => stateOfWallet(presentOf(wallet)),
  // The rows have no holds and no recent calls.
  // Before entries had a sequence, a state did not count them; the migration added the count.
  expected: ({ v: _, ...stored }) => ({
    _tag: "Present",
    entries: 0,
    ...stored,
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
  // A generated name of a group may be `__proto__`.
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
  trunk_legs: 2
} as const
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
})

it("restores a wallet of version 0 that lacks what was added later", () => {
  const { audit_at, dialled, groups, sequence, ...first } = JSON.parse(version0) as Record<string, unknown>
  assert.isDefined(audit_at ?? dialled ?? groups ?? sequence)
  const wallet = presentOf(restoreWallet(rowOf(JSON.stringify(first)), workspace_id))
  assert.deepInclude(wallet, { groups: {}, audit_at: null, sequence: 0 })
  assert.deepInclude(wallet.dialled, { paced_until: 0, day: 0, spent_minor: 0 })
})

it("restores a wallet that was stored before it was opened as absent", () => {
  const unopened = version0.replace('"currency":"KES"', '"currency":null')
  assert.deepStrictEqual(restoreWallet({ ...rowOf(unopened), holds: [] }, workspace_id), initialWallet(workspace_id))
})

it("reads what it writes", () => {
  const opened = evolveWallet(initialWallet(workspace_id), { _tag: "Opened", at: 5, currency: "KES" })
  const wallet = { ...opened, balance_minor: -5 }
  const state = stateOfWallet(wallet)
  assert.isTrue(state.startsWith('{"v":2,'))
  assert.deepStrictEqual(restoreWallet({ ...rowOf(state), holds: [] }, workspace_id), wallet)
})

it.each([
  ["a balance that is no number", '"balance_minor":1000000', '"balance_minor":"1000000"'],
  ["a balance that is no whole number", '"balance_minor":1000000', '"balance_minor":0.5'],
  ["an unknown currency", '"KES"', '"XXX"']
])("refuses %s", (_, valid, damaged) => {
  assert.throws(() => walletState.read(version0.replace(valid, damaged)), /does not match its schema/)
})
