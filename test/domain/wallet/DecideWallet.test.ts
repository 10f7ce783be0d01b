import { assert, describe, expect, it } from "@effect/vitest"
import { HashMap, Result, Schema } from "effect"
import { messageSchema } from "../../../src/domain/Command.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import { planWallet } from "../../../src/domain/wallet/PlanWallet.ts"
import { audit_every_ms, available_minor, type PresentWallet } from "../../../src/domain/wallet/Wallet.ts"
import { amount_minor_max, WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import {
  became,
  commands,
  conditions,
  credit,
  debit,
  decision,
  empty,
  funded,
  holding,
  now,
  outcome,
  spent
} from "../../support/WalletStates.ts"

/** Balance/held afterwards, or the refusal; `-` if nothing changes. */
const table = `
                    | closed           | empty                     | funded                    | holding                   | spent
Open                | 0/0              | -                         | -                         | -                         | -
Credit 500          | wallet.not_found | 500/0                     | 1500/0                    | 1500/300                  | 1200/0
Credit 0            | wallet.not_found | wallet.invalid_amount     | wallet.invalid_amount     | wallet.invalid_amount     | wallet.invalid_amount
Credit again        | wallet.not_found | 1000/0                    | -                         | -                         | -
Debit 500           | wallet.not_found | wallet.insufficient_funds | 500/0                     | 500/300                   | 200/0
Debit 0             | wallet.not_found | wallet.invalid_amount     | wallet.invalid_amount     | wallet.invalid_amount     | wallet.invalid_amount
Debit 1000          | wallet.not_found | wallet.insufficient_funds | 0/0                       | wallet.insufficient_funds | wallet.insufficient_funds
Debit 1500, may overdraw | wallet.not_found | -1500/0              | -500/0                    | -500/300                  | -800/0
CallOff             | wallet.not_found | 0/0                       | 1000/0                    | 1000/300                  | 700/0
SetThreshold 100    | wallet.not_found | 0/0                       | 1000/0                    | 1000/300                  | 700/0
SetThreshold 0      | wallet.not_found | -                         | -                         | -                         | -
ShowAutoTopUp       | wallet.not_found | - | - | - | -
SetAutoTopUp        | wallet.not_found | wallet.card_missing | wallet.card_missing | wallet.card_missing | wallet.card_missing
RemoveCard          | wallet.not_found | - | - | - | -
CardForgotten       | wallet.not_found | - | - | - | -
BeginAutoTopUp      | wallet.not_found | - | - | - | -
AutoTopUpEnded      | wallet.not_found | - | - | - | -
LetterSent          | wallet.not_found | - | - | - | -
CloseMonth          | wallet.not_found | -                         | -                         | -                         | -
CloseMonth too early | wallet.not_found | invoice.not_found        | invoice.not_found         | invoice.not_found         | invoice.not_found
PlaceHold 300       | wallet.not_found | wallet.insufficient_funds | 1000/300                  | 1000/300                  | 700/300
PlaceHold 1000      | wallet.not_found | wallet.insufficient_funds | 1000/1000                 | 1000/1000                 | wallet.insufficient_funds
PlaceHold 1001      | wallet.not_found | wallet.insufficient_funds | wallet.insufficient_funds | wallet.insufficient_funds | wallet.insufficient_funds
PlaceHold other 701 | wallet.not_found | wallet.insufficient_funds | 1000/701                  | wallet.insufficient_funds | wallet.insufficient_funds
PlaceHold 1 of 1    | wallet.not_found | wallet.insufficient_funds | 1000/300                  | 1000/300                  | 700/300
PlaceHold 2 of 1    | wallet.not_found | wallet.insufficient_funds | wallet.insufficient_funds | calls.concurrency_limit_reached | wallet.insufficient_funds
PlaceHold 2 of 2    | wallet.not_found | wallet.insufficient_funds | 1000/300                  | 1000/600                  | 700/300
PlaceHold 1 of 0    | wallet.not_found | calls.concurrency_limit_reached | calls.concurrency_limit_reached | calls.concurrency_limit_reached | calls.concurrency_limit_reached
PlaceHold 2 more of 3 | wallet.not_found | wallet.insufficient_funds | 1000/300               | 1000/600                  | 700/300
PlaceHold 2 more of 2 | wallet.not_found | wallet.insufficient_funds | 1000/300               | calls.concurrency_limit_reached | 700/300
ExtendHold 200      | wallet.not_found | HoldUnknown               | HoldUnknown               | -                         | HoldUnknown
ExtendHold 600      | wallet.not_found | HoldUnknown               | HoldUnknown               | 1000/600                  | HoldUnknown
ExtendHold 1001     | wallet.not_found | HoldUnknown               | HoldUnknown               | wallet.insufficient_funds | HoldUnknown
HandOverHold 200    | wallet.not_found | HoldUnknown               | HoldUnknown               | 1000/200                  | HoldUnknown
HandOverHold 1001   | wallet.not_found | HoldUnknown               | HoldUnknown               | wallet.insufficient_funds | HoldUnknown
HandOverHold again  | wallet.not_found | HoldUnknown               | HoldUnknown               | -                         | HoldUnknown
CaptureHold 300     | wallet.not_found | HoldUnknown               | HoldUnknown               | 700/0                     | HoldUnknown
CaptureHold 900     | wallet.not_found | HoldUnknown               | HoldUnknown               | 700/0                     | HoldUnknown
CaptureHold 0       | wallet.not_found | HoldUnknown               | HoldUnknown               | 1000/0                    | HoldUnknown
ReleaseHold         | wallet.not_found | -                         | -                         | 1000/0                    | -
ReleaseHold failed  | wallet.not_found | -                         | -                         | 1000/0                    | -
CountRefusal        | wallet.not_found | 0/0                       | 1000/0                    | 1000/300                  | 700/0
Audited             | wallet.not_found | 0/0                       | 1000/0                    | 1000/0                    | 700/0
Audited early       | wallet.not_found | 0/0                       | 1000/0                    | 1000/300                  | 700/0
`

const [head, ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
const columns = head!.slice(1)
describe("The table of a wallet", () => {
  it("has a row for every command and a column for every condition", () => {
    expect(lines.map(([name]) => name)).toEqual(Object.keys(commands))
    expect(new Set(Object.values(commands).map(({ _tag }) => _tag))).toEqual(new Set(Object.keys(WalletCommands)))
    expect(columns).toEqual(Object.keys(conditions))
  })

  for (const [name, ...cells] of lines) {
    it(`${name}`, () => {
      const is = columns.map((column) => [column, outcome(conditions[column]!, commands[name!]!)])
      expect(Object.fromEntries(is)).toEqual(Object.fromEntries(columns.map((column, index) => [column, cells[index]])))
    })
  }
})

describe("The reply of a wallet", () => {
  it("gives the amounts held, charged and available", () => {
    expect(decision(funded, commands["PlaceHold 300"]!).reply).toEqual({ amount_minor: 300, available_minor: 700 })
    expect(decision(holding, commands["ExtendHold 200"]!).reply).toEqual({ amount_minor: 300, available_minor: 700 })
    expect(decision(holding, commands["ExtendHold 600"]!).reply).toEqual({ amount_minor: 600, available_minor: 400 })
    expect(decision(holding, { _tag: "ExtendHold", hold_id: "call", amount_minor: 300 })).toMatchObject({
      events: [],
      reply: { amount_minor: 300 }
    })
    expect(decision(holding, commands["CaptureHold 900"]!).reply).toEqual({
      amount_minor: 300,
      entry_id: "charge",
      balance_minor: 700
    })
    expect(decision(spent, commands["ReleaseHold"]!).reply).toBeUndefined()
    expect(decision(funded, debit(400)).reply).toEqual({ balance_minor: 600 })
  })

  it("repeats the reply of the first movement for a repeated entry id", () => {
    const paid = became(funded, ...decision(funded, debit(400)).events, ...decision(funded, credit(50)).events)
    expect(decision(paid, debit(400))).toEqual({ events: [], reply: { balance_minor: 600 } })
    expect(decision(paid, debit(999))).toEqual({ events: [], reply: { balance_minor: 600 } })
    expect(decision(paid, credit(1_000, "first"))).toEqual({ events: [], reply: { balance_minor: 1_000 } })
  })

  it("calls a debit off for good, unless it was made", () => {
    const off = { _tag: "CallOff", entry_id: "rent" } as const
    const called = became(funded, ...decision(funded, off).events)
    expect(outcome(called, debit(400))).toBe("wallet.insufficient_funds")
    expect(outcome(called, debit(400, true))).toBe("wallet.insufficient_funds")
    expect(outcome(called, debit(400, false, "other"))).toBe("600/0")
    expect(decision(called, off)).toEqual({ events: [], reply: null })
    const paid = became(funded, ...decision(funded, debit(400)).events)
    expect(decision(paid, off)).toEqual({ events: [], reply: { balance_minor: 600 } })
  })

  it("remembers for an hour what was called off, and the latest 64 at most", () => {
    const callOff = (wallet: PresentWallet, entry_id: string, at: number) =>
      became(wallet, ...decision(wallet, { _tag: "CallOff", entry_id }, at).events)
    const ids = (wallet: PresentWallet) => wallet.called_off?.map(({ entry_id }) => entry_id)
    const first = callOff(funded, "a", now)
    expect(ids(callOff(first, "b", now + 3_599_999))).toEqual(["a", "b"])
    expect(ids(callOff(first, "b", now + 3_600_000))).toEqual(["b"])
    const many = Array.from({ length: 70 }, (_, n) => `entry-${n}`)
    expect(ids(many.reduce((wallet, id) => callOff(wallet, id, now), first))).toEqual(many.slice(-64))
  })

  it("remembers only the latest 64 movements", () => {
    let wallet = funded
    for (let n = 0; n < 64; n++) wallet = became(wallet, ...decision(wallet, credit(1, `entry-${n}`)).events)
    expect(wallet.recent.length).toBe(64)
    expect(outcome(wallet, credit(1, "entry-0"))).toBe("-")
    expect(outcome(wallet, credit(1, "first"))).toBe("1065/0")
  })

  it("rejects amounts that a double cannot represent exactly", () => {
    const rich = became(empty, { ...credit(amount_minor_max), _tag: "Credited", at: now })
    expect(outcome(rich, credit(1, "more"))).toBe("wallet.invalid_amount")
    const poor = became(empty, { ...debit(amount_minor_max, true), _tag: "Debited", at: now })
    expect(outcome(poor, debit(1, true, "more"))).toBe("wallet.invalid_amount")
    const decode = Schema.decodeUnknownResult(messageSchema(WalletCommands))
    for (const amount_minor of [-1, 0.5, amount_minor_max + 1, "1"])
      assert.isTrue(Result.isFailure(decode({ ...credit(1), amount_minor })))
  })
})

describe("The audit of holds", () => {
  it("starts 45 seconds after the first hold and repeats while holds are open", () => {
    expect(planWallet(funded)).toEqual([])
    expect(planWallet(holding)).toMatchObject([{ at: now + audit_every_ms, work: { _tag: "AuditHolds" } }])
    const passed = became(holding, { _tag: "AuditPassed", at: now + audit_every_ms })
    expect(planWallet(passed)).toMatchObject([{ at: now + 2 * audit_every_ms }])
    expect(planWallet(spent)).toEqual([])
    expect(
      planWallet(became(holding, { _tag: "HoldReleased", at: now, hold_id: "call" }, { _tag: "AuditPassed", at: now }))
    ).toEqual([])
  })

  it("keeps a hold that was placed again after the ledger was read", () => {
    const again = became(holding, ...decision(holding, commands["PlaceHold 300"]!, now + 50_000).events)
    const audited = decision(
      again,
      { _tag: "Audited", orphaned_hold_ids: ["call"], unused_hold_ids: [], placed_before: now + 1 },
      now + 60_000
    )
    expect(audited.events.map(({ _tag }) => _tag)).toEqual(["AuditPassed"])
    assert.isTrue(audited.volatile)
  })

  it("releases the holds of calls that do not exist on condition that they still do not", () => {
    const released = (unused_hold_ids: ReadonlyArray<string>) => {
      const command = { _tag: "Audited", orphaned_hold_ids: ["call"], unused_hold_ids, placed_before: now + 1 } as const
      return decision(holding, command, now + 60_000).events[0]
    }
    expect(released([])).toEqual({ _tag: "HoldReleased", at: now + 60_000, hold_id: "call" })
    expect(released(["call"])).toEqual({ _tag: "HoldReleased", at: now + 60_000, hold_id: "call", unused: true })
  })
})

it.prop(
  "No command without overdraft makes a balance negative or holds more than the balance",
  [Schema.Array(messageSchema(WalletCommands))],
  ([all]) => {
    let wallet = funded
    for (const command of all) {
      // Only two hold ids, so that the commands concern the same holds.
      const message =
        "hold_id" in command
          ? { ...command, hold_id: command.hold_id.length % 2 === 0 ? "call" : "other" }
          : command._tag === "Debit"
            ? { ...command, may_overdraw: false }
            : command
      const decided = decideWallet(wallet, message, now)
      if (Result.isSuccess(decided)) wallet = became(wallet, ...decided.success.events)
      const held = [...HashMap.values(wallet.holds)].reduce((sum, { amount_minor }) => sum + amount_minor, 0)
      assert.isAtLeast(available_minor(wallet), 0)
      assert.isAtLeast(wallet.balance_minor, 0)
      assert.strictEqual(wallet.held_minor, held)
    }
  },
  { arbitrary: { runs: 2_000 } }
)
