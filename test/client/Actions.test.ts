import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { createHmac } from "node:crypto"
import {
  actions,
  conference,
  dial,
  gather,
  hangup,
  pause,
  play,
  record,
  redirect,
  reject,
  say,
  sendDigits,
  stopStream,
  stream,
  tag,
  voiceCallback
} from "../../src/client/Actions.ts"
import { readVoiceActions } from "../../src/domain/calls/verbs/ParseVoiceActions.ts"
import { voiceVerbs } from "../../src/domain/calls/verbs/VoiceVerbs.ts"

const all = [
  say("Good morning.", { language: "en-GB" }),
  play("https://example.com/a.mp3", { loop: 2 }),
  pause(1),
  gather({ prompt: say("Press 1."), num_digits: 1, action_url: "https://example.com/voice" }),
  record({ max_length: 10 }),
  dial("+254700000002", { timeout: 20 }),
  dial(["+254700000002", "+254700000003"], { sequential: true }),
  dial("sip:desk@example.com"),
  conference("support", { muted: true }),
  stream({ url: "wss://app.example.com/audio" }),
  stopStream(),
  sendDigits("12#"),
  tag({ order: "17" }),
  redirect("https://example.com/next"),
  hangup(),
  hangup("busy")
]

describe("a document of actions", () => {
  it("has a builder for every verb, and the engine takes all of them", () => {
    const built = new Set([...all, reject("busy")].flatMap((action) => Object.keys(action)))
    assert.deepStrictEqual([...built].toSorted(), Object.keys(voiceVerbs).toSorted())
    for (const action of all) {
      const read = readVoiceActions(actions(action))
      assert.isTrue(Result.isSuccess(read), JSON.stringify([action, Result.isFailure(read) && read.failure]))
    }
    assert.deepStrictEqual(dial("sip:desk@example.com"), { dial: { sip: "sip:desk@example.com" } })
  })

  it("refuses what cannot be one", () => {
    assert.throws(() => actions(...Array.from({ length: 101 }, () => pause(1))), /100 is the maximum/)
    assert.throws(() => actions(pause(1), { ...pause(1), ...hangup() }), /\/actions\/1 must be one action/)
  })
})

describe("a voice callback", () => {
  const secret = "whsec_dm9pY2U="
  const ask = (question: object, sign = secret) => {
    const body = JSON.stringify(question)
    const t = Math.floor(Date.now() / 1000)
    const v1 = createHmac("sha256", sign).update(`${body}.${t}`).digest("hex")
    return new Request("https://app.example.com/voice?x=1", {
      method: "POST",
      body,
      headers: { "x-service-signature": `t=${t},v1=${v1}` }
    })
  }

  it("answers a question of the platform, with absolute URLs", async () => {
    const answer = voiceCallback({ secrets: secret }, ({ reason, signal }) => {
      assert.isFalse(signal.aborted)
      return reason === "answered"
        ? actions(
            gather({ action_url: "/keys" }),
            play("sounds/a.mp3"),
            dial("+254700000002", { ringback_url: "ring.wav" }),
            redirect("https://other.example.com/")
          )
        : actions(hangup())
    })
    const response = await answer(ask({ reason: "answered" }))
    assert.deepStrictEqual(await response.json(), {
      actions: [
        { gather: { action_url: "https://app.example.com/keys" } },
        { play: { url: "https://app.example.com/sounds/a.mp3" } },
        { dial: { number: "+254700000002", ringback_url: "https://app.example.com/ring.wav" } },
        { redirect: { url: "https://other.example.com/" } }
      ]
    })
    const behind = voiceCallback({ secrets: secret, baseUrl: "https://public.example.com/" }, () =>
      actions(redirect("/next"))
    )
    assert.deepStrictEqual(await (await behind(ask({ reason: "incoming" }))).json(), {
      actions: [{ redirect: { url: "https://public.example.com/next" } }]
    })
  })

  it("refuses a question of anybody else", async () => {
    const answer = voiceCallback({ secrets: secret }, () => assert.fail("It answered"))
    const response = await answer(ask({ reason: "answered" }, "whsec_other"))
    assert.deepStrictEqual([response.status, await response.text()], [400, "signature_mismatch"])
  })
})
