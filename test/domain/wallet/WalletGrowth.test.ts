// What a decision costs does not depend on how many dials are open: counted in bytes, rows and members, not in time.
import { assert, describe, it } from "@effect/vitest"
import { changeOf } from "../../../src/domain/Decision.ts"
import { presentOf } from "../../../src/domain/Presence.ts"
import { recordWallet } from "../../../src/domain/wallet/RecordWallet.ts"
import { evolveWallet, type PresentWallet, type Wallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import { became, credit, decision, empty, group, now } from "../../support/WalletStates.ts"
import { callId } from "../../support/Ids.ts"

const limits = { ...group.limits, calls_per_second: 1_000_000 }

const dial = (hold_id: string): WalletMessage => ({
  _tag: "PlaceHold",
  hold_id,
  call_id: callId(hold_id),
  amount_minor: 300,
  max_legs: 1_000_000,
  dial: { to: ["+254711000001", "+254711000002", "+254711000003"], abroad: ["LV"], high_risk: 2, limits }
})

const made = (wallet: Wallet, command: WalletMessage) => {
  const change = changeOf(evolveWallet, wallet, decision(wallet, command).events, { now })
  return { after: presentOf(change.after), recorded: recordWallet(change) }
}

const funded = became(empty, { ...credit(1_000_000_000), _tag: "Credited", at: now })

/** A wallet with so many open dials of three legs. */
const withDials = (dials: number): PresentWallet =>
  Array.from({ length: dials }, (_, n) => dial(`dial-${n}`)).reduce<PresentWallet>(
    (wallet, command) => made(wallet, command).after,
    funded
  )

/** The members of a value, members of members included. A persistent map counts as one: it shares what it keeps. */
const membersOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 1
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype) return 1
  return Object.values(value).reduce<number>((sum, member) => sum + membersOf(member), 1)
}

/** The life of one more dial: placed, extended, handed over to the leg that answered, charged. */
const life: ReadonlyArray<WalletMessage> = [
  dial("more"),
  { _tag: "ExtendHold", hold_id: "more", amount_minor: 400 },
  { _tag: "HandOverHold", from_hold_id: "more", hold_id: "leg", call_id: callId("leg"), amount_minor: 300 },
  { _tag: "CaptureHold", hold_id: "leg", amount_minor: 200, entry_id: "charge", description: "" },
  dial("last"),
  { _tag: "ReleaseHold", hold_id: "last", failed: true }
]

const costs = (before: PresentWallet) => {
  const rows: Array<number> = []
  const bytes: Array<number> = []
  const members: Array<number> = []
  let wallet = before
  for (const command of life) {
    const { after, recorded } = made(wallet, command)
    rows.push(recorded.holds.length + recorded.ledger.length + recorded.audit.length + recorded.events.length)
    bytes.push(recorded.state.length)
    members.push(membersOf(after))
    wallet = after
  }
  return { rows, bytes, members }
}

describe("A wallet with 5,000 open dials, beside one with 100", () => {
  const few = costs(withDials(100))
  const many = costs(withDials(5_000))

  it("writes the same number of rows for each decision", () => {
    assert.deepStrictEqual(many.rows, few.rows)
    assert.deepStrictEqual(few.rows, [1, 1, 2, 2, 1, 1])
  })

  it("writes a state of the same size, but for the digits of its sums", () => {
    for (const [index, bytes] of many.bytes.entries())
      assert.isAtMost(bytes - few.bytes[index]!, 20, `decision ${index}`)
  })

  it("keeps nothing that grows with them but the map of its open holds", () => {
    assert.deepStrictEqual(many.members, few.members)
  })
})
