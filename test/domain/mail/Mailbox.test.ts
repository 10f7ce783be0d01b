import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  decideMailbox,
  emptyMailbox,
  evolveMailbox,
  type Mailbox,
  type MailboxMessage,
  planMailbox
} from "../../../src/domain/mail/Mailbox.ts"

const now = Date.UTC(2026, 10, 20)
const minute = 60_000
const send = (id: string, expires_at = now + 15 * minute): MailboxMessage => ({
  _tag: "Send",
  id,
  sealed: "sealed",
  expires_at
})

const after = (mailbox: Mailbox, command: MailboxMessage, at = now): Mailbox =>
  Result.getOrThrow(decideMailbox(mailbox, command, at)).events.reduce(evolveMailbox, mailbox)
const tags = (mailbox: Mailbox, command: MailboxMessage, at = now) =>
  Result.match(decideMailbox(mailbox, command, at), {
    onFailure: ({ _tag }) => [_tag as string],
    onSuccess: ({ events }) => events.map(({ _tag }) => _tag)
  })

const empty = emptyMailbox("ann@example.com")
const waiting = after(empty, send("a"))
const sent = after(waiting, { _tag: "Delivered", id: "a" })
const failed = after(waiting, { _tag: "Failed", id: "a", attempt: 1 })

describe("a mailbox", () => {
  it("accepts a message once, plans to send it, and drops its content when it is sent", () => {
    assert.deepStrictEqual(tags(empty, send("a")), ["Taken"])
    assert.deepStrictEqual(tags(waiting, send("a")), [])
    assert.deepStrictEqual(tags(sent, send("a")), [])
    assert.deepStrictEqual(
      planMailbox(waiting).map((work) => "key" in work && work.key),
      ["mail:a:0"]
    )
    assert.deepStrictEqual(planMailbox(sent), [])
    assert.notInclude(JSON.stringify(sent), "sealed")
    assert.deepStrictEqual(tags(sent, { _tag: "Delivered", id: "a" }), [])
    assert.deepStrictEqual(tags(sent, { _tag: "Failed", id: "a", attempt: 1 }), [])
  })

  it("retries after growing pauses until the message expires", () => {
    assert.deepStrictEqual(
      failed.pending.map(({ attempts, next_at }) => [attempts, next_at - now]),
      [[1, 1_000]]
    )
    assert.deepStrictEqual(tags(failed, { _tag: "Failed", id: "a", attempt: 1 }), [], "an earlier attempt")
    const pauses: Array<number> = []
    let [mailbox, at] = [waiting, now]
    for (let attempt = 1; mailbox.pending.length > 0; attempt++) {
      mailbox = after(mailbox, { _tag: "Failed", id: "a", attempt }, at)
      const next_at = mailbox.pending[0]?.next_at ?? at
      pauses.push(next_at - at)
      at = next_at
    }
    assert.deepStrictEqual(pauses, [1_000, 5_000, 30_000, 120_000, 300_000, 0])
  })

  it("refuses the twenty-first pending message", () => {
    const full = Array.from({ length: 20 }, (_, n) => send(`${n}`)).reduce(
      (mailbox, command) => after(mailbox, command),
      empty
    )
    assert.deepStrictEqual(tags(full, send("more")), ["rate_limited"])
    assert.deepStrictEqual(tags(after(full, { _tag: "Delivered", id: "3" }), send("more")), ["Taken"])
  })
})
