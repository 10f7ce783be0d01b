import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { toTopUpId } from "../../../src/domain/BrandedIds.ts"
import { changeOf } from "../../../src/domain/Decision.ts"
import type { FailureCode } from "../../../src/domain/wallet/FailureCode.ts"
import type { ChargeOutcome } from "../../../src/domain/wallet/AutoTopUp.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import { planWallet } from "../../../src/domain/wallet/PlanWallet.ts"
import { recordWallet } from "../../../src/domain/wallet/RecordWallet.ts"
import { evolveWallet, type PresentWallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import { became, credit, debit, empty, funded, now } from "../../support/WalletStates.ts"

const hour_ms = 3_600_000
const card = { reference: "cus_1 pm_1", brand: "visa", last4: "4242" }
const topup_id = toTopUpId("0190f5fe-7c00-7a00-8000-0000000000aa")
const settings = { enabled: true, threshold_minor: 500, amount_minor: 400, monthly_ceiling_minor: 1_000 }

const after = (wallet: PresentWallet, command: WalletMessage, at = now): PresentWallet =>
  became(wallet, ...Result.getOrThrow(decideWallet(wallet, command, at)).events)

/** Sets them. The mail about the change is on its way. */
const set = (wallet: PresentWallet, change: Partial<typeof settings> = {}, at = now): PresentWallet => {
  const command = { settings: { ...settings, ...change }, account_ref: "REF", origin: systemOrigin }
  const changed = after(wallet, { _tag: "SetAutoTopUp", ...command }, at)
  const told = (changed.letters ?? []).filter(({ _tag }) => _tag === "AutoTopUpChanged")
  return became(changed, ...told.map(({ id }) => ({ _tag: "LetterSent", at, id }) as const))
}
const begin = (
  wallet: PresentWallet,
  at = now,
  standing: "active" | "suspended" | "closed" = "active",
  id = topup_id
) => after(wallet, { _tag: "BeginAutoTopUp", topup_id: id, standing }, at)
const end = (wallet: PresentWallet, outcome: ChargeOutcome, failure_code: FailureCode | null = null, at = now) =>
  after(wallet, { _tag: "AutoTopUpEnded", topup_id, outcome, failure_code }, at)
const paidIn = (wallet: PresentWallet, amount_minor: number, entry_id: string) =>
  after(wallet, { ...credit(amount_minor, entry_id), card })

/** 300 are available, with a saved card. */
const low = set(after(paidIn(empty, 1_000, "first"), debit(700, false, "spent")))
const works = (wallet: PresentWallet) => planWallet(wallet).map(({ at, key }) => [key, at])
const begun = begin(low)

const other = { reference: "cus_2 pm_2", brand: "mastercard", last4: "4444" }
const remove = (wallet: PresentWallet) => after(wallet, { _tag: "RemoveCard", origin: systemOrigin })
const replace = (wallet: PresentWallet, card: typeof other, entry_id: string) =>
  after(wallet, { ...credit(1, entry_id), card })
const forgotten = (wallet: PresentWallet, reference = card.reference) =>
  after(wallet, { _tag: "CardForgotten", reference })

describe("a card that is not used any more", () => {
  const forget = (reference: string) => [`forget-card:${reference}`, undefined]

  for (const [what, wallet, planned] of [
    ["removed", remove(low), [forget(card.reference)]],
    ["removed twice", remove(remove(low)), [forget(card.reference)]],
    ["removed and forgotten", forgotten(remove(low)), []],
    ["removed, forgotten, and reported again", forgotten(forgotten(remove(low))), []],
    ["removed, while another one is reported", forgotten(remove(low), other.reference), [forget(card.reference)]],
    ["replaced", replace(set(low, { enabled: false }), other, "other"), [forget(card.reference)]],
    ["replaced and removed", remove(replace(low, other, "o")), [forget(card.reference), forget(other.reference)]],
    ["saved again", replace(set(low, { enabled: false }), card, "again"), []],
    ["removed and saved again", replace(remove(low), card, "again"), []],
    ["removed while it is charged", remove(begun), [[`auto-topup:${topup_id}`, undefined]]],
    ["removed while it was charged", end(remove(begun), "succeeded"), [forget(card.reference)]]
  ] as const)
    it(`is forgotten by its provider: ${what}`, () => {
      assert.deepStrictEqual(works(wallet), planned as never)
    })

  it("does not count without a limit while the provider is away", () => {
    let wallet = low
    for (let n = 0; n < 30; n++) wallet = replace(wallet, { ...other, reference: `cus_${n} pm_${n}` }, `entry ${n}`)
    assert.lengthOf(wallet.auto?.removed_cards ?? [], 20)
    assert.strictEqual(wallet.auto?.removed_cards?.at(-1), "cus_28 pm_28")
  })
})

describe("automatic top-ups", () => {
  it("are off by default, and need a card that was saved with a payment", () => {
    assert.deepStrictEqual(works(funded), [])
    const enabling = {
      _tag: "SetAutoTopUp",
      settings,
      account_ref: "REF",
      origin: systemOrigin
    } as const
    assert.strictEqual(
      Result.getOrUndefined(Result.flip(decideWallet(funded, enabling, now)))?._tag,
      "wallet.card_missing"
    )
    const saved = paidIn(empty, 1_000, "first")
    assert.deepStrictEqual(saved.auto?.card, card)
    assert.deepStrictEqual(works(saved), [])
    assert.deepStrictEqual(works(set(saved, { threshold_minor: 1_001 })), [["begin-auto-topup:0", 0]])
    assert.deepStrictEqual(works(set(saved, { threshold_minor: 1_001, enabled: false })), [])
  })

  it("are planned while less than the threshold is available, holds included", () => {
    assert.deepStrictEqual(works(low), [["begin-auto-topup:0", 0]])
    const enough = paidIn(low, 200, "more")
    assert.deepStrictEqual(works(enough), [])
    const holding = after(enough, { _tag: "PlaceHold", hold_id: "h", call_id: "c" as never, amount_minor: 1 })
    assert.include(
      works(holding).map(([key]) => key),
      "begin-auto-topup:0"
    )
  })

  it("are one at a time, and what is charged counts before it is paid", () => {
    assert.deepStrictEqual(works(begun), [[`auto-topup:${topup_id}`, undefined]])
    assert.deepStrictEqual(begun.auto?.charge, {
      topup_id,
      amount_minor: 400,
      card,
      account_ref: "REF",
      begun_at: now
    })
    assert.strictEqual(begun.auto?.charged_minor, 400)
    assert.strictEqual(begin(begun, now, "active", toTopUpId("other")), begun, "one is under way")
    const stranger = after(begun, {
      _tag: "AutoTopUpEnded",
      topup_id: toTopUpId("other"),
      outcome: "failed",
      failure_code: null
    })
    assert.strictEqual(stranger, begun, "the end of another one")
  })

  it("never charge more in a month than the ceiling, and go on in the next month", () => {
    let wallet = low
    for (const n of [1, 2]) {
      wallet = begin(wallet)
      assert.strictEqual(wallet.auto?.charged_minor, n * 400)
      wallet = end(wallet, "succeeded")
    }
    const next = Date.UTC(2026, 11, 1)
    assert.deepStrictEqual(works(wallet), [[`begin-auto-topup:${next}`, next]])
    assert.strictEqual(begin(wallet), wallet)
    assert.strictEqual(begin(wallet, next - 1), wallet)
    const december = begin(wallet, next)
    assert.deepInclude(december.auto, { month: "2026-12", charged_minor: 400 })
    // A clock that is set back does not open the old month again.
    assert.deepInclude(begin(end(december, "succeeded", null, next), now).auto, {
      month: "2026-12",
      charged_minor: 800
    })
  })

  it("begin neither in a suspended nor in a closed workspace", () => {
    const suspended = begin(low, now, "suspended")
    assert.isNull(suspended.auto?.charge ?? null)
    assert.deepStrictEqual(works(suspended), [[`begin-auto-topup:${now + hour_ms}`, now + hour_ms]])
    const closed = begin(low, now, "closed")
    assert.deepInclude(closed.auto, { disabled: "workspace_closed" })
  })

  it("that fail are tried again after an hour and after a day, and then turned off", () => {
    const first = end(begun, "failed", "card_declined")
    assert.strictEqual(first.auto?.charged_minor, 0, "what failed does not count")
    assert.strictEqual(first.auto?.not_before, now + hour_ms)
    assert.strictEqual(begin(first, now + hour_ms - 1), first)
    const second = end(begin(first, now + hour_ms), "failed", "card_declined", now + hour_ms)
    assert.strictEqual(second.auto?.not_before, now + 25 * hour_ms)
    const third = end(begin(second, now + 25 * hour_ms), "failed", "card_declined", now + 25 * hour_ms)
    assert.deepInclude(third.auto, { disabled: "payments_failed", failures: 3 })
    assert.isFalse(third.auto?.settings?.enabled)
    assert.notInclude(
      works(third).map(([key]) => String(key).split(":")[0]),
      "begin-auto-topup"
    )
    const again = set(third)
    assert.deepInclude(again.auto, { disabled: null, failures: 0, not_before: 0 })
    const recovered = end(begin(first, now + hour_ms), "succeeded", null, now + hour_ms)
    assert.deepInclude(recovered.auto, { failures: 0, not_before: 0 })
  })

  for (const [outcome, failure_code, disabled, charged_minor] of [
    ["failed", "authentication_required", "authentication_required", 0],
    ["unconfirmed", "expired", "unconfirmed", 400]
  ] as const)
    it(`are turned off at once if one is ${outcome} (${failure_code})`, () => {
      const off = end(begun, outcome, failure_code)
      assert.deepInclude(off.auto, { disabled, charged_minor, charge: null })
      assert.isFalse(off.auto?.settings?.enabled)
    })

  it("are turned off when a payment is taken back, and when the card is removed", () => {
    const reversal = { ...debit(100, true, "taken"), kind: "topup_reversal" } as const
    assert.deepInclude(after(low, reversal).auto, { disabled: "payment_reversed" })
    assert.deepInclude(after(low, debit(100, true, "rent2")).auto, { disabled: null })
    const removed = after(low, { _tag: "RemoveCard", origin: systemOrigin })
    assert.deepInclude(removed.auto, { card: null, disabled: "card_removed" })
    assert.strictEqual(after(removed, { _tag: "RemoveCard", origin: systemOrigin }), removed)
  })
})

describe("what a wallet tells of automatic top-ups", () => {
  const recorded = (wallet: PresentWallet, command: WalletMessage, at = now) => {
    const { events } = Result.getOrThrow(decideWallet(wallet, command, at))
    return recordWallet(changeOf(evolveWallet, wallet, events, { now: at, uuid: () => "u" }))
  }

  it("is a webhook, a line of the audit log and a mail when they are turned off", () => {
    const ended: WalletMessage = {
      _tag: "AutoTopUpEnded",
      topup_id,
      outcome: "failed",
      failure_code: "authentication_required"
    }
    const { audit, events } = recorded(begun, ended)
    assert.deepStrictEqual(
      events.map(({ kind }) => kind),
      ["wallet.auto_topup_disabled"]
    )
    assert.deepInclude(JSON.parse(events[0]!.payload), {
      reason: "authentication_required",
      failure_code: "authentication_required"
    })
    assert.deepStrictEqual(
      audit.map(({ action_kind }) => action_kind),
      ["wallet.auto_topup_changed"]
    )
    const off = after(begun, ended)
    assert.deepStrictEqual(off.letters, [
      {
        _tag: "AutoTopUpFailed",
        id: `auto_topup ${topup_id}`,
        at: now,
        amount_minor: 400,
        failure_code: "authentication_required",
        next_at: null,
        reason: "authentication_required"
      }
    ])
  })

  it("is a mail for each payment that failed", () => {
    const failed = end(begun, "failed", "card_declined")
    assert.strictEqual(failed.letters?.[0]?._tag === "AutoTopUpFailed" && failed.letters[0].next_at, now + hour_ms)
    assert.deepStrictEqual(end(begun, "succeeded").letters ?? [], [])
  })

  it("has no reference of the card in webhooks or the audit log", () => {
    const text = JSON.stringify([
      recorded(begun, { _tag: "RemoveCard", origin: systemOrigin }).audit,
      recorded(begun, { _tag: "RemoveCard", origin: systemOrigin }).events,
      recorded(low, {
        _tag: "SetAutoTopUp",
        settings: { ...settings, enabled: false },
        account_ref: "r",
        origin: systemOrigin
      }).audit
    ])
    assert.include(text, "wallet.card_removed")
    assert.include(text, "wallet.auto_topup_changed")
    assert.notInclude(text, "cus_1")
  })
})

describe("the mail of a low balance", () => {
  it("is owed once each time the balance falls below the threshold, until it is on its way", () => {
    const warned = after(
      after(funded, { _tag: "SetThreshold", low_balance_threshold_minor: 600, origin: systemOrigin }),
      debit(500)
    )
    const [letter] = warned.letters ?? []
    assert.deepInclude(letter, { _tag: "LowBalance", balance_minor: 500, threshold_minor: 600 })
    assert.deepStrictEqual(
      planWallet(warned).map(({ key }) => key),
      [`letter:${letter!.id}`]
    )
    assert.strictEqual(after(warned, debit(100, false, "more")).letters?.length, 1, "it is below already")
    const sent = after(warned, { _tag: "LetterSent", id: letter!.id })
    assert.deepStrictEqual(planWallet(sent), [])
    const recovered = after(after(sent, credit(500, "x")), debit(600, false, "y"))
    assert.lengthOf(recovered.letters ?? [], 1)
    assert.notStrictEqual(recovered.letters?.[0]?.id, letter!.id)
  })

  it("is dropped, the oldest first, if none can be handed over", () => {
    let wallet = after(funded, { _tag: "SetThreshold", low_balance_threshold_minor: 600, origin: systemOrigin })
    for (let n = 0; n < 12; n++) wallet = after(after(wallet, debit(500, false, `d${n}`)), credit(500, `c${n}`))
    assert.lengthOf(wallet.letters ?? [], 10)
  })
})
