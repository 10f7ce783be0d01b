import { assert, describe, it } from "@effect/vitest"
import { EventReader } from "../../src/client/EventReader.ts"

const text = `: ready

retry: 2000

id: a.1.0

id: b.2.1
event: call.dtmf
data: {"digit":"1"}

: ping

event: closing
data: {"reason":"shutdown"}

data: one
data: two

`
const expected = [
  { event: "call.dtmf", data: `{"digit":"1"}`, id: "b.2.1" },
  { event: "closing", data: `{"reason":"shutdown"}`, id: "b.2.1" },
  { event: "message", data: "one\ntwo", id: "b.2.1" }
]

describe("the reader of an event stream", () => {
  it("reads the events, however the text is cut and whatever ends its lines", () => {
    for (const lineEnd of ["\n", "\r\n", "\r"]) {
      const sent = text.replaceAll("\n", lineEnd)
      for (let size = 1; size <= sent.length; size += size < 20 ? 1 : 37) {
        const reader = new EventReader(null)
        const parts = Array.from({ length: Math.ceil(sent.length / size) }, (_, n) =>
          sent.slice(n * size, (n + 1) * size)
        )
        const events = parts.flatMap((part) => reader.push(part))
        // A carriage return at the end may be the first half of a line break, so the last event waits.
        const complete = lineEnd === "\r" ? [...events, ...reader.push("\n")] : events
        assert.deepStrictEqual(complete, expected, `${JSON.stringify(lineEnd)} in parts of ${size}`)
        assert.strictEqual(reader.lastEventId, "b.2.1")
      }
    }
  })

  it("keeps an id that came without an event, and forgets half an event", () => {
    const reader = new EventReader("before")
    assert.deepStrictEqual(reader.push("data: half"), [])
    assert.strictEqual(reader.lastEventId, "before")
    assert.deepStrictEqual(reader.push("\nid: 7\n"), [])
    assert.strictEqual(reader.lastEventId, "before")
    assert.deepStrictEqual(reader.push("\n"), [{ event: "message", data: "half", id: "7" }])
    assert.deepStrictEqual(reader.push("id: 8\n\n"), [])
    assert.strictEqual(reader.lastEventId, "8")
  })
})
