// The console's softphone, as a person uses it: in Chromium, with simulated phones and sound that is measured.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { ConsoleBrowser, obstacle } from "./support/ConsoleBrowser.ts"
import { allowMicrophone, answers, click, firstCall, hears, ready } from "./support/Softphone.ts"

const echoes = "+99900000012"
const callsBack = "+99900000027"

/** A page in which the softphone is ready. */
const opened = Effect.gen(function* () {
  const { openAs } = yield* ConsoleBrowser
  const { complaints, page } = yield* openAs("owner")
  yield* Effect.promise(async () => {
    await allowMicrophone(page)
    await page.goto("/softphone")
    const create = page.getByRole("button", { name: "Create extension 1001" })
    await Promise.race([create.waitFor(), ready(page)])
    if (await create.isVisible()) await create.click()
    await ready(page)
  })
  return { complaints, page }
})

const calls = Effect.gen(function* () {
  const { program } = yield* ConsoleBrowser
  return (yield* program.ask("/v1/calls?limit=20")).json<ReadonlyArray<CallRecord>>()
})

describe.skipIf(obstacle !== undefined)("the first call of a new user", { timeout: 180_000 }, () => {
  layer(ConsoleBrowser.layerWith({ embedded: true }), { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect("is placed and heard without documentation", () => Effect.asVoid(firstCall))
  })
})

describe.skipIf(obstacle !== undefined)("the softphone", { timeout: 120_000 }, () => {
  layer(ConsoleBrowser.layer, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect("calls, mutes, holds, presses keys and hangs up, with both levels shown", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* opened
        yield* Effect.promise(async () => {
          await page.getByLabel("Number or extension").fill(echoes)
          await click(page, "Call")
          await page.getByText("Talking", { exact: true }).waitFor({ timeout: 20_000 })
          await hears(page, "You")
          await hears(page, "The other side")
          await click(page, "Mute")
          await click(page, "Unmute")
          await click(page, "Hold")
          await page.getByText("On hold", { exact: true }).waitFor()
          await click(page, "Resume")
          await page.getByText("Talking", { exact: true }).waitFor()
          await click(page, "5 JKL")
          await click(page, "#")
          await page.getByText("5#").waitFor()
          await click(page, "Hang up")
          await page.getByText("You hung up.").waitFor()
        })
        const placed = (yield* calls).find(({ kind }) => kind === "webrtc")
        assert.deepInclude(placed, { to: echoes, direction: "outbound" })
        assert.deepStrictEqual(complaints, [])
      })
    )

    it.effect("rings when it is called, and talks when the call is accepted", () =>
      Effect.gen(function* () {
        const { page } = yield* opened
        yield* Effect.promise(async () => {
          await click(page, `Call ${callsBack}`)
          await page.getByText("It ended: user busy.").waitFor({ timeout: 20_000 })
          await page.getByRole("alertdialog", { name: `${callsBack} calls you` }).waitFor({ timeout: 20_000 })
          await click(page, "Accept")
          await hears(page, "The other side")
          await click(page, "Hang up")
          await page.getByText("You hung up.").waitFor()
        })
      })
    )

    it.effect("tests the devices, and says what to do without permission", () =>
      Effect.gen(function* () {
        const { page } = yield* opened
        yield* Effect.promise(async () => {
          await click(page, "Test the microphone")
          await hears(page, "Speak: the bar moves")
          await click(page, "End the test")
          assert.isAbove(await page.getByLabel("Microphone", { exact: true }).locator("option").count(), 1)
          await click(page, "Test the speaker")
          await page.context().clearPermissions()
          await click(page, `Call ${answers}`)
          await page.getByText("The browser does not allow this page to use the microphone.").waitFor()
          await click(page, "Understood")
          await click(page, "Test the microphone")
          await page.getByText("The microphone could not be opened.").waitFor()
        })
      })
    )

    it.effect("says that it is not connected when its extension is revoked, and connects again", () =>
      Effect.gen(function* () {
        const { program } = yield* ConsoleBrowser
        const { page } = yield* opened
        yield* Effect.promise(async () => {
          await page.route("**/v1/webrtc/token", (route) =>
            route.fulfill({
              status: 503,
              json: { error: { code: "numbers.sip_token_unavailable", message: "No browsers here.", request_id: "r" } }
            })
          )
          await page.reload()
          await page.getByText("Not connected").waitFor()
          await page.getByText("No browsers here.").waitFor()
          await page.unroute("**/v1/webrtc/token")
          await click(page, "Connect again")
          await ready(page)
        })
        assert.isTrue(program.isAlive())
      })
    )

    it.effect("says what a workspace without a number needs", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.route("**/v1/numbers?*", (route) => route.fulfill({ json: [] }))
          await page.goto("/softphone")
          await page.getByRole("link", { name: "Claim a number" }).waitFor()
        })
      })
    )

    it.effect("breaks no rule of axe and is not wider than the screen", () =>
      Effect.gen(function* () {
        const { inspect } = yield* ConsoleBrowser
        yield* opened
        yield* inspect("softphone", "/softphone", ready)
        yield* inspect("softphone-call", "/softphone", async (page) => {
          await allowMicrophone(page)
          await ready(page)
          await click(page, `Call ${echoes}`)
          await page.getByText("Talking", { exact: true }).waitFor({ timeout: 20_000 })
          await hears(page, "The other side")
        })
        yield* inspect("softphone-none", "/softphone", async (page) => {
          await page.route("**/v1/numbers?*", (route) => route.fulfill({ json: [] }))
          await page.reload()
          await page.getByRole("link", { name: "Claim a number" }).waitFor()
        })
      })
    )
  })
})
