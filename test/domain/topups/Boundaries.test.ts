// What is decided by one millisecond, or must not be decided twice.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin as origin } from "../../../src/domain/access/Origin.ts"
import { decideTopUp } from "../../../src/domain/topups/DecideTopUp.ts"
import {
  evolveTopUp,
  promptLifetime_ms,
  initialTopUp,
  receiptDeadline_ms,
  type TopUp,
  type TopUpEvent,
  type TopUpFacts
} from "../../../src/domain/topups/TopUp.ts"
import type { TopUpMessage } from "../../../src/domain/topups/TopUpCommand.ts"
import { topUpId, workspaceId } from "../../support/Ids.ts"

const now = Date.UTC(2026, 10, 20)
const facts: TopUpFacts = {
  workspace_id: workspaceId("w"),
  provider: "mobilemoney",
  amount_minor: 500,
  currency: "KES",
  phone_e164: "+254700000000",
  account_ref: "0000000000",
  created_at: now
}
const proof = { receipt: "R", amount_minor: 500, from_suspense: false }
const became = (topup: TopUp, ...events: ReadonlyArray<TopUpEvent>): TopUp => events.reduce(evolveTopUp, topup)
const pushing = became(
  initialTopUp(topUpId("t")),
  { _tag: "Started", facts, proof: null, origin },
  { _tag: "PushBegun" }
)
const tags = (topup: TopUp, command: TopUpMessage, at = now) =>
  Result.getOrThrow(decideTopUp(topup, command, at)).events.map(({ _tag }) => _tag)

describe("a prompt", () => {
  it("expires exactly at its deadline, not before", () => {
    assert.deepStrictEqual(tags(pushing, { _tag: "Expire" }, now + promptLifetime_ms - 1), [])
    assert.deepStrictEqual(tags(pushing, { _tag: "Expire" }, now + promptLifetime_ms), ["Expired"])
    const confirmed = became(pushing, { _tag: "Confirmed", at: now })
    assert.deepStrictEqual(tags(confirmed, { _tag: "Expire" }, now + receiptDeadline_ms - 1), [])
    assert.deepStrictEqual(tags(confirmed, { _tag: "Expire" }, now + receiptDeadline_ms), ["Failed"])
  })

  it("whose payment is proved does not fail by a later refusal", () => {
    const refusal: TopUpMessage = { _tag: "PushRefused", code: "provider_error", message: "" }
    assert.deepStrictEqual(tags(pushing, refusal), ["PushRefused"])
    for (const last of [
      { _tag: "Proved", proof },
      { _tag: "Expired", at: now }
    ] as const) {
      assert.deepStrictEqual(tags(became(pushing, last), refusal), [], last._tag)
    }
  })
})

it("A reversal is counted once", () => {
  const reversing = became(
    pushing,
    { _tag: "Proved", proof },
    { _tag: "Credited", at: now },
    { _tag: "ReversalRequested", entry_id: "e", amount_minor: 500, note: "", origin }
  )
  assert.deepStrictEqual(tags(reversing, { _tag: "Debited" }), ["Reversed"])
  assert.deepStrictEqual(
    tags(became(reversing, { _tag: "Reversed", at: now, amount_minor: 500 }), { _tag: "Debited" }),
    []
  )
})
