import { assert, describe, expect, it } from "@effect/vitest"
import { changeOf } from "../../../src/domain/Decision.ts"
import { HashMap, Result, Schema } from "effect"
import { type Origin, systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { LedgerEntryRow } from "../../../src/domain/journal/Rows.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import { planWallet } from "../../../src/domain/wallet/PlanWallet.ts"
import { recordWallet } from "../../../src/domain/wallet/RecordWallet.ts"
import { restoreWallet } from "../../../src/domain/wallet/StoredWallet.ts"
import {
  audit_every_ms,
  available_minor,
  emptyWallet,
  evolveWallet,
  legsUnderWay,
  type Wallet
} from "../../../src/domain/wallet/Wallet.ts"
import type { WalletEvent } from "../../../src/domain/wallet/WalletEvent.ts"
import {
  amount_minor_max,
  type Credit,
  type Debit,
  WalletCommands,
  type WalletMessage
} from "../../../src/domain/wallet/WalletCommand.ts"
import { messageSchema } from "../../../src/domain/Command.ts"

const id = "workspace"
const now = Date.UTC(2026, 10, 20)
const became = (wallet: Wallet, ...events: ReadonlyArray<WalletEvent>): Wallet => events.reduce(evolveWallet, wallet)

const closed = emptyWallet(id)
const empty = became(closed, { _tag: "Opened", at: now, currency: "KES" })
const credit = (amount_minor: number, entry_id = "entry"): Credit => ({
  _tag: "Credit",
  entry_id,
  kind: "topup",
  amount_minor,
  reference_type: "topup",
  reference_id: "topup",
  description: "Top-up",
  origin: systemOrigin
})
const debit = (amount_minor: number, may_overdraw = false, entry_id = "rent"): Debit => ({
  _tag: "Debit",
  entry_id,
  kind: "number_rental",
  may_overdraw,
  amount_minor,
  reference_type: "number",
  reference_id: "number",
  description: "Rent",
  origin: systemOrigin
})
const funded = became(empty, { ...credit(1_000, "first"), _tag: "Credited", at: now })
/** 300 of the 1,000 are held for a call. */
const holding = became(funded, {
  _tag: "HoldPlaced",
  hold: { id: "call", call_id: "call", amount_minor: 300, placed_at: now }
})
const spent = became(holding, {
  _tag: "HoldCaptured",
  at: now,
  hold_id: "call",
  amount_minor: 300,
  entry_id: "charge",
  description: ""
})

const conditions: Readonly<Record<string, Wallet>> = { closed, empty, funded, holding, spent }

const group = {
  to: ["+254711000001", "+254711000002"],
  limits: { calls_per_second: 100, max_calls_per_destination_per_hour: null, daily_spend_limit_minor: null }
}

const commands: Readonly<Record<string, WalletMessage>> = {
  Open: { _tag: "Open", currency: "KES" },
  "Credit 500": credit(500),
  "Credit 0": credit(0),
  "Credit again": credit(1_000, "first"),
  "Debit 500": debit(500),
  "Debit 0": debit(0),
  "Debit 1000": debit(1_000),
  "Debit 1500, may overdraw": debit(1_500, true),
  "SetThreshold 100": { _tag: "SetThreshold", low_balance_threshold_minor: 100, origin: systemOrigin },
  "SetThreshold 0": { _tag: "SetThreshold", low_balance_threshold_minor: 0, origin: systemOrigin },
  "PlaceHold 300": { _tag: "PlaceHold", hold_id: "call", call_id: "call", amount_minor: 300 },
  "PlaceHold 1000": { _tag: "PlaceHold", hold_id: "call", call_id: "call", amount_minor: 1_000 },
  "PlaceHold 1001": { _tag: "PlaceHold", hold_id: "call", call_id: "call", amount_minor: 1_001 },
  "PlaceHold other 701": { _tag: "PlaceHold", hold_id: "other", call_id: "other", amount_minor: 701 },
  "PlaceHold 1 of 1": { _tag: "PlaceHold", hold_id: "call", call_id: "call", amount_minor: 300, max_legs: 1 },
  "PlaceHold 2 of 1": { _tag: "PlaceHold", hold_id: "other", call_id: "other", amount_minor: 1_001, max_legs: 1 },
  "PlaceHold 2 of 2": { _tag: "PlaceHold", hold_id: "other", call_id: "other", amount_minor: 300, max_legs: 2 },
  "PlaceHold 1 of 0": { _tag: "PlaceHold", hold_id: "other", call_id: "other", amount_minor: 300, max_legs: 0 },
  "PlaceHold 2 more of 3": {
    _tag: "PlaceHold",
    hold_id: "other",
    call_id: "other",
    amount_minor: 300,
    max_legs: 3,
    dial: group
  },
  "PlaceHold 2 more of 2": {
    _tag: "PlaceHold",
    hold_id: "other",
    call_id: "other",
    amount_minor: 300,
    max_legs: 2,
    dial: group
  },
  "ExtendHold 200": { _tag: "ExtendHold", hold_id: "call", amount_minor: 200 },
  "ExtendHold 600": { _tag: "ExtendHold", hold_id: "call", amount_minor: 600 },
  "ExtendHold 1001": { _tag: "ExtendHold", hold_id: "call", amount_minor: 1_001 },
  "HandOverHold 200": { _tag: "HandOverHold", from_hold_id: "call", hold_id: "leg", call_id: "leg", amount_minor: 200 },
  "HandOverHold 1001": {
    _tag: "HandOverHold",
    from_hold_id: "call",
    hold_id: "leg",
    call_id: "leg",
    amount_minor: 1_001
  },
  "HandOverHold again": {
    _tag: "HandOverHold",
    from_hold_id: "gone",
    hold_id: "call",
    call_id: "call",
    amount_minor: 300
  },
  "CaptureHold 300": { _tag: "CaptureHold", hold_id: "call", amount_minor: 300, entry_id: "charge", description: "" },
  "CaptureHold 900": { _tag: "CaptureHold", hold_id: "call", amount_minor: 900, entry_id: "charge", description: "" },
  "CaptureHold 0": { _tag: "CaptureHold", hold_id: "call", amount_minor: 0, entry_id: "charge", description: "" },
  ReleaseHold: { _tag: "ReleaseHold", hold_id: "call" },
  Audited: { _tag: "Audited", orphaned_hold_ids: ["call", "stranger"], placed_before: now + 1 },
  "Audited early": { _tag: "Audited", orphaned_hold_ids: ["call"], placed_before: now }
}

/** Balance/held afterwards, or the refusal; `-` where nothing happens. Then the reply where it says more than its name. */
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
SetThreshold 100    | wallet.not_found | 0/0                       | 1000/0                    | 1000/300                  | 700/0
SetThreshold 0      | wallet.not_found | -                         | -                         | -                         | -
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
Audited             | wallet.not_found | 0/0                       | 1000/0                    | 1000/0                    | 700/0
Audited early       | wallet.not_found | 0/0                       | 1000/0                    | 1000/300                  | 700/0
`

const outcome = (wallet: Wallet, command: WalletMessage): string => {
  const decided = decideWallet(wallet, command, now)
  if (Result.isFailure(decided)) return decided.failure._tag
  const { events, reply } = decided.success
  if (reply === null) return "HoldUnknown"
  if (events.length === 0) return "-"
  const { balance_minor, held_minor } = became(wallet, ...events)
  return `${balance_minor}/${held_minor}`
}

const [head, ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
const columns = head!.slice(1)
const decision = (wallet: Wallet, command: WalletMessage, at = now) =>
  Result.getOrThrow(decideWallet(wallet, command, at))

describe("The table of a wallet", () => {
  it("has a row for every command, and a column for every condition", () => {
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

describe("Legs that share a hold", () => {
  const ringing = became(funded, ...decision(funded, commands["PlaceHold 2 more of 2"]!).events)
  const another: WalletMessage = { _tag: "PlaceHold", hold_id: "third", call_id: "third", amount_minor: 1, max_legs: 2 }
  const refused = (wallet: Wallet) => Result.isFailure(decideWallet(wallet, another, now))

  it("count one by one until one of them has taken it, or it is given back", () => {
    const taken: WalletMessage = {
      _tag: "HandOverHold",
      from_hold_id: "other",
      hold_id: "leg",
      call_id: "leg",
      amount_minor: 300
    }
    const after = (command: WalletMessage) => became(ringing, ...decision(ringing, command).events)
    assert.deepStrictEqual(
      [funded, ringing, after(taken), after({ _tag: "ReleaseHold", hold_id: "other" })].map(legsUnderWay),
      [0, 2, 1, 0]
    )
    assert.isTrue(refused(ringing))
    assert.isFalse(refused(after(taken)))
  })

  it("are counted when the wallet is read again", () => {
    const events = decision(funded, commands["PlaceHold 2 more of 2"]!).events
    const { holds, state } = recordWallet(changeOf(evolveWallet, funded, events, { now }))
    const again = restoreWallet(
      { version: 1, workspace_id: funded.workspace_id, state, alarm: null, holds },
      funded.workspace_id
    )
    assert.strictEqual(legsUnderWay(again), 2)
  })
})

describe("Legs over the workspace's own trunk", () => {
  const limits = { max_channels: 2, max_cps: null }
  const place = (hold_id: string, legs: number, max_cps: number | null = null): WalletMessage => ({
    _tag: "PlaceHold",
    hold_id,
    call_id: hold_id,
    amount_minor: 1,
    dial: { ...group, to: Array.from({ length: Math.max(1, legs) }, (_, n) => `+25471100000${n}`) },
    ...(legs > 0 && { trunk: { legs, limits: { ...limits, max_cps } } })
  })
  const incoming = (hold_id: string): WalletMessage => ({
    _tag: "PlaceHold",
    hold_id,
    call_id: hold_id,
    amount_minor: 1,
    trunk: { legs: 1, limits }
  })
  const all = (...commands: ReadonlyArray<WalletMessage>) =>
    commands.reduce((wallet, command) => became(wallet, ...decision(wallet, command).events), funded)
  const reason = (wallet: Wallet, command: WalletMessage) => {
    const decided = decideWallet(wallet, command, now)
    return Result.isFailure(decided) ? decided.failure.reason : "ok"
  }
  const released = (hold_id: string): WalletMessage => ({ _tag: "ReleaseHold", hold_id })
  const handOver = (over_trunk: boolean): WalletMessage => ({
    _tag: "HandOverHold",
    from_hold_id: "both",
    hold_id: "leg",
    call_id: "leg",
    amount_minor: 1,
    over_trunk
  })
  const captured: WalletMessage = {
    _tag: "CaptureHold",
    hold_id: "in",
    amount_minor: 1,
    entry_id: "charge",
    description: ""
  }

  it.each<[string, ReadonlyArray<WalletMessage>, number]>([
    ["those of a dial, each", [place("both", 2)], 2],
    ["the one that has taken the money", [place("both", 2), handOver(true)], 1],
    ["not one that is answered elsewhere", [place("both", 2), handOver(false)], 0],
    ["those that come in", [incoming("in"), place("out", 1)], 2],
    ["none that goes another way", [place("out", 0)], 0],
    ["none that is charged or let go", [incoming("in"), place("out", 1), captured, released("out")], 0],
    ["once what is asked for again", [place("out", 1), place("out", 1)], 1],
    ["as many as were asked for at last", [place("both", 1), place("both", 2)], 2]
  ])("count %s", (_, commands, legs) => {
    const wallet = all(...commands)
    assert.strictEqual(wallet.trunk.legs, legs)
    assert.strictEqual(
      wallet.trunk.legs,
      [...HashMap.values(wallet.holds)].reduce((sum, { trunk_legs = 0 }) => sum + trunk_legs, 0)
    )
  })

  it("are refused where the trunk has no room, and take nothing", () => {
    const full = all(place("both", 2))
    assert.deepStrictEqual(
      [place("more", 1), incoming("more"), place("both", 2), place("elsewhere", 0)].map((command) =>
        reason(full, command)
      ),
      ["max_channels", "max_channels", "ok", "ok"]
    )
    assert.strictEqual(reason(all(place("out", 1)), place("more", 1, 1)), "max_cps")
    assert.strictEqual(reason(all(incoming("in")), place("more", 1, 1)), "ok")
    assert.strictEqual(reason(all(place("both", 1)), place("both", 3)), "max_channels")
  })

  it("are counted when the wallet is read again", () => {
    const before = all(place("out", 1))
    const { events } = decision(before, incoming("in"))
    const record = (wallet: Wallet, of: ReadonlyArray<WalletEvent>) =>
      recordWallet(changeOf(evolveWallet, wallet, of, { now }))
    const { holds, state } = record(before, events)
    const earlier = record(funded, decision(funded, place("out", 1)).events).holds
    const again = restoreWallet({ version: 1, workspace_id: id, state, alarm: null, holds: [...earlier, ...holds] }, id)
    assert.strictEqual(again.trunk.legs, 2)
    assert.strictEqual(became(again, ...decision(again, released("out")).events).trunk.legs, 1)
  })
})

describe("What is answered", () => {
  it("says what is held, charged and left", () => {
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

  it("says again what the first did, whatever has come since", () => {
    const paid = became(funded, ...decision(funded, debit(400)).events, ...decision(funded, credit(50)).events)
    expect(decision(paid, debit(400))).toEqual({ events: [], reply: { balance_minor: 600 } })
    expect(decision(paid, debit(999))).toEqual({ events: [], reply: { balance_minor: 600 } })
    expect(decision(paid, credit(1_000, "first"))).toEqual({ events: [], reply: { balance_minor: 1_000 } })
  })

  it("remembers the latest movements alone", () => {
    let wallet = funded
    for (let n = 0; n < 64; n++) wallet = became(wallet, ...decision(wallet, credit(1, `entry-${n}`)).events)
    expect(wallet.recent.length).toBe(64)
    expect(outcome(wallet, credit(1, "entry-0"))).toBe("-")
    expect(outcome(wallet, credit(1, "first"))).toBe("1065/0")
  })

  it("takes no amount that a double cannot count", () => {
    const rich = became(empty, { ...credit(amount_minor_max), _tag: "Credited", at: now })
    expect(outcome(rich, credit(1, "more"))).toBe("wallet.invalid_amount")
    const poor = became(empty, { ...debit(amount_minor_max, true), _tag: "Debited", at: now })
    expect(outcome(poor, debit(1, true, "more"))).toBe("wallet.invalid_amount")
    const decode = Schema.decodeUnknownResult(messageSchema(WalletCommands))
    for (const amount_minor of [-1, 0.5, amount_minor_max + 1, "1"])
      assert.isTrue(Result.isFailure(decode({ ...credit(1), amount_minor })))
  })
})

describe("The audit", () => {
  it("waits a while after the first hold, and goes on while there are holds", () => {
    expect(planWallet(funded)).toEqual([])
    expect(planWallet(holding)).toMatchObject([{ at: now + audit_every_ms, work: { _tag: "AuditHolds" } }])
    const passed = became(holding, { _tag: "AuditPassed", at: now + audit_every_ms })
    expect(planWallet(passed)).toMatchObject([{ at: now + 2 * audit_every_ms }])
    expect(planWallet(spent)).toEqual([])
    expect(
      planWallet(became(holding, { _tag: "HoldReleased", at: now, hold_id: "call" }, { _tag: "AuditPassed", at: now }))
    ).toEqual([])
  })

  it("spares a hold that was asked for again since the books were read", () => {
    const again = became(holding, ...decision(holding, commands["PlaceHold 300"]!, now + 50_000).events)
    const audited = decision(
      again,
      { _tag: "Audited", orphaned_hold_ids: ["call"], placed_before: now + 1 },
      now + 60_000
    )
    expect(audited.events.map(({ _tag }) => _tag)).toEqual(["AuditPassed"])
    assert.isTrue(audited.volatile)
  })
})

describe("What customers are told", () => {
  const warned = became(funded, {
    _tag: "ThresholdSet",
    at: now,
    low_balance_threshold_minor: 500,
    origin: systemOrigin
  })
  const told = (wallet: Wallet, ...all: ReadonlyArray<WalletMessage>) => {
    const rows: Array<string> = []
    for (const command of all) {
      const { events } = decision(wallet, command)
      const after = became(wallet, ...events)
      const { events: news } = recordWallet(changeOf(evolveWallet, wallet, events, { now, uuid: () => "event" }))
      rows.push(news.map(({ kind, sequence }) => `${sequence} ${kind}`).join(", "))
      wallet = after
    }
    return rows
  }

  it("is said once when the balance falls below a line, and again after it has risen", () => {
    expect(
      told(
        warned,
        debit(500, false, "a"),
        debit(1, false, "b"),
        debit(9, false, "c"),
        credit(10, "d"),
        credit(1, "e"),
        debit(2, false, "f")
      )
    ).toEqual(["", "1 wallet.low_balance", "", "", "", "2 wallet.low_balance"])
    expect(told(warned, debit(2_000, true, "a"), debit(1, true, "b"))).toEqual([
      "1 wallet.low_balance, 2 wallet.negative",
      ""
    ])
  })

  it("is said of a line that is drawn above the balance, and of what a call costs", () => {
    expect(told(funded, { _tag: "SetThreshold", low_balance_threshold_minor: 1_001, origin: systemOrigin })).toEqual([
      "1 wallet.low_balance"
    ])
    expect(
      told(
        became(holding, { _tag: "ThresholdSet", at: now, low_balance_threshold_minor: 800, origin: systemOrigin }),
        commands["CaptureHold 300"]!
      )
    ).toEqual(["1 wallet.low_balance"])
  })

  it("names an adjustment with its entry", () => {
    const ops = { ...systemOrigin, actor: { type: "ops", id: null, label: null } } as const
    const { events } = decision(funded, { ...credit(5), kind: "refund", origin: ops })
    const [event] = recordWallet(changeOf(evolveWallet, funded, events, { now, uuid: () => "event" })).events
    expect(event).toMatchObject({ kind: "wallet.adjusted", subject_id: id, workspace_id: id, fan_out: true })
    expect(JSON.parse(event!.payload)).toMatchObject({
      kind: "wallet.adjusted",
      balance_minor: 1_005,
      entry: { id: "entry", kind: "refund", amount_minor: 5 }
    })
    expect(told(funded, { ...credit(5), kind: "refund" })).toEqual([""])
  })
})

describe("The books", () => {
  const record = (wallet: Wallet, command: WalletMessage) => {
    const { events } = decision(wallet, command)
    const after = became(wallet, ...events)
    return { after, ...recordWallet(changeOf(evolveWallet, wallet, events, { now, uuid: () => "event" })) }
  }

  const kinds = {
    topup: "clearing:mobilemoney",
    manual_credit: "adjustments",
    refund: "adjustments",
    fee_waiver: "adjustments"
  } as const
  it.each(Object.entries(kinds))("take %s from %s", (kind, account) => {
    const {
      ledger: [entry]
    } = record(funded, { ...credit(500), kind: kind as keyof typeof kinds })
    expect(entry).toMatchObject({
      kind,
      amount_minor: 500,
      balance_after_minor: 1_500,
      currency: "KES",
      reference_id: "topup"
    })
    expect(entry!.lines).toEqual([
      { account: "workspace:workspace:cash", amount_minor: 500 },
      { account, amount_minor: -500 }
    ])
  })

  const uses = {
    number_rental: "revenue:rental",
    storage_charge: "revenue:storage",
    manual_debit: "adjustments",
    topup_reversal: "clearing:mobilemoney"
  } as const
  it.each(Object.entries(uses))("bring %s to %s", (kind, account) => {
    const {
      ledger: [entry]
    } = record(funded, { ...debit(400), kind: kind as keyof typeof uses })
    expect(entry).toMatchObject({
      id: "rent",
      kind,
      amount_minor: -400,
      balance_after_minor: 600,
      reference_type: "number",
      reference_id: "number"
    })
    expect(entry!.lines).toEqual([
      { account: "workspace:workspace:cash", amount_minor: -400 },
      { account, amount_minor: 400 }
    ])
  })

  it("take another side where the movement names one", () => {
    const {
      ledger: [entry]
    } = record(funded, { ...credit(5), contra: "suspense", metadata: { receipt: "R" } })
    expect(entry!.lines).toEqual([
      { account: "workspace:workspace:cash", amount_minor: 5 },
      { account: "suspense", amount_minor: -5 }
    ])
    expect(entry!.metadata).toBe(`{"receipt":"R"}`)
  })

  const operator: Origin = {
    actor: { type: "ops", id: "user", label: "ops@example.com" },
    ip: "10.0.0.1",
    user_agent: null,
    request_id: "request"
  }
  it("audit what a person moves, and show customers no name of the platform's people", () => {
    const {
      audit,
      ledger: [entry]
    } = record(funded, { ...debit(400), kind: "manual_debit", origin: operator })
    expect(entry!.actor).toBe(`{"type":"ops"}`)
    expect(audit).toMatchObject([
      { action_kind: "wallet.adjusted", ip: "10.0.0.1", request_id: "request", before: `{"balance_minor":1000}` }
    ])
    expect(JSON.parse(audit[0]!.after!)).toMatchObject({
      balance_minor: 600,
      kind: "manual_debit",
      amount_minor: 400,
      entry_id: "rent"
    })
    expect(record(funded, debit(400)).audit).toEqual([])
    expect(
      record(funded, { _tag: "SetThreshold", low_balance_threshold_minor: 7, origin: operator }).audit
    ).toMatchObject([
      {
        action_kind: "wallet.threshold_changed",
        before: `{"low_balance_threshold_minor":0}`,
        after: `{"low_balance_threshold_minor":7}`
      }
    ])
  })

  it("charge a call to the revenue of calls, under the call's id", () => {
    const {
      holds,
      ledger: [entry]
    } = record(holding, {
      _tag: "CaptureHold",
      hold_id: "call",
      amount_minor: 200,
      entry_id: "charge",
      description: "Call"
    })
    expect(entry).toMatchObject({
      id: "charge",
      kind: "call_charge",
      amount_minor: -200,
      balance_after_minor: 800,
      reference_type: "call",
      reference_id: "call"
    })
    expect(entry!.lines).toEqual([
      { account: "workspace:workspace:cash", amount_minor: -200 },
      { account: "revenue:calls", amount_minor: 200 }
    ])
    expect(holds).toMatchObject([{ status: "captured", captured_minor: 200, amount_minor: 300, closed_at: now }])
  })

  it("hold no minus zero where a call cost nothing", () => {
    const {
      ledger: [entry]
    } = record(holding, commands["CaptureHold 0"]!)
    const amounts = (entry: LedgerEntryRow) => [
      entry.amount_minor,
      ...entry.lines.map(({ amount_minor }) => amount_minor)
    ]
    for (const amount of amounts(entry!)) assert.isTrue(Object.is(amount, 0))
  })

  it("keep each hold as it is now", () => {
    expect(record(funded, commands["PlaceHold 300"]!).holds).toMatchObject([
      { id: "call", status: "open", amount_minor: 300, closed_at: null }
    ])
    expect(record(holding, commands["ExtendHold 600"]!).holds).toMatchObject([{ status: "open", amount_minor: 600 }])
    expect(record(holding, commands["ReleaseHold"]!).holds).toMatchObject([
      { status: "released", captured_minor: 0, closed_at: now }
    ])
    expect(record(holding, commands["Audited"]!).holds).toMatchObject([{ id: "call", status: "released" }])
  })

  it("give the wallet back as it was", () => {
    const { after, columns, holds, state } = record(funded, commands["PlaceHold 300"]!)
    const restored = restoreWallet({ version: 1, workspace_id: id, state, alarm: null, holds }, id)
    expect({ ...restored, holds: HashMap.toEntries(restored.holds) }).toEqual({
      ...after,
      holds: HashMap.toEntries(after.holds),
      recent: []
    })
    expect(columns).toMatchObject({ balance_minor: 1_000, held_minor: 300, currency: "KES" })
  })
})

it.prop(
  "No command makes a balance negative, or holds more than there is",
  [Schema.Array(messageSchema(WalletCommands))],
  ([all]) => {
    let wallet = funded
    for (const command of all) {
      // Few holds, so that commands meet.
      const told =
        "hold_id" in command
          ? { ...command, hold_id: command.hold_id.length % 2 === 0 ? "call" : "other" }
          : command._tag === "Debit"
            ? { ...command, may_overdraw: false }
            : command
      const decided = decideWallet(wallet, told, now)
      if (Result.isSuccess(decided)) wallet = became(wallet, ...decided.success.events)
      const held = [...HashMap.values(wallet.holds)].reduce((sum, { amount_minor }) => sum + amount_minor, 0)
      assert.isAtLeast(available_minor(wallet), 0)
      assert.isAtLeast(wallet.balance_minor, 0)
      assert.strictEqual(wallet.held_minor, held)
    }
  },
  { arbitrary: { runs: 2_000 } }
)
