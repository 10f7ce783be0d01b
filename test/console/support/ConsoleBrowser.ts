// The built console in a real Chromium, served by a real engine with the simulated PBX.
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { chromiumObstacle, chromiumPath } from "../../support/ChromiumPath.ts"
import { makeProgram, type Program, type ProgramOptions } from "../../support/Program.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { until } from "../../support/Until.ts"

const root = join(import.meta.dirname, "../../..")
/** Written for people to look at; git ignores it. */
const screenshots = join(root, ".cache/console")

/** Why the console cannot be tested here; undefined if it can. */
export const obstacle: string | undefined =
  chromiumObstacle ??
  (existsSync(join(root, "dist/console/index.html"))
    ? undefined
    : "the console is not built: node scripts/build-console.ts")

if (obstacle !== undefined) console.log(`The tests of the console are skipped, because ${obstacle}.`)

export type Looks = "light" | "dark" | "narrow" | "wide"

const contexts = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  narrow: { viewport: { width: 380, height: 800 }, colorScheme: "light" },
  wide: { viewport: { width: 1600, height: 1000 }, colorScheme: "light" }
} as const

/** A page with what it complained about. */
export interface ConsolePage {
  readonly page: Page
  /** Errors of scripts, and violations of the Content-Security-Policy. */
  readonly complaints: ReadonlyArray<string>
}

const openPage = async (context: BrowserContext): Promise<ConsolePage> => {
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("pageerror", ({ message }) => complaints.push(message))
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted Type/i.test(message.text())) complaints.push(message.text())
  })
  return { page, complaints }
}

const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8")

/** The rules that the page breaks. The policy refuses scripts of others, so this one comes by the DevTools protocol. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  const tools = await page.context().newCDPSession(page)
  await tools.send("Runtime.evaluate", { expression: axe })
  const expression =
    "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))"
  const { result } = await tools.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })
  await tools.detach()
  return result.value as ReadonlyArray<string>
}

const overflows = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")

/** Texts of cells that run into the next cell of their row. */
const overlaps = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(`[...document.querySelectorAll("tr, [role=row]")].flatMap((row) => {
    const cells = [...row.children].filter((cell) => cell.getClientRects().length > 0 && cell.textContent !== "")
    const written = cells.map((cell) => {
      const text = document.createRange()
      text.selectNodeContents(cell)
      return { text: cell.textContent, ...text.getBoundingClientRect().toJSON() }
    })
    return written.flatMap(({ right, text }, place) =>
      written[place + 1] !== undefined && right > written[place + 1].left + 1 ? [text] : []
    )
  })`)

const makeConsole = Effect.fnUntraced(function* (options: ProgramOptions) {
  const program: Program = yield* makeProgram(options)
  const began_at = Date.now()
  yield* program.start
  const browser: Browser = yield* Effect.acquireRelease(
    Effect.promise(() =>
      chromium.launch({
        executablePath: chromiumPath!,
        // The microphone beeps every second. Whether a page may use it is up to the test.
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--use-fake-device-for-media-stream"]
      })
    ),
    (browser) => Effect.promise(() => browser.close())
  )

  /** A browser of a person; without one nobody is signed in. */
  const openAs = (
    person: "owner" | "operator" | undefined,
    looks: Looks = "light"
  ): Effect.Effect<ConsolePage, never, Scope.Scope> =>
    Effect.map(
      Effect.acquireRelease(
        Effect.promise(async () => {
          const context = await browser.newContext({ ...contexts[looks], baseURL: program.base_url })
          const { operator_session, owner_session } = program.demo()
          const value = person === "owner" ? owner_session : operator_session
          if (person !== undefined)
            await context.addCookies([{ name: "session", value, url: program.base_url, httpOnly: true }])
          return { context, opened: await openPage(context) }
        }),
        ({ context }) => Effect.promise(() => context.close())
      ),
      ({ opened }) => opened
    )

  /**
   * Draws a page in each look: no complaint, no violation of axe, nothing wider than the screen. The page is loaded
   * once, and then changes its size and its colours, as a window does.
   */
  const inspect = (
    name: string,
    path: string,
    settle: (page: Page) => Promise<unknown>,
    person: "owner" | "operator" = "owner"
  ) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { complaints, page } = yield* openAs(person)
        yield* Effect.promise(async () => {
          await page.goto(path)
          await settle(page)
          mkdirSync(screenshots, { recursive: true })
        })
        for (const looks of ["light", "dark", "narrow", "wide"] as const) {
          const { colorScheme, viewport } = contexts[looks]
          yield* Effect.promise(async () => {
            await page.setViewportSize(viewport)
            // Without motion, so that no picture is taken in the middle of a transition.
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
            await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            await page.screenshot({ path: join(screenshots, `${name}-${looks}.png`), fullPage: true })
          })
          assert.isFalse(yield* Effect.promise(() => overflows(page)), `${name} is wider than the screen, ${looks}`)
          assert.deepStrictEqual(yield* Effect.promise(() => overlaps(page)), [], `${name}, ${looks}: cells overlap`)
          // To axe, a wide page is a light one.
          if (looks !== "wide")
            // On a busy machine, a part may be drawn in the new colours a moment later than another.
            yield* until(
              `${name}, ${looks}, without a violation`,
              Effect.promise(() => violations(page)),
              ({ length }) => length === 0,
              { within_ms: 10_000 }
            )
        }
        assert.deepStrictEqual(complaints, [], name)
      })
    )

  return { program, began_at, openAs, inspect }
})

export class ConsoleBrowser extends Context.Service<ConsoleBrowser, Effect.Success<ReturnType<typeof makeConsole>>>()(
  "test/ConsoleBrowser"
) {
  static readonly layerWith = (options: ProgramOptions) =>
    Layer.effect(ConsoleBrowser, makeConsole(options)).pipe(Layer.provide(TestDatabase.layer))
  static readonly layer = ConsoleBrowser.layerWith({})
}
