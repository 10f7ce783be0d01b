// The pages of recordings, settings and operators in Chromium.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { ConsoleBrowser, obstacle } from "./support/ConsoleBrowser.ts"

/** Places a call that is recorded and ends by itself. */
const record = Effect.gen(function* () {
  const { program } = yield* ConsoleBrowser
  const actions = [{ say: { text: "Hello" } }, { pause: { seconds: 2 } }, { hangup: {} }]
  const body = { to: "+99900000001", from: program.demo().number.number, record: "record-from-answer", actions }
  return (yield* program.ask("/v1/calls/originate", { body })).json<CallRecord>()
})

describe.skipIf(obstacle !== undefined)("the console's settings", { timeout: 120_000 }, () => {
  layer(ConsoleBrowser.layer, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect("plays a recording and deletes it", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        yield* record
        const { complaints, page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto("/recordings")
          await page.getByRole("button", { name: "Listen" }).click({ timeout: 40_000 })
          await page.locator("audio[data-ready]").waitFor({ timeout: 20_000 })
          await page.getByRole("button", { name: "Delete", exact: true }).click()
          await page.getByRole("button", { name: "Delete the recording" }).click()
          await page.getByText("Deleted").waitFor()
        })
        assert.deepStrictEqual(complaints, [])
      })
    )

    it.effect("invites a person, changes the policy and verifies the audit log", () =>
      Effect.gen(function* () {
        const { openAs, program } = yield* ConsoleBrowser
        const { page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto("/settings")
          await page.getByRole("button", { name: "Invite a person" }).click()
          await page.getByLabel("E-mail address").fill("asha@example.com")
          await page.getByRole("button", { name: "Send the invitation" }).click()
          await page.getByRole("row", { name: /asha@example.com/ }).waitFor()
          await page.goto("/settings?tab=policy")
          await page.getByLabel("Calls at once", { exact: true }).fill("7")
          await page.getByRole("button", { name: "Save the policy" }).click()
          await page.getByText("It is saved.").waitFor()
          await page.goto("/settings?tab=audit")
          await page.getByRole("button", { name: "Verify the log" }).click()
          await page.getByText("The log is whole.").waitFor()
          await page.getByRole("button", { name: "Invitation created" }).first().click()
          await page.getByRole("dialog").getByRole("button", { name: "Copy the hash" }).waitFor()
        })
        const policy = (yield* program.ask("/v1/workspace/calling-policy")).json<{ max_concurrent_calls: number }>()
        assert.strictEqual(policy.max_concurrent_calls, 7)
      })
    )

    it.effect("names the caller ids of the policy that are not proved", () =>
      Effect.gen(function* () {
        const { inspect } = yield* ConsoleBrowser
        const unproved_caller_ids = [
          { number: "+254722000037", shown_until: "2027-03-01T00:00:00.000Z" },
          { number: "+254207900001", shown_until: null }
        ]
        yield* inspect("policy-unproved", "/settings?tab=policy", async (page) => {
          // Such entries are older than the proofs, so the engine cannot be made to take one.
          await page.route("**/v1/workspace/calling-policy", async (route) => {
            const response = await route.fetch()
            await route.fulfill({ response, json: { ...(await response.json()), unproved_caller_ids } })
          })
          await page.reload()
          await page.getByText(/722.*shown until 1 Mar 2027/).waitFor()
          await page.getByText(/900.001, not shown: it is a number of the platform or of another workspace/).waitFor()
        })
      })
    )

    it.effect("brings an operator without a workspace to the platform, and previews a rate sheet", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { complaints, page } = yield* openAs("operator")
        yield* Effect.promise(async () => {
          await page.goto("/")
          await page.getByRole("row", { name: /Demo/ }).waitFor()
          assert.strictEqual(new URL(page.url()).pathname, "/operators")
          await page.getByRole("link", { name: "Rates" }).click()
          await page.getByRole("button", { name: "Import a sheet" }).click()
          await page
            .getByLabel("Sheet")
            .fill("currency,prefix,per_min_minor,effective_from\nKES,8835,1234,\nKES,8835,1300,2127-01-01")
          await page.getByRole("button", { name: "Show what changes" }).click()
          await page.getByRole("row", { name: /now.*new.*12\.34/ }).waitFor()
          await page.getByRole("row", { name: /2127-01-01.*12\.34.*13\.00/ }).waitFor()
          await page.getByRole("button", { name: "Change 2 rates" }).click()
          // Until the dialog is gone, its rows match as well.
          await page.getByRole("dialog").waitFor({ state: "detached" })
          await page.getByLabel("Prefix").fill("8835")
          await page.getByRole("row", { name: /8835/ }).getByText("12.34").waitFor()
        })
        assert.deepStrictEqual(complaints, [])
      })
    )

    it.effect("lets an operator approve a caller id of a workspace, and forbid it", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { complaints, page } = yield* openAs("operator")
        yield* Effect.promise(async () => {
          await page.goto("/operators")
          await page.getByRole("row", { name: /Other/ }).getByRole("link", { name: "Caller ids" }).click()
          await page.getByText("The workspace has proved no number.").waitFor()
          await page.getByRole("region", { name: "Caller ids" }).getByText("Other").waitFor()
          await page.getByRole("button", { name: "Approve a number" }).click()
          await page.getByRole("textbox", { name: "Number" }).fill("+254 722 000035")
          await page.getByRole("button", { name: "Approve it" }).click()
          await page
            .getByRole("row", { name: /Proved.*722/ })
            .getByRole("button", { name: "Forbid" })
            .click()
          await page.getByRole("button", { name: "Forbid it" }).click()
          await page
            .getByRole("row", { name: /Forbidden.*722/ })
            .getByRole("button", { name: "Approve" })
            .waitFor()
          await page.getByRole("link", { name: "All workspaces" }).click()
          await page.getByRole("row", { name: /Demo/ }).waitFor()
        })
        assert.deepStrictEqual(complaints, [])
      })
    )

    it.effect("breaks no rule of axe and is not wider than the screen", () =>
      Effect.gen(function* () {
        const { inspect, program } = yield* ConsoleBrowser
        yield* program.ask("/v1/caller-ids", { body: { number: "+254722000036" } })
        yield* inspect("recordings", "/recordings", (page) => page.getByText(/each kept for/).waitFor())
        yield* inspect("members", "/settings", (page) => page.getByText("owner@example.com").waitFor())
        yield* inspect("policy", "/settings?tab=policy", (page) => page.getByLabel("Caller ids").waitFor())
        yield* inspect("audit", "/settings?tab=audit", (page) => page.locator("tbody button").first().waitFor())
        const rows = (page: Page) => page.locator("tbody tr").first().waitFor()
        yield* inspect("operators", "/operators", rows, "operator")
        const { workspace_id } = program.demo()
        const caller_ids = `/operators?workspace=${workspace_id}`
        yield* inspect("operators-caller-ids", caller_ids, rows, "operator")
        yield* inspect("rates", "/operators?tab=rates", rows, "operator")
        yield* inspect("inventory", "/operators?tab=numbers", rows, "operator")
      })
    )
  })
})
