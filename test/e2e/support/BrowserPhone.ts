// A phone in a browser, which needs only a token of the API.
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { until } from "../../support/Until.ts"
import { makeChromium } from "./Chromium.ts"
import { PbxWorld } from "./PbxWorld.ts"
import { servePhonePage } from "./PhonePage.ts"

export interface WebrtcSession {
  readonly endpoint: string
  readonly token: string
  readonly turnServer: ReadonlyArray<object>
  readonly sipProfile: { readonly uri: string }
}

export interface Heard {
  readonly name: string
  readonly code?: number
  readonly cause?: string
  readonly from?: string
  readonly reason?: string
}

export interface Sound {
  readonly sent: number
  readonly received: number
  /** The total energy of the received audio. */
  readonly energy: number
  readonly codec: string
}

/** Requests a token for a client of the extension. */
export const tokenFor = (extension: string, more: object = {}) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const { json, status, text } = yield* program.ask("/v1/webrtc/token", { body: { extension, ...more } })
    assert.strictEqual(status, 200, text)
    return json<WebrtcSession>()
  })

const makeBrowsers = Effect.gen(function* () {
  const chromium = yield* makeChromium()
  const { port } = yield* servePhonePage()
  /** Loads the page, connects it and registers it. */
  const open = Effect.fnUntraced(function* (session: WebrtcSession, expires = 600) {
    const page = yield* chromium.open(`http://127.0.0.1:${port}/`)
    yield* until("loaded page", page.evaluate<boolean>("typeof phone === 'object'"), (loaded) => loaded)
    const {
      endpoint,
      sipProfile: { uri },
      token,
      turnServer
    } = session
    const options = { url: `${endpoint}?token=${token}`, uri, ice_servers: turnServer, expires }
    yield* page.evaluate(`phone.start(${JSON.stringify(options)})`)
    const heard = page.evaluate<ReadonlyArray<Heard>>("phone.heard")
    return {
      heard,
      /** Waits until the phone has received this event. */
      hears: (name: string) =>
        Effect.map(
          until(`event ${name}`, heard, (all) => all.some((each) => each.name === name)),
          (all) => all.find((each) => each.name === name)!
        ),
      call: (target: string) => page.evaluate<void>(`phone.call(${JSON.stringify(target)})`),
      answer: page.evaluate<void>("phone.answer()"),
      refuse: (code: number) => page.evaluate<void>(`phone.refuse(${code})`),
      hangUp: page.evaluate<void>("phone.hangUp()"),
      sound: page.evaluate<Sound>("phone.sound()")
    }
  })
  return { open }
})

export class Browsers extends Context.Service<Browsers, Effect.Success<typeof makeBrowsers>>()("test/Browsers") {
  static readonly layer = Layer.effect(Browsers, makeBrowsers)
}
