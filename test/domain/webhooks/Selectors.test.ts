import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { eventKinds, families } from "../../../src/domain/events/EventTable.ts"
import { selectors } from "../../../src/domain/webhooks/Selectors.ts"

const kindsOf = (...events: ReadonlyArray<string>) => Result.getOrThrow(selectors(events)).kinds

const refusal = (...events: ReadonlyArray<string>) => {
  const failure = Result.getOrThrow(Result.flip(selectors(events)))
  return { code: failure._tag, fields: failure.details?.map(({ field }) => field) }
}

describe("event selectors", () => {
  it("are kinds, wildcards and families", () => {
    assert.deepStrictEqual(kindsOf("call.completed"), ["call.completed"])
    assert.deepStrictEqual(kindsOf("wallet.*"), [
      "wallet.adjusted",
      "wallet.auto_topup_disabled",
      "wallet.low_balance",
      "wallet.negative"
    ])
    assert.deepStrictEqual(kindsOf("*"), [...eventKinds].toSorted())
    assert.deepStrictEqual(kindsOf("call_lifecycle"), [
      "call.answered",
      "call.busy",
      "call.canceled",
      "call.completed",
      "call.failed",
      "call.no_answer",
      "call.ringing"
    ])
    assert.deepStrictEqual(kindsOf("billing"), [
      "call.balance_low",
      "number.past_due",
      "number.renewed",
      "storage.tier_changed",
      "topup.failed",
      "topup.reversed",
      "topup.succeeded",
      "wallet.adjusted",
      "wallet.auto_topup_disabled",
      "wallet.low_balance",
      "wallet.negative"
    ])
    assert.deepStrictEqual(kindsOf("security"), [
      "security.call_burst",
      "security.callback_waivers_used_up",
      "security.calls_failing",
      "security.first_international_call",
      "security.new_country_called",
      "security.registration_attack",
      "security.spend_limit_reached",
      "sip_credential.created",
      "sip_credential.revoked",
      "sip_credential.rotated",
      "webhook.disabled",
      "webhook.test",
      "workspace.reinstated",
      "workspace.suspended"
    ])
  })

  it("cover every kind by its prefix, and every family has known kinds only", () => {
    for (const kind of eventKinds) assert.include(kindsOf(`${kind.split(".")[0]}.*`), kind)
    for (const [name, kinds] of Object.entries(families)) {
      assert.isNotEmpty(kinds, name)
      assert.deepStrictEqual(kindsOf(name), [...kinds].toSorted())
    }
  })

  it("lose duplicates and keep the selectors as written", () => {
    const { events, kinds } = Result.getOrThrow(selectors(["call.busy", "call_lifecycle", "call.busy"]))
    assert.deepStrictEqual(events, ["call.busy", "call_lifecycle"])
    assert.strictEqual(new Set(kinds).size, kinds.length)
  })

  it("are refused with a pointer to each unknown one", () => {
    assert.deepStrictEqual(refusal("call.completed", "transcript.*", "call.exploded", "nothing"), {
      code: "webhooks.event_unsupported",
      fields: ["/events/1", "/events/2", "/events/3"]
    })
    for (const odd of [
      "",
      "call",
      "call.",
      ".*",
      "**",
      "call.*.*",
      "*.completed",
      "CALL.COMPLETED",
      " call.busy",
      "constructor",
      "__proto__"
    ]) {
      assert.deepStrictEqual(refusal(odd).fields, ["/events/0"], odd)
    }
  })

  it("must not be empty", () => {
    assert.deepStrictEqual(refusal(), { code: "webhooks.event_unsupported", fields: ["/events"] })
  })
})
