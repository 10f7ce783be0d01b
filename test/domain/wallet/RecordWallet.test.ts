import { assert, describe, expect, it } from "@effect/vitest"
import { HashMap } from "effect"
import { type Origin, systemOrigin } from "../../../src/domain/access/Origin.ts"
import { changeOf } from "../../../src/domain/Decision.ts"
import type { LedgerEntryRow } from "../../../src/domain/journal/Rows.ts"
import { presentOf } from "../../../src/domain/Presence.ts"
import { recordWallet } from "../../../src/domain/wallet/RecordWallet.ts"
import { restoreWallet } from "../../../src/domain/wallet/StoredWallet.ts"
import { evolveWallet, type Wallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import { became, commands, credit, debit, decision, funded, holding, id, now } from "../../support/WalletStates.ts"

describe("The events of a wallet", () => {
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

  it("announce a low balance once each time the balance falls below the threshold", () => {
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

  it("announce a low balance after a higher threshold and after the charge of a call", () => {
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

  it("show an adjustment with its ledger entry", () => {
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

describe("The ledger entries of a wallet", () => {
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
  it.each(Object.entries(kinds))("book %s against %s", (kind, account) => {
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
  it.each(Object.entries(uses))("book %s to %s", (kind, account) => {
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

  it("book against the account that the movement names", () => {
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
  it("audit adjustments by operators without showing their names to customers", () => {
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

  it("book a call to the revenue of calls, with the call's id as reference", () => {
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

  it("contain no negative zero for a call without a charge", () => {
    const {
      ledger: [entry]
    } = record(holding, commands["CaptureHold 0"]!)
    const amounts = (entry: LedgerEntryRow) => [
      entry.amount_minor,
      ...entry.lines.map(({ amount_minor }) => amount_minor)
    ]
    for (const amount of amounts(entry!)) assert.isTrue(Object.is(amount, 0))
  })

  it("come with the current row of each hold", () => {
    expect(record(funded, commands["PlaceHold 300"]!).holds).toMatchObject([
      { id: "call", status: "open", amount_minor: 300, closed_at: null }
    ])
    expect(record(holding, commands["ExtendHold 600"]!).holds).toMatchObject([{ status: "open", amount_minor: 600 }])
    expect(record(holding, commands["ReleaseHold"]!).holds).toMatchObject([
      { status: "released", captured_minor: 0, closed_at: now }
    ])
    expect(record(holding, commands["Audited"]!).holds).toMatchObject([{ id: "call", status: "released" }])
  })

  it("come with a state that restores the wallet", () => {
    const { after, columns, holds, state } = record(funded, commands["PlaceHold 300"]!)
    const restored = presentOf(restoreWallet({ version: 1, workspace_id: id, state, alarm: null, holds }, id))
    expect({ ...restored, holds: HashMap.toEntries(restored.holds) }).toEqual({
      ...after,
      holds: HashMap.toEntries(after.holds),
      recent: []
    })
    expect(columns).toMatchObject({ balance_minor: 1_000, held_minor: 300, currency: "KES" })
  })
})
