// The console's softphone, as a person uses it.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { until } from "../../support/Until.ts"
import { ConsoleBrowser } from "./ConsoleBrowser.ts"

/** A simulated phone that answers. */
export const answers = "+99900000001"

export const allowMicrophone = (page: Page) => page.context().grantPermissions(["microphone"])

/** Waits until the meter shows sound. The page's policy forbids the function by which Playwright would wait. */
export const hears = async (page: Page, label: string): Promise<void> => {
  const meter = page.getByRole("meter", { name: label, exact: true })
  const level = Effect.promise(async () => Number(await meter.getAttribute("aria-valuenow")))
  await Effect.runPromise(until(`sound: ${label}`, level, (shown) => shown > 20))
}

export const ready = (page: Page) => page.getByText("Ready", { exact: true }).waitFor({ timeout: 20_000 })

export const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

/** Places the first call of a new user, and hears it. Returns the milliseconds since the start of the program. */
export const firstCall = Effect.gen(function* () {
  const { began_at, openAs, program } = yield* ConsoleBrowser
  const [, address = ""] = /trunkline is ready +(\S+)/.exec(program.output()) ?? []
  assert.strictEqual(address, program.base_url)
  const { complaints, page } = yield* openAs(undefined)
  yield* Effect.promise(async () => {
    await allowMicrophone(page)
    await page.goto(address)
    await page.getByRole("button", { name: "the owner of the demo workspace" }).click()
    await page.getByRole("link", { name: "Softphone" }).click()
    await click(page, "Create extension 1001")
    await ready(page)
    await click(page, `Call ${answers}`)
    await page.getByText("Talking", { exact: true }).waitFor({ timeout: 20_000 })
    await hears(page, "The other side")
  })
  const took_ms = Date.now() - began_at
  yield* Effect.promise(() => click(page, "Hang up"))
  assert.deepStrictEqual(complaints, [])
  return took_ms
})
