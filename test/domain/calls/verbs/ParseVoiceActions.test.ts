import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parseVoiceActions } from "../../../../src/domain/calls/verbs/ParseVoiceActions.ts"

const say = (value: unknown) => JSON.stringify({ actions: [{ say: value }] })
const dial = (value: unknown) => JSON.stringify({ actions: [{ dial: value }] })

const action = (value: unknown) => JSON.stringify({ actions: [value] })

describe("a voice callback's document", () => {
  const good: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
    [`{"actions": []}`, []],
    [`{"actions": [{"hangup": {}}]}`, [{ hangup: {} }]],
    [`{"actions": [{"hangup": {"reason": "busy"}}]}`, [{ hangup: { reason: "busy" } }]],
    [say({ text: "Hello" }), [{ say: { text: "Hello" } }]],
    [
      say({ text: "x".repeat(3_000), voice: "amy", language: "en-GB", loop: 2 }),
      [{ say: { text: "x".repeat(3_000), voice: "amy", language: "en-GB", loop: 2 } }]
    ],
    [
      dial({ number: "+254700000001", callerId: "+254700000002", timeout: 5 }),
      [{ dial: { number: "+254700000001", callerId: "+254700000002", timeout: 5 } }]
    ],
    [
      JSON.stringify({ actions: Array.from({ length: 100 }, () => ({ hangup: {} })) }),
      Array.from({ length: 100 }, () => ({ hangup: {} }))
    ]
  ]
  for (const [text, actions] of good) {
    it(`takes ${text.slice(0, 60)}`, () =>
      assert.deepStrictEqual(Result.getOrThrow(parseVoiceActions(text)), actions as never))
  }

  const bad: ReadonlyArray<readonly [string, string]> = [
    ["", ""],
    ["hello", ""],
    ["{", ""],
    ["null", ""],
    ["[]", ""],
    [`"actions"`, ""],
    ["{}", "/actions"],
    [`{"actions": {}}`, "/actions"],
    [`{"actions": null}`, "/actions"],
    [JSON.stringify({ actions: Array.from({ length: 101 }, () => ({ hangup: {} })) }), "/actions"],
    [`{"actions": [], "version": 1}`, "/version"],
    [`{"actions": [], "a/b~c": 1}`, "/a~1b~0c"],
    [`{"actions": [{"hangup": {}}, 7]}`, "/actions/1"],
    [`{"actions": [null]}`, "/actions/0"],
    [`{"actions": [[]]}`, "/actions/0"],
    [`{"actions": [{}]}`, "/actions/0"],
    [`{"actions": [{"say": {"text": "a"}, "hangup": {}}]}`, "/actions/0"],
    [`{"actions": [{"sing": {}}]}`, "/actions/0/sing"],
    [`{"actions": [{"__proto__": {}}]}`, "/actions/0/__proto__"],
    [`{"actions": [{"constructor": {}}]}`, "/actions/0/constructor"],
    [`{"actions": [{"hangup": null}]}`, "/actions/0/hangup"],
    [`{"actions": [{"hangup": {"reason": "bored"}}]}`, "/actions/0/hangup/reason"],
    [`{"actions": [{"hangup": {"when": "now"}}]}`, "/actions/0/hangup/when"],
    [say("Hello"), "/actions/0/say"],
    [say({}), "/actions/0/say/text"],
    [say({ text: "" }), "/actions/0/say/text"],
    [say({ text: "x".repeat(3_001) }), "/actions/0/say/text"],
    [say({ text: 5 }), "/actions/0/say/text"],
    [say({ text: "a", loop: 1.5 }), "/actions/0/say/loop"],
    [say({ text: "a", loop: 0 }), "/actions/0/say/loop"],
    [say({ text: "a", speed: 2 }), "/actions/0/say/speed"],
    [dial({}), "/actions/0/dial/number"],
    [dial({ number: "0700000001" }), "/actions/0/dial/number"],
    [dial({ number: "+254700000001", timeout: 4 }), "/actions/0/dial/timeout"],
    [dial({ number: "+254700000001", timeout: "30" }), "/actions/0/dial/timeout"],
    [dial({ number: "+254700000001", caller_id: "+254700000002" }), "/actions/0/dial/caller_id"],
    [dial({ number: "+254700000001", sip: "sip:a@b.example" }), "/actions/0/dial/sip"],
    [dial({ number: "+254700000001", numbers: ["+254700000002"] }), "/actions/0/dial/numbers"],
    [dial({ numbers: [] }), "/actions/0/dial/numbers"],
    [dial({ numbers: ["+254700000001", "0700"] }), "/actions/0/dial/numbers/1"],
    [dial({ numbers: ["+254700000001", "+254700000001"] }), "/actions/0/dial/numbers"],
    [dial({ sip: "sip:alice:secret@b.example" }), "/actions/0/dial/sip"],
    [dial({ sip: "tel:+254700000001" }), "/actions/0/dial/sip"],
    [dial({ number: "+254700000001", sequential: "yes" }), "/actions/0/dial/sequential"],
    [dial({ number: "+254700000001", sip_headers: { "X-A": "a\r\nTo: b" } }), "/actions/0/dial/sip_headers/X-A"],
    [dial({ number: "+254700000001", record: "always" }), "/actions/0/dial/record"],
    [action({ gather: { prompt: { say: { text: "" } } } }), "/actions/0/gather/prompt/say/text"],
    [action({ gather: { input: ["smoke"] } }), "/actions/0/gather/input/0"],
    [action({ gather: { input: ["speech", "speech"] } }), "/actions/0/gather/input"],
    [action({ gather: { input: [] } }), "/actions/0/gather/input"],
    [action({ gather: { language: "" } }), "/actions/0/gather/language"],
    [action({ pause: { seconds: 61 } }), "/actions/0/pause/seconds"],
    [action({ play: { url: "file:///etc/passwd" } }), "/actions/0/play/url"],
    [action({ redirect: {} }), "/actions/0/redirect/url"],
    [action({ tag: { metadata: { a: 1 } } }), "/actions/0/tag/metadata/a"],
    [action({ say: { text: "a\0b" } }), "/actions/0/say/text"],
    [`{"actions": [{"say": {"text": "\\ud800"}}]}`, "/actions/0/say/text"]
  ]
  for (const [text, pointer] of bad) {
    it(`points at ${pointer || "the whole"} in ${text.slice(0, 60) || "nothing"}`, () => {
      const fault = Result.getOrThrow(Result.flip(parseVoiceActions(text)))
      assert.strictEqual(fault.pointer, pointer)
      assert.isNotEmpty(fault.detail)
    })
  }

  it("refuses a document of extreme depth without a crash", () => {
    assert.isTrue(Result.isFailure(parseVoiceActions("[".repeat(60_000))))
    assert.isTrue(Result.isFailure(parseVoiceActions(`{"actions":${"[".repeat(30_000)}${"]".repeat(30_000)}}`)))
  })
})
