import { assert, describe, it } from "@effect/vitest"
import { instantOf } from "../../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { type Ending, endingOf, reasonOf, reasonOfSip } from "../../../../../src/layers/pbx/asterisk/calls/Endings.ts"
import { voiceOf } from "../../../../../src/layers/pbx/SpeakerVoice.ts"

const leg: Ending = {
  direction: "outbound",
  calls_devices: false,
  answered: false,
  rang: false,
  local_hangup: false,
  remote_hangup: false,
  limit_reached: false,
  reject_code: undefined,
  cause: 0,
  tech_cause: undefined
}

describe("the reason of a leg that Asterisk ends by itself", () => {
  it.each<readonly [string, Partial<Ending>, string | undefined]>([
    ["when the talk limit is reached", { limit_reached: true }, "talk_limit"],
    ["when the talk limit is reached in a bridge", { limit_reached: true, cause: 16 }, "talk_limit"],
    ["before the talk limit is reached", {}, undefined],
    ["because of a fault", { limit_reached: true, cause: 38 }, undefined],
    ["because no audio arrives", { limit_reached: true, cause: 44 }, "media_timeout"],
    ["when the engine hung up", { limit_reached: true, local_hangup: true }, undefined],
    [
      "because a re-INVITE offers no codec that is allowed",
      { remote_hangup: true, cause: 58, tech_cause: 488 },
      "media_failed"
    ],
    ["when the far end hung up with the same cause", { remote_hangup: true, cause: 58 }, undefined],
    ["when the far end hung up", { limit_reached: true, remote_hangup: true, cause: 16 }, undefined]
  ])("%s", (_when, changed, reason) => {
    assert.strictEqual(endingOf({ ...leg, answered: true, ...changed }).reason, reason)
  })
})

describe("the end of a leg", () => {
  it.each([
    [
      "answered, the far end hung up",
      { answered: true, rang: true, remote_hangup: true, cause: 16 },
      200,
      16,
      "callee"
    ],
    ["answered, the engine hung up", { answered: true, local_hangup: true, cause: 16 }, 200, 16, "platform"],
    ["answered, ended by Asterisk's own timer", { answered: true, cause: 0 }, 200, 16, "platform"],
    ["answered, another fault of the far end", { answered: true, remote_hangup: true, cause: 44 }, 200, 44, "callee"],
    [
      "inbound, the caller hung up after the answer",
      { direction: "inbound", answered: true, remote_hangup: true, cause: 0 },
      200,
      16,
      "caller"
    ],
    [
      "inbound, the caller hung up before the answer",
      { direction: "inbound", rang: true, remote_hangup: true, cause: 0 },
      487,
      16,
      "caller"
    ],
    [
      "inbound, rejected by the engine",
      { direction: "inbound", local_hangup: true, reject_code: 486, cause: 0 },
      486,
      17,
      "platform"
    ],
    ["busy at once", { remote_hangup: true, cause: 17, tech_cause: 486 }, 486, 17, "callee"],
    ["busy everywhere", { remote_hangup: true, cause: 17, tech_cause: 600 }, 600, 17, "callee"],
    ["declined", { remote_hangup: true, rang: true, cause: 21, tech_cause: 603 }, 603, 21, "callee"],
    [
      "forbidden, which has the same Q.850 cause",
      { remote_hangup: true, cause: 21, tech_cause: 403 },
      403,
      21,
      "carrier"
    ],
    ["no such number", { remote_hangup: true, cause: 1, tech_cause: 404 }, 404, 1, "carrier"],
    ["a fault of the carrier", { remote_hangup: true, cause: 34, tech_cause: 503 }, 503, 34, "carrier"],
    ["rang out at the far end", { remote_hangup: true, rang: true, cause: 19, tech_cause: 480 }, 480, 19, "carrier"],
    ["rang until the engine's timeout", { rang: true, cause: 19, tech_cause: 480 }, 408, 19, "platform"],
    ["a carrier that never responded", { cause: 19, tech_cause: 480 }, 504, 18, "carrier"],
    ["canceled while it rang", { rang: true, local_hangup: true, cause: 16 }, 487, 16, "platform"],
    ["canceled because another leg was answered", { rang: true, local_hangup: true, cause: 26 }, 487, 26, "platform"],
    [
      "a carrier that responds with nothing or 408",
      { remote_hangup: true, cause: 18, tech_cause: 408 },
      503,
      18,
      "carrier"
    ],
    [
      "a device that responds with nothing",
      { calls_devices: true, remote_hangup: true, cause: 18, tech_cause: 408 },
      408,
      18,
      "carrier"
    ],
    [
      "a person who did not respond",
      { rang: true, remote_hangup: true, cause: 18, tech_cause: 408 },
      408,
      18,
      "carrier"
    ],
    ["an answer without SDP", { remote_hangup: true, cause: 127, tech_cause: 406 }, 406, 127, "carrier"],
    ["a cause without a SIP code", { remote_hangup: true, cause: 28 }, 484, 28, "carrier"],
    ["an unknown cause", { remote_hangup: true, cause: 99 }, 503, 99, "carrier"]
  ] as const)("%s", (_, change, sip_code, q850, source) => {
    assert.deepStrictEqual(endingOf({ ...leg, ...change }), { sip_code, q850, source })
  })

  it("is media_timeout if Asterisk received no audio for too long", () => {
    assert.deepStrictEqual(endingOf({ ...leg, answered: true, cause: 44 }), {
      sip_code: 200,
      q850: 44,
      source: "platform",
      reason: "media_timeout"
    })
    assert.notProperty(endingOf({ ...leg, answered: true, local_hangup: true, cause: 44 }), "reason")
  })

  it.each([
    ["user_busy", "busy"],
    ["call_rejected", "rejected"],
    ["answered_elsewhere", "answered_elsewhere"],
    ["normal_clearing", "normal"],
    ["unallocated_number", "unallocated"],
    ["network_congestion", "congestion"],
    ["canceled_by_workspace", "normal"]
  ])("maps the hang-up cause %s to the reason %s of a request to Asterisk", (cause, reason) =>
    assert.strictEqual(reasonOf(cause), reason)
  )
})

it.each([
  [486, "busy"],
  [403, "rejected"],
  [404, "unallocated"],
  [480, "no_answer"],
  [503, "congestion"],
  [603, "normal"]
])("maps a rejection with %i to the reason %s", (sip_code, reason) => assert.strictEqual(reasonOfSip(sip_code), reason))

it.each([
  [undefined, undefined, "en-us"],
  ["female", "en-GB", "en-gb+f3"],
  [undefined, "sw", "sw"],
  [undefined, "sw-KE", "sw"],
  ["Man", "fr-FR", "fr+m3"],
  [undefined, "../../etc", "en-us"],
  [undefined, "-v x", "en-us"]
])("maps the voice %s in %s to %s", (voice, language, expected) =>
  assert.strictEqual(voiceOf(voice, language), expected)
)

it("parses Asterisk's timestamps, whose offset has no colon", () => {
  assert.strictEqual(instantOf("2026-11-20T17:39:57.088+0000"), Date.parse("2026-11-20T17:39:57.088Z"))
  assert.strictEqual(instantOf("2026-11-20T20:39:57.088+0300"), Date.parse("2026-11-20T17:39:57.088Z"))
})
