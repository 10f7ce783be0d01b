// An engine in production mode, as the documented installs start it.
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { chromium } from "playwright-core"
import { chromiumPath } from "./ChromiumPath.ts"
import { fetched } from "./CleanFolder.ts"
import { TestDatabase } from "./TestDatabase.ts"

/** What docs/deployment.md says is required, and an address that only this machine reaches. */
export const productionEnvironment = (port: number) =>
  Effect.map(TestDatabase, ({ url }) => ({
    DATABASE_URL: Redacted.value(url),
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    PBX_INGEST_SECRET: "0123456789abcdef",
    MAIL_URL: "smtps://user:secret@mail.example.com",
    BASE_URL: "https://voice.example.com",
    HOST: "127.0.0.1",
    PORT: String(port)
  }))

const words = "Sign in"

/** Opens `/`: in a browser, where there is one; else at least the page and its script are there. */
export const consoleIsShown = (base: string) =>
  Effect.gen(function* () {
    const page = yield* fetched(`${base}/`)
    const html = yield* Effect.promise(async () => (await page?.text()) ?? "")
    const [, script] = /<script[^>]+src="([^"]+)"/.exec(html) ?? []
    assert.strictEqual((yield* fetched(`${base}${script}`))?.status, 200, html)
    if (chromiumPath === undefined) return
    const browser = yield* Effect.acquireRelease(
      Effect.promise(() =>
        chromium.launch({
          executablePath: chromiumPath!,
          args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        })
      ),
      (browser) => Effect.promise(() => browser.close())
    )
    yield* Effect.promise(async () => {
      const opened = await browser.newPage()
      await opened.goto(base)
      await opened.getByText(words).first().waitFor()
    })
  })
