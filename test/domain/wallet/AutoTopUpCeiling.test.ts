import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type Origin, systemOrigin } from "../../../src/domain/access/Origin.ts"
import { autoTopUpChangedEmail } from "../../../src/domain/mail/WalletEmails.ts"
import { presentOf } from "../../../src/domain/Presence.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import { restoreWallet, stateOfWallet } from "../../../src/domain/wallet/StoredWallet.ts"
import type { PresentWallet } from "../../../src/domain/wallet/Wallet.ts"
import { became, credit, empty, now } from "../../support/WalletStates.ts"

const by = (type: "user" | "api_key" | "ops"): Origin => ({
  ...systemOrigin,
  actor: { type, id: `${type}-1`, label: type === "user" ? "ann@example.com" : null }
})
const card = { reference: "cus_1 pm_1", brand: "visa", last4: "4242" }
const settings = { enabled: true, threshold_minor: 500, amount_minor: 400, monthly_ceiling_minor: 1_000 }
const carded = became(empty, { ...credit(1_000, "first"), card, _tag: "Credited", at: now })

const set = (wallet: PresentWallet, origin: Origin, change: Partial<typeof settings> = {}, at = now) =>
  Result.map(
    decideWallet(
      wallet,
      { _tag: "SetAutoTopUp", settings: { ...settings, ...change }, account_ref: "REF", origin },
      at
    ),
    ({ events }) => became(wallet, ...events)
  )
const ceiling1000 = Result.getOrThrow(set(carded, by("user")))

describe("the ceiling of automatic top-ups", () => {
  for (const [who, wallet, monthly_ceiling_minor, allowed] of [
    ["api_key", carded, 0, true],
    ["api_key", carded, 1, false],
    ["user", carded, 1, true],
    ["api_key", ceiling1000, 1_000, true],
    ["api_key", ceiling1000, 999, true],
    ["api_key", ceiling1000, 1_001, false],
    ["user", ceiling1000, 1_001, true],
    ["ops", ceiling1000, 1_001, true]
  ] as const)
    it(`of ${wallet === carded ? "none" : 1_000} may ${allowed ? "" : "not "}be ${monthly_ceiling_minor} by ${who}`, () => {
      for (const enabled of [true, false]) {
        const result = set(wallet, by(who), { enabled, monthly_ceiling_minor })
        assert.strictEqual(Result.isSuccess(result), allowed)
        if (Result.isFailure(result)) assert.strictEqual(result.failure._tag, "api_key.scope_denied")
      }
    })

  it("stays lowered for a key that lowered it", () => {
    const lowered = Result.getOrThrow(set(ceiling1000, by("api_key"), { monthly_ceiling_minor: 600 }))
    assert.isTrue(Result.isFailure(set(lowered, by("api_key"), { monthly_ceiling_minor: 1_000 })))
  })
})

describe("a change of automatic top-ups", () => {
  const letters = (wallet: PresentWallet) => wallet.letters ?? []
  const sent = (wallet: PresentWallet): PresentWallet =>
    became(wallet, ...letters(wallet).map(({ id }) => ({ _tag: "LetterSent", at: now, id }) as const))

  it("is a mail to the admins with what is set now, and by whom", () => {
    const [first, ...others] = letters(ceiling1000)
    assert.deepInclude(first, { _tag: "AutoTopUpChanged", at: now, ...settings, by: "ann@example.com" })
    assert.deepStrictEqual(others, [])
    const changed = Result.getOrThrow(set(sent(ceiling1000), by("api_key"), { amount_minor: 300 }))
    assert.deepInclude(letters(changed)[0], { amount_minor: 300, by: "the API key api_key-1" })
  })

  it("is no mail if nothing differs", () => {
    assert.deepStrictEqual(letters(Result.getOrThrow(set(sent(ceiling1000), by("api_key")))), [])
  })

  it("is a mail ten times a day at most, so that a stolen key fills no mailbox", () => {
    let wallet = sent(ceiling1000)
    let mails = 1
    const change = (at: number, n: number) => {
      wallet = Result.getOrThrow(set(wallet, by("api_key"), { amount_minor: 100 + n }, at))
      mails += letters(wallet).length
      wallet = sent(presentOf(restoreWallet(storedRow(wallet), wallet.workspace_id)))
    }
    for (let n = 0; n < 30; n++) change(now, n)
    assert.strictEqual(mails, 10)
    change(now + 86_400_000, 99)
    assert.strictEqual(mails, 11)
  })

  it("is written in words", () => {
    const { subject, text } = autoTopUpChangedEmail({
      ...settings,
      by: "the API key 7",
      currency: "KES",
      is_test: false,
      workspace: "Acme"
    })
    assert.strictEqual(subject, "Automatic top-ups of Acme were changed")
    assert.include(text, "the API key 7")
    assert.include(text, "While less than 5.00 KES is available, 4.00 KES is charged, up to 10.00 KES a month.")
    const off = autoTopUpChangedEmail({
      ...settings,
      enabled: false,
      by: "ann@example.com",
      currency: "KES",
      is_test: true,
      workspace: "Acme"
    })
    assert.include(off.text, "They are turned off.")
    assert.match(off.subject, /^\[Test mode\] /)
  })
})

function storedRow(wallet: PresentWallet) {
  return { version: 1, workspace_id: wallet.workspace_id, state: stateOfWallet(wallet), alarm: null, holds: [] }
}
