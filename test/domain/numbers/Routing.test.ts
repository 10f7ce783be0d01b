import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  defaultRouting,
  rerouted,
  type Routing,
  routingChange,
  type RoutingRequest
} from "../../../src/domain/numbers/Routing.ts"

const policy = { allow_insecure: false, allow_private: false }
const current: Routing = {
  ...defaultRouting,
  voice_url: "https://example.com/voice",
  forward_to: { type: "extension", value: "1001", sequential: null },
  ring_timeout_seconds: 45
}

const made = (request: RoutingRequest, mode: "merge" | "replace" = "merge") =>
  rerouted(current, Result.getOrThrow(routingChange(request, policy)), mode)
const refusal = (request: RoutingRequest) => {
  const { _tag, details, reason } = Result.getOrThrow(Result.flip(routingChange(request, policy)))
  return [_tag, reason, details?.[0]?.field]
}

describe("a routing", () => {
  it("is merged: absent members keep their values, and null restores the default", () => {
    assert.deepStrictEqual(made({}), current)
    assert.deepStrictEqual(made({ events_url: "https://example.com/e" }), {
      ...current,
      events_url: "https://example.com/e"
    })
    assert.deepStrictEqual(made({ voice_url: null, ring_timeout_seconds: null, forward_to: null }), defaultRouting)
  })

  it("is replaced: absent members get their defaults", () => {
    assert.deepStrictEqual(made({}, "replace"), defaultRouting)
    assert.deepStrictEqual(made({ record: true }, "replace"), { ...defaultRouting, record: "record-from-answer" })
    assert.strictEqual(made({ record: false }).record, "do-not-record")
  })

  it("accepts valid URLs and names the invalid one", () => {
    const of = (name: "events_url" | "voice_url" | "voice_fallback_url", url: string) => refusal({ [name]: url })
    assert.deepStrictEqual(of("events_url", "nonsense"), ["numbers.invalid_routing_url", "malformed", "/events_url"])
    assert.deepStrictEqual(of("voice_url", "ftp://example.com/"), [
      "numbers.invalid_routing_url",
      "scheme_not_allowed",
      "/voice_url"
    ])
    assert.deepStrictEqual(of("voice_fallback_url", "https://10.0.0.1/"), [
      "numbers.invalid_routing_url",
      "private_address",
      "/voice_fallback_url"
    ])
    assert.deepStrictEqual(of("voice_url", "https://"), ["numbers.invalid_routing_url", "malformed", "/voice_url"])
    assert.deepStrictEqual(of("voice_url", ""), ["numbers.invalid_routing_url", "malformed", "/voice_url"])
  })

  it.each<[RoutingRequest["forward_to"], boolean]>([
    [{ type: "none" }, true],
    [{ type: "none", value: "1001" }, false],
    [{ type: "extension", value: "1001" }, true],
    [{ type: "extension", value: "101" }, false],
    [{ type: "extension", value: ["1001"] }, false],
    [{ type: "extensions", value: ["1001", "1002"], sequential: true }, true],
    [{ type: "extensions", value: ["1001", "1001"] }, false],
    [{ type: "extensions", value: [] }, false],
    [{ type: "e164", value: "+254711000001" }, true],
    [{ type: "e164", value: "0711000001" }, false],
    [{ type: "sip", value: "sip:desk@pbx.example.com" }, true],
    [{ type: "sip", value: "sip:desk:secret@pbx.example.com" }, false],
    [{ type: "sip" }, false]
  ])("accepts or refuses to forward to %j", (forward_to, ok) => {
    if (ok)
      assert.deepStrictEqual(made({ forward_to: forward_to! }).forward_to, {
        value: null,
        sequential: null,
        ...forward_to!
      })
    else
      assert.deepStrictEqual(refusal({ forward_to: forward_to! }), [
        "validation.bad_request",
        undefined,
        "/forward_to/value"
      ])
  })
})
