// The console as a person uses it: in Chromium, on an engine with simulated phones.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { unquoted } from "../support/Mails.ts"
import { ConsoleBrowser, obstacle } from "./support/ConsoleBrowser.ts"
import { until } from "../support/Until.ts"

const answered = "+99900000001"
const busy = "+99900000002"

/** Places a call through the API. */
const originate = (to: string, more: object = {}) =>
  Effect.gen(function* () {
    const { program } = yield* ConsoleBrowser
    const actions = [{ say: { text: "Hello" } }, { pause: { seconds: 60 } }]
    const body = { to, from: program.demo().number.number, actions, ...more }
    return (yield* program.ask("/v1/calls/originate", { body })).json<CallRecord>()
  })

const untilCall = (id: string, status: string) =>
  Effect.gen(function* () {
    const { program } = yield* ConsoleBrowser
    const read = Effect.map(program.ask(`/v1/calls/${id}`), ({ json }) => json<CallRecord>())
    return yield* until(`call ${id} that is ${status}`, read, (call) => call.status === status, { every_ms: 50 })
  })

/** The text of the first mail to an address, from the engine's folder. */
const mailIn = (data_dir: string, address: string) =>
  until(
    `mail to ${address}`,
    Effect.promise(async () => {
      const folder = join(data_dir, "mail")
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"))
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
      return unquoted(texts.find((text) => text.includes(address)) ?? "")
    }),
    (text) => text !== ""
  )

/** Replacing a selection, Chromium itself writes style attributes into editable content; the policy refuses them. */
const byItself = /^Applying inline style/

describe.skipIf(obstacle !== undefined)("the console", { timeout: 120_000 }, () => {
  layer(ConsoleBrowser.layer, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect("lets a person in by one click in development, and out again", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { complaints, page } = yield* openAs(undefined)
        yield* Effect.promise(async () => {
          await page.goto("/calls?status=busy")
          await page.getByRole("button", { name: "the owner of the demo workspace" }).click()
          await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor()
          assert.strictEqual(new URL(page.url()).search, "?status=busy")
          await page.getByRole("button", { name: "Account of owner@example.com" }).click()
          await page.getByRole("menuitem", { name: "Sign out" }).click()
          await page.getByRole("heading", { name: "Sign in" }).waitFor()
        })
        assert.deepStrictEqual(complaints, [])
      })
    )

    it.effect("mails a link to a new address, and the tab goes on once it is used", () =>
      Effect.gen(function* () {
        const { openAs, program } = yield* ConsoleBrowser
        const { page } = yield* openAs(undefined)
        yield* Effect.promise(async () => {
          await page.goto("/sign-up")
          await page.getByLabel("E-mail address").fill("new@example.com")
          await page.getByRole("button", { name: "Create the account" }).click()
          await page.getByText("A mail is on its way to new@example.com.").waitFor()
        })
        const mail = yield* mailIn(program.data_dir, "new@example.com")
        const [, token = ""] = /sign-in\?token=([\w.-]+)/.exec(mail) ?? []
        yield* Effect.promise(async () => {
          const other = await page.context().newPage()
          await other.goto(`/sign-in?token=${token}`)
          await other.getByRole("button", { name: "Sign in" }).click()
          await other.getByRole("link", { name: "Open the console" }).waitFor()
          await page.getByRole("heading", { name: "Create a workspace" }).waitFor({ timeout: 15_000 })
          await page.getByLabel("Name").fill("Baobab Couriers")
          await page.getByLabel("Currency of the wallet").selectOption("UGX")
          await page.getByRole("button", { name: "Create the workspace" }).click()
          await page.getByRole("heading", { name: "Overview" }).waitFor()
          await page.getByRole("region", { name: "Wallet" }).getByText("UGX").first().waitFor()
        })
      })
    )

    it.effect("checks a number as it is typed, marks a fault in the actions, and places the call", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { complaints, page } = yield* openAs("owner")
        const id = yield* Effect.promise(async () => {
          await page.goto("/place")
          await page.getByText("Type a number.", { exact: true }).waitFor()
          await page.getByLabel("Number").fill("+99900000007")
          await page.getByText("This number cannot be called.").waitFor()
          await page.getByLabel("Number").fill("0722 000 000")
          await page.getByText("Kenya, prefix 254").waitFor()
          const write = async (text: string) => {
            await page.getByLabel("Actions, as JSON").focus()
            await page.keyboard.press("Control+A")
            await page.keyboard.insertText(text)
          }
          await write('{"actions": [{"pause": {"seconds": 600}}]}')
          await page.getByText("The actions have a fault.").waitFor()
          await page.getByText("Expected a value between 1 and 60").first().waitFor()
          await write('{"actions": [{"say": {"text": "Hello"}}, {"pause": {"seconds": 60}}]}')
          await page.getByRole("button", { name: "Call, and set KES" }).click()
          await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/)
          await page.getByRole("button", { name: "Mute" }).waitFor({ timeout: 15_000 })
          return new URL(page.url()).pathname.split("/").at(-1) ?? ""
        })
        assert.deepInclude(yield* untilCall(id, "answered"), { to: "+254722000000" })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Mute" }).click()
          await page.getByRole("button", { name: "Unmute" }).waitFor()
          await page.getByRole("button", { name: "Hang up" }).click()
        })
        assert.deepInclude(yield* untilCall(id, "completed"), { hangup_source: "workspace" })
        yield* Effect.promise(() => page.getByText("1 started minute").waitFor({ timeout: 15_000 }))
        assert.deepStrictEqual(
          complaints.filter((complaint) => !byItself.test(complaint)),
          []
        )
      })
    )

    it.effect("shows each entry of a call with its causes, and its state at any instant, by keyboard alone", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { id } = yield* originate(busy)
        yield* untilCall(id, "busy")
        const { page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto(`/calls/${id}`)
          const board = page.getByRole("group", { name: /^Timeline\./ })
          await board.getByRole("button", { name: /call\.busy/ }).waitFor()
          await board.getByRole("button").first().focus()
          await page.keyboard.press("End")
          await page.keyboard.press("Enter")
          const pinned = page.getByRole("region", { name: "Pinned entry" })
          const last = await board.locator("[aria-pressed=true]").getAttribute("aria-label")
          assert.include(last ?? "", (await pinned.getByRole("heading").textContent()) ?? "?")
          await page.getByRole("slider", { name: "Time within the call" }).focus()
          await page.keyboard.press("Home")
          const state = page.getByRole("region", { name: "State at that instant" })
          await state.getByText("Ringing").waitFor()
          await state.getByRole("button", { name: "To the end" }).click()
          await state.getByText("Busy").waitFor()
        })
      })
    )

    it.effect("lists calls by filters that stand in the address, and gives a file of them", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { id } = yield* originate(busy, { client_reference: "order-17" })
        yield* untilCall(id, "busy")
        const { page } = yield* openAs("owner")
        const text = yield* Effect.promise(async () => {
          await page.goto("/calls")
          await page.getByLabel("Your reference").fill("order-17")
          await page.waitForURL(/client_reference=order-17/)
          await page.getByLabel("Status").selectOption("answered")
          await page.getByText("No call has all of these.").waitFor()
          await page.getByLabel("Status").selectOption("busy")
          await page.locator("tbody a").first().waitFor()
          assert.strictEqual(await page.locator("tbody a").count(), 1)
          await page.reload()
          await page.locator("tbody a").first().waitFor()
          const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("button", { name: "Save as CSV" }).click()
          ])
          return readFile(await download.path(), "utf8")
        })
        assert.match(text, new RegExp(`^id,created_at.*\r\n${id},`))
        assert.include(text, "order-17")
      })
    )

    it.effect("shows each movement of the money, and asks a phone to pay in", () =>
      Effect.gen(function* () {
        const { openAs, program } = yield* ConsoleBrowser
        const { page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto("/wallet?kind=manual_credit")
          const statement = page.getByRole("table").first()
          await statement.getByText("Opening balance of the demo").waitFor()
          assert.strictEqual(await statement.locator("tbody tr").count(), 1)
          await page.getByRole("button", { name: "Top up" }).click()
          await page.getByLabel("Amount in KES").fill("250")
          await page.getByLabel("Phone that pays").fill("+254 722 000 000")
          await page.getByRole("button", { name: "Ask for KES" }).click()
          await page.getByText("are in the wallet.").waitFor({ timeout: 30_000 })
        })
        const { json } = yield* program.ask("/v1/wallet/statements?kind=topup")
        assert.strictEqual(json<ReadonlyArray<{ readonly amount_minor: number }>>()[0]?.amount_minor, 25_000)
      })
    )

    it.effect("shows a delivery with its answer, and the secret of a new endpoint once", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto("/webhooks")
          await page.getByRole("button", { name: "Add an endpoint" }).click()
          await page.getByLabel("URL").fill("http://127.0.0.1:9/hooks")
          await page.getByLabel("Events").fill("call.*")
          await page.getByRole("button", { name: "Add it, and show its secret" }).click()
          await page.getByText(/whsec_/).waitFor()
          await page.getByRole("button", { name: "I have stored it" }).click()
          await page.getByRole("button", { name: "Send a test" }).click()
          await page.getByText("There was no answer").waitFor({ timeout: 20_000 })
          assert.strictEqual(await page.getByText(/whsec_/).count(), 0)
        })
        yield* originate(busy)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "call.ringing" }).first().click({ timeout: 20_000 })
          await page.getByRole("list", { name: "Attempts" }).getByText("No answer").first().waitFor({ timeout: 20_000 })
          assert.match(page.url(), /delivery=/)
          await page.getByRole("group", { name: "Request" }).getByText('"call.ringing"').first().waitFor()
          await page.getByRole("button", { name: "Send it now" }).waitFor()
          await page.getByRole("button", { name: "Rotate the secret" }).click()
          await page.getByRole("button", { name: "Rotate it, and show the new one" }).click()
          await page.getByText(/whsec_/).waitFor()
          await page.getByRole("button", { name: "I have stored it" }).click()
          await page.getByRole("button", { name: "Replay", exact: true }).click()
          await page.getByRole("button", { name: "Send them again" }).click()
          await page.getByText("No delivery of that time has to be sent again.").waitFor()
          await page.goto("/webhooks?tab=verify")
          await page.getByLabel("X-Service-Signature").fill(`t=1790856000,v1=${"0".repeat(64)}`)
          await page.getByLabel("Body").fill("{}")
          await page.getByLabel("Secret of the endpoint").fill("whsec_other")
          await page.getByRole("button", { name: "Check it" }).click()
          await page.getByText(/another body or another secret/).waitFor()
        })
      })
    )

    it.effect("mints an API key that works, shows it once, and revokes it", () =>
      Effect.gen(function* () {
        const { openAs, program } = yield* ConsoleBrowser
        const { page } = yield* openAs("owner")
        const key = yield* Effect.promise(async () => {
          await page.goto("/keys")
          await page.getByRole("button", { name: "Create a key" }).click()
          await page.getByLabel("Name").fill("Reports")
          await page.getByRole("button", { name: "Create it, and show it once" }).click()
          const text = (await page.getByText(/^eyJ/).textContent()) ?? ""
          await page.getByRole("button", { name: "I have stored it" }).click()
          await page.getByRole("row", { name: /Reports/ }).waitFor()
          assert.strictEqual(await page.getByText(text).count(), 0)
          return text
        })
        assert.strictEqual((yield* program.ask("/v1/calls", { key })).status, 200)
        assert.strictEqual((yield* program.ask("/v1/wallet/balance", { key })).code, "api_key.scope_denied")
        yield* Effect.promise(async () => {
          await page
            .getByRole("row", { name: /Reports/ })
            .getByRole("button", { name: "Revoke" })
            .click()
          await page.getByRole("button", { name: "Revoke the key" }).click()
          await page
            .getByRole("row", { name: /Reports/ })
            .getByText("Revoked")
            .waitFor()
        })
        const refused = Effect.map(program.ask("/v1/calls", { key }), ({ code }) => code)
        const code = yield* until("refusal of the key", refused, (code) => code !== undefined)
        assert.strictEqual(code, "api_key.revoked")
      })
    )

    it.effect("shows a call on the overview from its first ring", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto("/")
          await page.getByRole("heading", { name: "Live calls" }).waitFor()
        })
        const { id } = yield* originate(answered)
        yield* Effect.promise(() => page.locator(`a[href="/calls/${id}"]`).waitFor({ timeout: 10_000 }))
        yield* untilCall(id, "answered")
        yield* Effect.promise(() =>
          page
            .getByRole("img", { name: /s of the paid minute/ })
            .first()
            .waitFor()
        )
      })
    )

    it.effect("says what it cannot show: no such page, no such call, a session that has ended, no engine", () =>
      Effect.gen(function* () {
        const { openAs } = yield* ConsoleBrowser
        const { page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto("/calls/01a20632-cbeb-7a8e-b9b2-6b2cdf70b380")
          await page.getByText("This workspace has no such call.").waitFor()
          await page.goto("/calls")
          await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor()
          await page.context().setOffline(true)
          await page.getByText("The engine cannot be reached. What you see may be old.").waitFor({ timeout: 30_000 })
          await page.context().setOffline(false)
          await page.context().clearCookies()
          await page.getByText("Your session has ended.").waitFor({ timeout: 30_000 })
        })
      })
    )

    it.effect("takes what comes from outside for text, and keeps no secret in the browser", () =>
      Effect.gen(function* () {
        const { openAs, program } = yield* ConsoleBrowser
        const hostile = "<img src=x onerror=\"document.title='run'\">"
        const { id } = yield* originate(busy, {
          client_reference: hostile,
          metadata: { [hostile.slice(0, 40)]: hostile }
        })
        yield* untilCall(id, "busy")
        const { complaints, page } = yield* openAs("owner")
        const kept = yield* Effect.promise(async () => {
          await page.goto(`/calls/${id}`)
          await page.getByText(hostile).first().waitFor()
          await page.goto("/calls")
          await page.locator("tbody a").first().waitFor()
          assert.notStrictEqual(await page.title(), "run")
          return page.evaluate<string>("JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])")
        })
        const { api_key, owner_session } = program.demo()
        for (const secret of [owner_session, api_key, "eyJ", "whsec_"]) assert.notInclude(kept, secret)
        assert.deepStrictEqual(complaints, [])
      })
    )

    it.effect("breaks no rule of axe and is not wider than the screen: light, dark and narrow", () =>
      Effect.gen(function* () {
        const { inspect } = yield* ConsoleBrowser
        const { id } = yield* originate(answered)
        yield* untilCall(id, "answered")
        yield* inspect("overview", "/", (page) => page.locator(`a[href="/calls/${id}"]`).waitFor())
        yield* inspect("calls", "/calls", (page) => page.locator("tbody a").first().waitFor())
        yield* inspect("call", `/calls/${id}`, (page) => page.getByRole("heading", { name: "Timeline" }).waitFor())
        yield* inspect("place", "/place", (page) => page.getByLabel("Actions, as JSON").waitFor())
        yield* inspect("nothing", "/calls/none", (page) => page.getByText("This workspace has no such call.").waitFor())
      })
    )
  })
})
