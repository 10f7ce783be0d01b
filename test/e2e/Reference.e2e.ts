// The reference at /docs in a browser: it asks for an API key, sends a request with it and shows the answer.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeProgram } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"
import { makeChromium } from "./support/Chromium.ts"

const visible = (selector: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.getClientRects().length > 0)`
const button = (words: string) =>
  `[...document.querySelectorAll("button")].find((each) => each.getClientRects().length > 0 && ${words}.test((each.ariaLabel ?? "") + each.textContent))`

it.live(
  "sends a request from the reference with the key that was entered there",
  () =>
    Effect.gen(function* () {
      const program = yield* makeProgram()
      yield* program.start
      const { api_key } = program.demo()
      const chromium = yield* makeChromium({})
      const page = yield* chromium.open(`${program.base_url}/docs`)
      const has = (what: string, expression: string) =>
        until(`${what} in the page`, page.evaluate<boolean>(`Boolean(${expression})`), (is) => is)
      yield* has("field for the key", visible("input[placeholder=Token]"))
      assert.notInclude(yield* page.evaluate<string>("document.body.innerText"), "No authentication selected")
      yield* page.evaluate(`(() => {
        window.outside = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => !name.startsWith(location.origin))
        const field = ${visible("input[placeholder=Token]")}
        field.focus()
        document.execCommand("insertText", false, ${JSON.stringify(api_key)})
        field.dispatchEvent(new Event("input", { bubbles: true }))
        location.hash = "#tag/wallet/GET/v1/wallet/balance"
      })()`)
      const test = button("/Test Request.*wallet\\/balance/")
      yield* has("button of the request", test)
      yield* page.evaluate(`${test}.click()`)
      yield* has("button that sends", button("/^Send/"))
      yield* page.evaluate(`${button("/^Send/")}.click()`)
      yield* has(
        "answer",
        `/balance_minor[^]*1000000/.test(document.body.innerText) && /200/.test(document.body.innerText)`
      )
      assert.deepStrictEqual(yield* page.evaluate<ReadonlyArray<string>>("window.outside"), [])
    }).pipe(Effect.provide(TestDatabase.layer)),
  120_000
)
