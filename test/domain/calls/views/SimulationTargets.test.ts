import { assert, describe, it } from "@effect/vitest"
import { simulatedBody } from "../../../../src/domain/calls/views/CallbackBody.ts"
import {
  callbacksOf,
  isOnConfiguredServer,
  unconfigured
} from "../../../../src/domain/calls/views/SimulationTargets.ts"

const voice = "https://app.example.com/voice"
const fallback = "https://backup.example.com/voice?x=1"
const configured = callbacksOf({ voice_url: voice, voice_fallback_url: fallback })

describe("the callbacks of a simulation", () => {
  it.each([
    [{}, undefined],
    [{ voice_callback_url: voice }, undefined],
    [{ voice_callback_url: fallback, voice_fallback_url: voice }, undefined],
    [{ voice_callback_url: `${voice}/` }, "voice_callback_url"],
    [{ voice_callback_url: "https://app.example.com.evil.example/voice" }, "voice_callback_url"],
    [{ voice_callback_url: voice, voice_fallback_url: "https://evil.example/" }, "voice_fallback_url"]
  ])("of %j: the first that the number does not have is %s", (request, expected) => {
    assert.strictEqual(unconfigured(configured, request), expected)
  })

  it("are none where the number has none", () => {
    const none = callbacksOf({ voice_url: null, voice_fallback_url: null })
    assert.strictEqual(unconfigured(none, { voice_callback_url: voice }), "voice_callback_url")
    assert.isFalse(isOnConfiguredServer(none, voice))
  })

  it.each([
    ["https://app.example.com/next?digits=1", true],
    ["https://backup.example.com/", true],
    ["https://APP.example.com:443/next", true],
    ["http://app.example.com/next", false],
    ["https://app.example.com:8443/next", false],
    ["https://app.example.com@evil.example/next", false],
    ["https://evil.example/?https://app.example.com/", false],
    ["no url", false]
  ])("go on to %s: %s", (url, expected) => {
    assert.strictEqual(isOnConfiguredServer(configured, url), expected)
  })
})

it("a simulated callback says so in its body, before all else", () => {
  assert.deepStrictEqual(
    simulatedBody('{"reason":"incoming","from":"+254722000000"}'),
    '{"simulated":true,"reason":"incoming","from":"+254722000000"}'
  )
})
