// The lines that `trunkline simulate` prints.
import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "../../src/cli/SimulateCommand.ts"
import { type App, testEngine } from "../../src/testing.ts"

const lines = async (request: object, app?: App): Promise<ReadonlyArray<string>> => {
  await using engine = await testEngine(app === undefined ? {} : { app })
  const asked = { from: engine.number, ...request }
  return linesOf((await engine.request("POST", "/v1/voice-actions/simulate", asked)).body)
}

const menu = [
  { gather: { prompt: { say: { text: "For sales press 1, for support 2" } }, num_digits: 1 } },
  { dial: { number: "+254722000003", timeout: 20 } },
  { say: { text: "Nobody is there. Goodbye." } },
  { hangup: {} }
]

describe("the lines of a simulated call", () => {
  it("name what is asked, dialled and said, and what it would cost", async () => {
    assert.deepStrictEqual(await lines({ actions: menu, phone: { keys: ["2"] }, dialled: { answers: "no_answer" } }), [
      ' 0:02  gather     "For sales press 1, for support 2": 2',
      " 0:02  dial       +254722000003 rang for 20 s: no_answer",
      ' 0:22  say        "Nobody is there. Goodbye."',
      " 0:23  completed  22 s, would cost KES 3.00. Nothing rang."
    ])
  })

  it("name what a second phone does, and words that are said", async () => {
    const actions = [{ gather: { input: ["speech"], num_digits: 1 } }, { dial: { number: "+254722000003" } }]
    assert.deepStrictEqual(
      await lines({ actions, phone: { says: ["Support, please"] }, dialled: { talks_seconds: 70 } }),
      [
        ' 0:02  gather     "Support, please"',
        " 0:03  dial       +254722000003 talked for 70 s: completed",
        " 1:15  completed  74 s, would cost KES 12.00. Nothing rang."
      ]
    )
  })

  it("name a phone that is busy, and a call that has not ended", async () => {
    assert.deepStrictEqual(await lines({ actions: menu, phone: { answers: "busy" } }), [
      " 0:00  busy       0 s (user_busy), would cost KES 0.00. Nothing rang."
    ])
    const pause = [{ pause: { seconds: 60 } }]
    assert.deepStrictEqual(await lines({ actions: pause, max_seconds: 30 }), [
      " 0:02  pause      60 s",
      " 0:30  stopped    28 s at max_seconds, would cost KES 3.00 so far. Nothing rang."
    ])
    assert.deepStrictEqual(await lines({ actions: [{ dial: { number: "+254722000003" } }], max_seconds: 30 }), [
      " 0:02  dial       +254722000003: answered",
      " 0:30  stopped    28 s at max_seconds, would cost KES 6.00 so far. Nothing rang."
    ])
  })

  it("name what a callback answers", async () => {
    const app: App = () => Response.json({ actions: [{ hangup: {} }] })
    assert.deepStrictEqual(await lines({ voice_callback_url: "https://app.test/voice" }, app), [
      " 0:02  callback   answered → 200 after 0 ms",
      " 0:02  completed  1 s, would cost KES 3.00. Nothing rang."
    ])
  })
})
