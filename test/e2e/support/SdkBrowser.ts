// The browser client in pages of a real Chromium.
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { ClientEventName } from "../../../src/web/ClientEvents.ts"
import { until } from "../../support/Until.ts"
import { tokenFor } from "./BrowserPhone.ts"
import { type ChromiumOptions, makeChromium } from "./Chromium.ts"
import { numberOf } from "./Pbx.ts"
import { PbxWorld } from "./PbxWorld.ts"
import { credential } from "./Phones.ts"
import { serveSdkPage } from "./SdkPage.ts"

/** An event that the page was told, with its payload. */
export interface Told {
  readonly name: ClientEventName
  /** Milliseconds since the page was loaded. */
  readonly at: number
  readonly code?: number | string
  readonly message?: string
  readonly error?: boolean
  readonly reason?: string
  readonly by?: string
  readonly from?: string
  readonly sessionId?: string
  readonly early_media?: boolean
  readonly attempt?: number
  readonly retry_in_ms?: number
  readonly kind?: string
  readonly expires_at?: number
}

export interface Left {
  readonly sockets: number
  readonly timers: ReadonlyArray<string>
  readonly tracks: number
  readonly listeners: number
}

export interface OpenOptions {
  readonly token: string
  readonly endpoint?: string
  readonly turnServer?: ReadonlyArray<object>
}

const makeBrowser = (options: ChromiumOptions) =>
  Effect.gen(function* () {
    const chromium = yield* makeChromium(options)
    const { port } = yield* serveSdkPage
    /** Loads the page, and a client in it. */
    const open = Effect.fnUntraced(function* ({ endpoint, token, turnServer }: OpenOptions) {
      const page = yield* chromium.open(`http://127.0.0.1:${port}/`)
      yield* until("loaded page", page.evaluate<boolean>("typeof told === 'object'"), (loaded) => loaded)
      yield* page.evaluate(`open(${JSON.stringify({ token, endpoint, turnServer })})`)
      const told = page.evaluate<ReadonlyArray<Told>>("told")
      let seen = 0
      return {
        ...page,
        told,
        run: (expression: string) => page.evaluate<unknown>(expression),
        /** Waits for the next such event after those that were waited for, and returns it. */
        hears: (name: ClientEventName, within: `${number} seconds` = "30 seconds") => {
          const next = (all: ReadonlyArray<Told>) => all.findIndex((each, index) => index >= seen && each.name === name)
          return Effect.map(
            until(`event ${name}`, told, (all) => next(all) >= 0, {
              within_ms: Number.parseInt(within, 10) * 1_000
            }),
            (all) => {
              const index = next(all)
              seen = index + 1
              return all[index]!
            }
          )
        },
        state: page.evaluate<string>("client.state"),
        callState: page.evaluate<string>("client.callState"),
        /** The loudest that is heard in so many milliseconds, in dB. */
        loudest: (ms: number) => page.evaluate<number>(`loudest(${ms})`),
        left: page.evaluate<Left>("left()")
      }
    })
    return { open, openPage: chromium.open }
  })

type Browser = Effect.Success<ReturnType<typeof makeBrowser>>

export type SdkClient = Effect.Success<ReturnType<Browser["open"]>>

export class SdkBrowser extends Context.Service<SdkBrowser, Browser>()("test/SdkBrowser") {
  static readonly layer = Layer.effect(SdkBrowser, makeBrowser({}))
}

/** A browser of its own, which behaves otherwise. */
export const otherBrowser = makeBrowser

/** Louder than any noise, and quieter than the beeps of the fake microphone. */
const heard_db = -50

/** Waits until the page hears the other side. */
export const comesToHear = (client: SdkClient) =>
  until("sound that the page hears", client.loudest(300), (db) => db > heard_db)

/** A client of an extension that exists. */
export const client = (extension: string, more: object = {}) =>
  Effect.gen(function* () {
    const { open } = yield* SdkBrowser
    const { endpoint: _, ...session } = yield* tokenFor(extension, more)
    return yield* open(session)
  })

/** The credential of a new extension, which is revoked with the scope: a number has ten at most. */
export const extensionFor = (extension: string) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    return yield* Effect.acquireRelease(credential(extension), ({ id }) =>
      Effect.ignore(program.ask(`/v1/numbers/${program.demo().number.id}/sip-credentials/${id}`, { method: "DELETE" }))
    )
  })

/** A registered client of a new extension. */
export const registered = (extension: string, more: object = {}) =>
  Effect.gen(function* () {
    const user = yield* extensionFor(extension)
    const phone = yield* client(extension, more)
    yield* phone.hears("registered")
    return { phone, user }
  })

/** Calls a number with these last digits, and waits until it is answered. */
export const talksTo = (phone: SdkClient, digits: string) =>
  Effect.gen(function* () {
    yield* phone.run(`client.call("${numberOf(digits)}")`)
    return yield* phone.hears("answered")
  })

/** Waits for the end of the call, and says who ended it and why. */
export const ends = (phone: SdkClient, by: string, reason = "normal_clearing") =>
  Effect.gen(function* () {
    const end = yield* phone.hears("hangup")
    assert.deepInclude(end, { by, reason })
    assert.strictEqual(yield* phone.callState, "idle")
    return end
  })

/**
 * Waits until no socket, timer, track or listener is left. Chromium delays the timers of hidden pages by up to a
 * second.
 */
export const leavesNothing = ({ left }: SdkClient) =>
  until("page without sockets and timers", left, ({ sockets, timers }) => sockets === 0 && timers.length === 0).pipe(
    Effect.tap((all) =>
      Effect.sync(() => assert.deepStrictEqual(all, { sockets: 0, timers: [], tracks: 0, listeners: 0 }))
    )
  )
