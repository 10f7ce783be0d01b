// Where one unit of money, or one millisecond, decides.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { presentOf } from "../../../src/domain/Presence.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import { type DialLimits, addDials, checkDialLimits, emptyDialHistory } from "../../../src/domain/wallet/DialLimiter.ts"
import {
  audit_every_ms,
  available_minor,
  initialWallet,
  evolveWallet,
  newsOf,
  type PresentWallet,
  type Wallet
} from "../../../src/domain/wallet/Wallet.ts"
import {
  amount_minor_max,
  type Credit,
  type Debit,
  type WalletMessage
} from "../../../src/domain/wallet/WalletCommand.ts"
import { callId, workspaceId } from "../../support/Ids.ts"

const now = Date.UTC(2026, 10, 20, 12)
const rate_minor = 300
const movement = { reference_type: "r", reference_id: "r", description: "", origin: systemOrigin }
const credit = (amount_minor: number): Credit => ({
  _tag: "Credit",
  entry_id: `credit ${amount_minor}`,
  kind: "topup",
  amount_minor,
  ...movement
})
const debit = (amount_minor: number): Debit => ({
  _tag: "Debit",
  entry_id: `debit ${amount_minor}`,
  kind: "storage_charge",
  may_overdraw: true,
  amount_minor,
  ...movement
})
const place = (hold_id: string): WalletMessage => ({
  _tag: "PlaceHold",
  hold_id,
  call_id: callId(hold_id),
  amount_minor: rate_minor
})
const extend = (hold_id: string, minutes: number): WalletMessage => ({
  _tag: "ExtendHold",
  hold_id,
  amount_minor: minutes * rate_minor
})
const take = (amount_minor: number): WalletMessage => ({
  _tag: "HandOverHold",
  from_hold_id: "all",
  hold_id: "leg",
  call_id: callId("leg"),
  amount_minor
})

/** The wallet afterwards; or the refusal. */
const told = (wallet: PresentWallet, command: WalletMessage, at = now): PresentWallet | string => {
  const decided = decideWallet(wallet, command, at)
  return Result.isFailure(decided) ? decided.failure._tag : decided.success.events.reduce(evolveWallet, wallet)
}
const made = (wallet: Wallet, ...commands: ReadonlyArray<WalletMessage>): PresentWallet =>
  presentOf(
    commands.reduce(
      (wallet, command) => Result.getOrThrow(decideWallet(wallet, command, now)).events.reduce(evolveWallet, wallet),
      wallet
    )
  )
const having = (amount_minor: number) =>
  made(initialWallet(workspaceId("w")), { _tag: "Open", currency: "KES" }, credit(amount_minor))
const poor = "wallet.insufficient_funds"
const left = (wallet: PresentWallet | string) => (typeof wallet === "string" ? wallet : available_minor(wallet))

describe("money for exactly so many minutes", () => {
  it("is enough for them, whether they are a call's first or its next", () => {
    assert.strictEqual(left(told(having(rate_minor), place("a"))), 0)
    assert.strictEqual(left(told(having(rate_minor - 1), place("a"))), poor)
    const talking = (money: number) => made(having(money), place("a"))
    assert.strictEqual(left(told(talking(2 * rate_minor), extend("a", 2))), 0)
    assert.strictEqual(left(told(talking(2 * rate_minor - 1), extend("a", 2))), poor)
  })

  it("is enough for a more expensive leg that takes over the shared hold", () => {
    const ringing = (money: number) => made(having(money), place("all"))
    assert.strictEqual(left(told(ringing(2 * rate_minor), take(2 * rate_minor))), 0)
    assert.strictEqual(left(told(ringing(2 * rate_minor - 1), take(2 * rate_minor))), poor)
  })

  it("is not needed for a leg that costs no more than its hold, whatever a renewal has taken meanwhile", () => {
    const overdrawn = made(having(rate_minor), place("all"), debit(1_000))
    assert.strictEqual(available_minor(overdrawn), -1_000)
    for (const amount_minor of [rate_minor, rate_minor - 1]) assert.isObject(told(overdrawn, take(amount_minor)))
    assert.strictEqual(told(overdrawn, take(rate_minor + 1)), poor)
  })
})

it("A wallet accepts the largest exact amount, and not one unit more", () => {
  const almost = having(amount_minor_max - 1)
  assert.strictEqual(left(told(almost, credit(1))), amount_minor_max)
  assert.strictEqual(told(almost, credit(2)), "wallet.invalid_amount")
})

it("A balance of exactly zero can become negative like any other", () => {
  const nothing = made(having(1_000), debit(1_000))
  const [event] = Result.getOrThrow(decideWallet(nothing, debit(1), now)).events
  assert.deepStrictEqual(newsOf(nothing, evolveWallet(nothing, event!), event!), [
    "wallet.low_balance",
    "wallet.negative"
  ])
})

it("Later holds do not postpone the audit against the ledger", () => {
  const first = made(having(1_000), place("a"))
  const second = told(first, place("b"), now + audit_every_ms - 1)
  if (typeof second === "string") return assert.fail(second)
  assert.deepStrictEqual([first.audit_at, second.audit_at], [now + audit_every_ms, now + audit_every_ms])
})

it("A workspace above a lowered limit per destination waits until enough calls are older than an hour", () => {
  const limits: DialLimits = {
    calls_per_second: 1_000,
    max_calls_per_destination_per_hour: 2,
    daily_spend_limit_minor: null
  }
  const to = ["+254711000001"]
  const dialled = [0, 60_000, 120_000, 180_000].reduce(
    (dialled, after_ms) => addDials(dialled, { to, paced_until: 0 }, now + after_ms),
    emptyDialHistory
  )
  const refused = Result.getOrThrow(
    Result.flip(checkDialLimits(dialled, { to, limits }, now + 180_000, { held_minor: 0, high_risk: 0 }))
  )
  assert.strictEqual(refused.retry_after_seconds, 3_600 - 60)
})
