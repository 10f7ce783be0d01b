import { assert, describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Message } from "../../../src/domain/Command.ts"
import { decideIncomingPayment } from "../../../src/domain/topups/DecideIncomingPayment.ts"
import { decidePhoneLock, freePhone } from "../../../src/domain/topups/PayerPhoneLock.ts"
import {
  evolveIncomingPayment,
  initialIncomingPayment,
  type IncomingPayment,
  type IncomingPaymentEvent,
  planIncomingPayment
} from "../../../src/domain/topups/IncomingPayment.ts"
import {
  IncomingPaymentCommands,
  type IncomingPaymentMessage
} from "../../../src/domain/topups/IncomingPaymentCommand.ts"
import { recordIncomingPayment } from "../../../src/domain/topups/RecordIncomingPayment.ts"
import {
  decideReconciliation,
  evolveReconciliation,
  initialReconciliation,
  planReconciliation,
  type Reconciliation,
  type ReconciliationCommands
} from "../../../src/domain/topups/Reconciliation.ts"
import { topUpId, workspaceId } from "../../support/Ids.ts"
import type { TopUpId } from "../../../src/domain/BrandedIds.ts"

const now = 1_000_000
const arrival = { amount_minor: 700, currency: "KES" as const, account_ref: "room 7", paid_at: 5, arrived_at: now }
const became = (payment: IncomingPayment, ...events: ReadonlyArray<IncomingPaymentEvent>): IncomingPayment =>
  events.reduce(evolveIncomingPayment, payment)

const absent = initialIncomingPayment("R")
const matching = became(absent, { _tag: "Announced", arrival, claimed_by: null })
const claimed = became(matching, { _tag: "Claimed", topup_id: topUpId("t") })
const suspense = became(matching, { _tag: "Suspended", at: now })
const released = became(suspense, { _tag: "Released", workspace_id: workspaceId("w") })
const settled = became(matching, { _tag: "Settled", workspace_id: workspaceId("w"), topup_id: topUpId("t") })
const conditions: Readonly<Record<string, IncomingPayment>> = {
  absent,
  matching,
  claimed,
  suspense,
  released,
  settled
}

const announce = (claimed_by: TopUpId | null): IncomingPaymentMessage => ({
  _tag: "Announce",
  amount_minor: 700,
  currency: "KES",
  account_ref: "room 7",
  paid_at: 5,
  claimed_by
})
const commands: Readonly<Record<string, IncomingPaymentMessage>> = {
  Announce: announce(null),
  "Announce, claimed": announce(topUpId("t")),
  Suspend: { _tag: "Suspend" },
  Release: { _tag: "Release", workspace_id: workspaceId("w"), currency: "KES" },
  Settle: { _tag: "Settle", workspace_id: workspaceId("w"), topup_id: topUpId("t") }
}

/** `-` where nothing happens. */
const table = `
                | absent       | matching  | claimed       | suspense      | released      | settled
Announce         | Announced       | -         | -             | -             | -             | -
Announce, claimed | Announced       | Claimed   | -             | -             | -             | -
Suspend         | -             | Suspended | Suspended     | -             | -             | -
Release         | topup.not_found | topup.not_found | topup.not_found | Released  | topup.not_found | topup.not_found
Settle          | -             | Settled   | Settled       | Settled       | Settled       | -
`
const [head, ...rows] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
const columns = head!.slice(1)

const outcome = (payment: IncomingPayment, command: IncomingPaymentMessage): string => {
  const decided = decideIncomingPayment(payment, command, now)
  return Result.isFailure(decided) ? decided.failure._tag : (decided.success.events[0]?._tag ?? "-")
}

describe("The table of a payment", () => {
  it("has every command and every condition", () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(commands))
    expect(new Set(Object.values(commands).map(({ _tag }) => _tag))).toEqual(
      new Set(Object.keys(IncomingPaymentCommands))
    )
    expect(columns).toEqual(Object.keys(conditions))
  })
  for (const [name, ...cells] of rows) {
    it(`${name}`, () => {
      const is = Object.fromEntries(columns.map((column) => [column, outcome(conditions[column]!, commands[name!]!)]))
      expect(is).toEqual(Object.fromEntries(columns.map((column, index) => [column, cells[index]])))
    })
  }

  it("plans the work of each state", () => {
    const keys = Object.values(conditions).map((payment) =>
      planIncomingPayment(payment)
        .map(({ key }) => key)
        .join()
    )
    assert.deepStrictEqual(keys, ["", "match:null", "match:t", "", "release", ""])
  })

  it("books a payment without a known owner against the provider's account", () => {
    const {
      ledger: [entry]
    } = recordIncomingPayment({ after: suspense, events: [{ _tag: "Suspended", at: now }] })
    assert.deepInclude(entry, { workspace_id: null, kind: "suspense", amount_minor: 700, reference_id: "R" })
    assert.deepStrictEqual(entry!.lines, [
      { account: "clearing:mobilemoney", amount_minor: -700 },
      { account: "suspense", amount_minor: 700 }
    ])
    assert.deepStrictEqual(
      recordIncomingPayment({
        after: settled,
        events: [{ _tag: "Settled", workspace_id: workspaceId("w"), topup_id: topUpId("t") }]
      }).ledger,
      []
    )
  })
})

describe("A phone", () => {
  const reserve = (topup_id: TopUpId, at: number, instead_of: TopUpId | null = null, phone = freePhone()) =>
    Result.getOrThrow(decidePhoneLock(phone, { _tag: "Reserve", topup_id, instead_of }, at))
  const taken = { topup_id: topUpId("a"), until: now + 60_000 }
  const lock = { _tag: "Present", ...taken } as const

  it("belongs to one top-up for a minute, or until that top-up ends", () => {
    assert.deepInclude(reserve(topUpId("a"), now).events[0], { topup_id: topUpId("a"), until: now + 60_000 })
    assert.deepStrictEqual(reserve(topUpId("b"), now + 59_999, null, lock), {
      events: [],
      reply: taken
    })
    for (const [at, instead_of, who] of [
      [now + 60_000, null, topUpId("b")],
      [now, topUpId("a"), topUpId("b")],
      [now, null, topUpId("a")]
    ] as const) {
      assert.strictEqual(reserve(who, at, instead_of, lock).reply, null)
    }
    assert.deepStrictEqual(reserve(topUpId("c"), now, topUpId("b"), lock).reply, taken)
  })
})

describe("The reading of the provider's list", () => {
  const told = (state: Reconciliation, command: Message<ReconciliationCommands>, at: number): Reconciliation =>
    Result.getOrThrow(decideReconciliation(state, command, at)).events.reduce(evolveReconciliation, state)
  const due = (state: Reconciliation) => planReconciliation(state).map(({ at }) => at)

  it("starts once, repeats every ten minutes, and can be requested earlier at most twice a minute", () => {
    const begun = told(initialReconciliation(), { _tag: "Begin" }, now)
    assert.deepStrictEqual(
      [due(initialReconciliation()), due(begun), due(told(begun, { _tag: "Begin" }, now + 9))],
      [[], [now], [now]]
    )
    const read = told(begun, { _tag: "Read" }, now)
    assert.deepStrictEqual(due(read), [now + 600_000])
    assert.deepStrictEqual(due(told(read, { _tag: "Hurry" }, now + 1)), [now + 30_000])
    assert.deepStrictEqual(due(told(read, { _tag: "Hurry" }, now + 40_000)), [now + 40_000])
    assert.deepStrictEqual(due(told(told(read, { _tag: "Hurry" }, now + 1), { _tag: "Hurry" }, now + 2)), [
      now + 30_000
    ])
    assert.deepStrictEqual(due(told(read, { _tag: "Hurry" }, now + 599_999)), [now + 599_999])
  })
})
