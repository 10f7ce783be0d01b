import { assert, describe, it } from "@effect/vitest"
import { HangupCause } from "../../src/domain/calls/state/CallRecord.ts"
import { refusedBy } from "../../src/domain/calls/views/HangupCauses.ts"
import { hangupReason } from "../../src/web/HangupReason.ts"

describe("the reason of a hang-up", () => {
  it("is the engine's cause for every final response of the other side", () => {
    for (let code = 300; code < 700; code++) {
      const { cause } = refusedBy(code)
      const reason = hangupReason({ answered: false, by: "remote", code })
      assert.strictEqual(reason, cause, String(code))
      assert.include(HangupCause.literals, reason)
    }
  })

  it("tells who gave up an unanswered call", () => {
    assert.strictEqual(hangupReason({ answered: false, by: "local" }), "canceled_by_workspace")
    assert.strictEqual(hangupReason({ answered: false, by: "local", code: 487 }), "canceled_by_workspace")
    assert.strictEqual(hangupReason({ answered: false, by: "remote" }), "no_answer")
    assert.strictEqual(hangupReason({ answered: false, by: "system" }), "session_lost")
  })

  it("tells that another device answered, in the words of Asterisk and of RFC 3326", () => {
    for (const header of [
      "Q.850;cause=26",
      'SIP;cause=200;text="Call completed elsewhere"',
      'Q.850 ;cause = 26 ;text="x"'
    ])
      assert.strictEqual(hangupReason({ answered: false, by: "remote", header }), "answered_elsewhere")
    assert.strictEqual(hangupReason({ answered: false, by: "remote", header: "Q.850;cause=260" }), "no_answer")
  })

  it("of an answered call is normal, unless the session was lost", () => {
    assert.strictEqual(hangupReason({ answered: true, by: "local" }), "normal_clearing")
    assert.strictEqual(hangupReason({ answered: true, by: "remote", header: "Q.850;cause=16" }), "normal_clearing")
    assert.strictEqual(hangupReason({ answered: true, by: "system" }), "session_lost")
  })
})
