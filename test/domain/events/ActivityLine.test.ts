// One line of the log for a stored event.
import { assert, describe, it } from "@effect/vitest"
import { activityLine } from "../../../src/domain/events/ActivityLine.ts"
import { eventTable } from "../../../src/domain/events/EventTable.ts"

const subject_id = "01981d5e-0000-7000-8000-00001234abcd"
const line = (kind: string, payload: unknown) => activityLine({ kind, subject_id, payload: JSON.stringify(payload) })
const example = (kind: string) => line(kind, eventTable.find((event) => event.kind === kind)?.example)

describe("the line of an event", () => {
  it.each([
    ["call.ringing", "call 1234abcd  ringing  outbound, +254700000001 → +254711000001", false],
    ["call.answered", "call 1234abcd  answered", false],
    ["call.completed", "call 1234abcd  completed  55 s, KES 3.00, normal_clearing", false],
    ["call.busy", "call 1234abcd  busy  KES 0.00, user_busy", false],
    ["call.no_answer", "call 1234abcd  no_answer  KES 0.00, no_answer", false],
    ["topup.succeeded", "topup 1234abcd  succeeded  KES 1000.00", false],
    ["topup.failed", "topup 1234abcd  failed  KES 1000.00, cancelled_by_user", false],
    ["webhook.disabled", "webhook 1234abcd  disabled  failing, example.com", true]
  ])("%s says what happened", (kind, text, failed) => {
    assert.deepStrictEqual(example(kind), { text, failed })
  })

  it("says why a callback failed", () => {
    const payload = {
      cause: "voice_action_invalid",
      http_status: 200,
      pointer: "/actions/0/say/txt",
      detail: "Unknown member."
    }
    assert.deepStrictEqual(line("call.callback_failed", payload), {
      text: "call 1234abcd  callback_failed  voice_action_invalid, HTTP 200, /actions/0/say/txt, Unknown member.",
      failed: true
    })
  })

  it("is none for other events", () => {
    for (const kind of ["call.progress", "call.dtmf", "wallet.low_balance", "toString"])
      assert.isUndefined(line(kind, {}))
  })

  it("stays one line, whatever a caller writes, and is short", () => {
    const from = "+2547\r\n12:00 INFO: call 0 completed \u001b[2J\u2028x"
    const { text = "" } = line("call.ringing", { direction: "inbound", from, to: "9".repeat(10_000) }) ?? {}
    assert.notMatch(text, /[\p{Cc}\u2028]/u)
    assert.isBelow(text.length, 600)
    assert.strictEqual(
      activityLine({ kind: "call.answered", subject_id: "a\nb", payload: "{}" })?.text,
      "call a\uFFFDb  answered"
    )
  })

  it("says less about a payload that cannot be read", () => {
    assert.strictEqual(
      activityLine({ kind: "call.completed", subject_id, payload: "[" })?.text,
      "call 1234abcd  completed"
    )
  })
})
