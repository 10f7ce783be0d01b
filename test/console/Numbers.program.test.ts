// The pages of the numbers in Chromium: claiming, routing, phones, the trunk and the chat app.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import type { NumberRecord } from "../../src/domain/numbers/NumberRecord.ts"
import type { WalletBalance } from "../../src/domain/wallet/WalletBalance.ts"
import { ConsoleBrowser, obstacle } from "./support/ConsoleBrowser.ts"

const read = <A>(path: string) =>
  Effect.gen(function* () {
    const { program } = yield* ConsoleBrowser
    return (yield* program.ask(path)).json<A>()
  })

/** The page of the demo's number, settled. */
const openNumber = Effect.gen(function* () {
  const { openAs, program } = yield* ConsoleBrowser
  const { id } = program.demo().number
  const { complaints, page } = yield* openAs("owner")
  yield* Effect.promise(async () => {
    await page.goto(`/numbers/${id}`)
    await page.getByLabel("When it is called").waitFor()
  })
  return { complaints, id, page }
})

const claim = async (page: Page) => {
  await page.goto("/numbers?tab=available&country=KE&contains=900105")
  await page.getByRole("button", { name: "Claim" }).click()
  await page.getByRole("button", { name: /^Claim it, and pay KES/ }).click()
  await page.waitForURL(/\/numbers\/[0-9a-f-]{36}$/)
  await page.getByRole("heading", { name: /900.105/ }).waitFor()
  return new URL(page.url()).pathname.split("/").at(-1) ?? ""
}

describe.skipIf(obstacle !== undefined)("the console's numbers", { timeout: 120_000 }, () => {
  layer(ConsoleBrowser.layer, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect("says what a claim costs, pays it once, and releases the number", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const before = yield* read<WalletBalance>("/v1/wallet/balance")
        const { complaints, page } = yield* openAs("owner")
        const id = yield* Effect.promise(() => claim(page))
        const number = yield* read<NumberRecord>(`/v1/numbers/${id}`)
        const after = yield* read<WalletBalance>("/v1/wallet/balance")
        assert.strictEqual(before.balance_minor - after.balance_minor, number.monthly_price_minor)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Release" }).click()
          await page.getByRole("button", { name: "Release the number" }).click()
          await page.waitForURL(/\/numbers$/)
          await page
            .getByRole("row", { name: /900.105/ })
            .getByText("Released")
            .waitFor()
        })
        assert.strictEqual((yield* read<NumberRecord>(`/v1/numbers/${id}`)).status, "released")
        assert.deepStrictEqual(complaints, [])
      })
    )

    it.effect("changes the routing, and says which URL cannot be used", () =>
      Effect.gen(function* () {
        const { id, page } = yield* openNumber
        yield* Effect.promise(async () => {
          await page.getByLabel("When it is called").selectOption("url")
          await page.getByLabel("URL", { exact: true }).fill("ftp://example.com/voice")
          await page.getByRole("button", { name: "Save the routing" }).click()
          await page.getByText(/numbers\.invalid_routing_url/).waitFor()
          await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:9/voice")
          await page.getByLabel("Name of the number").fill("Front desk")
          await page.getByRole("button", { name: "Save the routing" }).click()
          await page.getByText("It is saved.").waitFor()
        })
        const { label, routing } = yield* read<NumberRecord>(`/v1/numbers/${id}`)
        assert.strictEqual(label, "Front desk")
        assert.strictEqual(routing.voice_url, "http://127.0.0.1:9/voice")
        yield* Effect.promise(async () => {
          await page.goto("/numbers")
          await page
            .getByRole("row", { name: /Front desk/ })
            .getByText("asks 127.0.0.1:9")
            .waitFor()
        })
      })
    )

    it.effect("shows the password of a phone once, makes a new one, and revokes it", () =>
      Effect.gen(function* () {
        const { page } = yield* openNumber
        const dialog = page.getByRole("dialog")
        const shown = async () => {
          const secret = dialog.getByRole("button", { name: "Copy the password" })
          const text = ((await secret.textContent()) ?? "").replace("Copy the password", "")
          await page.getByRole("button", { name: "I have stored it" }).click()
          await dialog.waitFor({ state: "hidden" })
          return text
        }
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Add a phone" }).click()
          await dialog.getByLabel("Extension").fill("1007")
          await dialog.getByLabel("Name").fill("Asha")
          await page.getByRole("button", { name: "Add it, and show its password" }).click()
          const first = await shown()
          assert.isAbove(first.length, 11)
          assert.strictEqual(await page.getByText(first).count(), 0)
          await page.getByRole("button", { name: "New password" }).click()
          const second = await shown()
          assert.notStrictEqual(second, first)
          await page.getByRole("button", { name: "Revoke", exact: true }).click()
          await page.getByRole("button", { name: "Revoke it" }).click()
          await page.getByText("Revoked").waitFor()
        })
      })
    )

    it.effect("writes the settings of the chat app", () =>
      Effect.gen(function* () {
        const { id, page } = yield* openNumber
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Change the settings" }).click()
          const dialog = page.getByRole("dialog")
          await dialog.getByLabel("People can call this number in the chat app").check()
          await dialog.getByLabel("Take calls at certain hours only").check()
          await dialog.getByLabel("Time zone").fill("Africa/Nairobi")
          await dialog.getByLabel("Monday", { exact: true }).check()
          await dialog.getByLabel("Monday from").fill("08:30")
          await dialog.getByRole("button", { name: "Save" }).click()
          await dialog.waitFor({ state: "hidden" })
          await page.getByText("Mon 0830–1700 (Africa/Nairobi)").waitFor()
        })
        const path = `/v1/numbers/${id}/chatapp/call-settings`
        const { stored } = yield* read<{ readonly stored: { readonly status: string } }>(path)
        assert.strictEqual(stored.status, "ENABLED")
      })
    )

    it.effect("proves a caller id by its code, and withdraws it", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { complaints, page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto("/numbers?tab=caller-ids")
          await page.getByRole("button", { name: "Add a caller id" }).click()
          await page.getByLabel("Number", { exact: true }).fill("+254 722 000 777")
          await page.getByRole("button", { name: "Call it" }).click()
          await page.getByLabel("Code", { exact: true }).fill("000000")
          await page.getByRole("button", { name: "Prove the number" }).click()
          await page.getByText(/caller_ids\.code_wrong/).waitFor()
          await page.getByLabel("Code", { exact: true }).fill("123456")
          await page.getByRole("button", { name: "Prove the number" }).click()
          await page.getByText("Proved", { exact: true }).waitFor()
          await page.getByRole("button", { name: "Withdraw" }).click()
          await page.getByRole("button", { name: "Withdraw it" }).click()
          await page.getByText("No number was proved yet.").waitFor()
        })
        assert.deepStrictEqual(complaints, [])
      })
    )

    it.effect("breaks no rule of axe and is not wider than the screen", () =>
      Effect.gen(function* () {
        const { inspect, program } = yield* ConsoleBrowser
        const { id } = program.demo().number
        yield* inspect("numbers", "/numbers", (page) => page.locator("tbody a").first().waitFor())
        yield* inspect("numbers-available", "/numbers?tab=available", (page) =>
          page.getByRole("button", { name: "Claim" }).first().waitFor()
        )
        yield* inspect("numbers-caller-ids", "/numbers?tab=caller-ids", (page) =>
          page.getByText("No number was proved yet.").waitFor()
        )
        yield* inspect("numbers-trunk", "/numbers?tab=trunk", (page) =>
          page.getByText("This workspace uses numbers of the platform.").waitFor()
        )
        yield* inspect("number", `/numbers/${id}`, async (page) => {
          await page.getByLabel("When it is called").waitFor()
          await page.getByRole("button", { name: "Change the settings" }).waitFor()
        })
        yield* inspect("number-none", "/numbers/none", (page) =>
          page.getByText("This workspace has no such number.").waitFor()
        )
      })
    )
  })
})
