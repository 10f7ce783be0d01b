// A headless Chromium, controlled over its DevTools protocol.
import { Data, Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { WebSocket } from "ws"

export class BrowserFailed extends Data.TaggedError("BrowserFailed")<{ readonly message: string }> {}

export interface Page {
  /** Evaluates an expression. If its value is a promise, returns the value of the promise. */
  readonly evaluate: <A>(expression: string) => Effect.Effect<A, BrowserFailed>
  /** Clicks at this point, which the browser takes for a user's gesture. */
  readonly click: (x: number, y: number) => Effect.Effect<void, BrowserFailed>
}

export interface ChromiumOptions {
  /** Flags beside the usual ones. */
  readonly flags?: ReadonlyArray<string>
  /** Usual flags to be left out. */
  readonly without?: ReadonlyArray<string>
}

export interface Chromium {
  readonly open: (url: string) => Effect.Effect<Page, BrowserFailed, Scope.Scope>
}

/** Fake microphones that beep and need no permission, and WebRTC over loopback. */
const flags = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--remote-debugging-port=0",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-extensions",
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
  "--allow-loopback-in-peer-connection",
  "--autoplay-policy=no-user-gesture-required",
  "--disable-features=WebRtcHideLocalIpsWithMdns"
]

interface Reply {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const devTools = (browser: ChildProcess): Effect.Effect<string, BrowserFailed> =>
  Effect.callback<string, BrowserFailed>((resume) => {
    let said = ""
    browser.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      const [, url] = /DevTools listening on (ws:\S+)/.exec(said) ?? []
      if (url !== undefined) resume(Effect.succeed(url))
    })
    browser.once("error", (error) => resume(Effect.fail(new BrowserFailed({ message: error.message }))))
    browser.once("exit", (code) =>
      resume(Effect.fail(new BrowserFailed({ message: `Chromium ended with ${code}: ${said}` })))
    )
  }).pipe(
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () => Effect.fail(new BrowserFailed({ message: "Chromium does not start" }))
    })
  )

const ended = (browser: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (browser.exitCode !== null || browser.signalCode !== null) return resume(Effect.void)
    browser.once("exit", () => resume(Effect.void))
  })

const launch = Effect.fnUntraced(function* ({ flags: more = [], without = [] }: ChromiumOptions) {
  const profile = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-chromium-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  )
  const browser = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        process.env["CHROMIUM"] ?? "chromium",
        [...flags.filter((flag) => !without.includes(flag)), ...more, `--user-data-dir=${profile}`],
        { stdio: ["ignore", "ignore", "pipe"] }
      )
    ),
    (browser) =>
      Effect.andThen(
        Effect.sync(() => browser.kill("SIGKILL")),
        ended(browser)
      )
  )
  return yield* devTools(browser)
})

export const makeChromium = Effect.fnUntraced(function* (
  options: ChromiumOptions = {}
): Effect.fn.Return<Chromium, BrowserFailed, Scope.Scope> {
  const url = yield* launch(options)
  const socket = yield* Effect.acquireRelease(
    Effect.callback<WebSocket, BrowserFailed>((resume) => {
      const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 1 << 26 })
      socket.once("open", () => resume(Effect.succeed(socket)))
      socket.on("error", ({ message }) => resume(Effect.fail(new BrowserFailed({ message }))))
    }),
    (socket) => Effect.sync(() => socket.terminate())
  )
  let asked = 0
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.on("message", (data) => {
    const reply = JSON.parse(String(data)) as Reply
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply)
  })
  const ask = <A>(method: string, params: object, sessionId?: string): Effect.Effect<A, BrowserFailed> =>
    Effect.callback<A, BrowserFailed>((resume) => {
      const id = ++asked
      waiting.set(id, ({ error, result }) => {
        waiting.delete(id)
        resume(
          error === undefined
            ? Effect.succeed(result as A)
            : Effect.fail(new BrowserFailed({ message: `${method}: ${error.message}` }))
        )
      })
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
    }).pipe(
      Effect.timeoutOrElse({
        duration: "20 seconds",
        orElse: () => Effect.fail(new BrowserFailed({ message: `${method} is not answered` }))
      })
    )

  interface Evaluated {
    readonly result: { readonly value?: unknown }
    readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } }
  }
  return {
    open: (url) =>
      Effect.gen(function* () {
        const { targetId } = yield* Effect.acquireRelease(
          ask<{ readonly targetId: string }>("Target.createTarget", { url }),
          ({ targetId }) => Effect.ignore(ask("Target.closeTarget", { targetId }))
        )
        const { sessionId } = yield* ask<{ readonly sessionId: string }>("Target.attachToTarget", {
          targetId,
          flatten: true
        })
        const press = (type: "mousePressed" | "mouseReleased", x: number, y: number) =>
          ask("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 }, sessionId)
        return {
          click: (x, y) => Effect.asVoid(Effect.andThen(press("mousePressed", x, y), press("mouseReleased", x, y))),
          evaluate: <A>(expression: string) =>
            Effect.flatMap(
              ask<Evaluated>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, sessionId),
              ({ exceptionDetails, result }) =>
                exceptionDetails === undefined
                  ? Effect.succeed(result.value as A)
                  : Effect.fail(
                      new BrowserFailed({ message: exceptionDetails.exception?.description ?? exceptionDetails.text })
                    )
            )
        }
      })
  }
})
