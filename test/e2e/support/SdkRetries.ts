// A browser client whose registrations are refused, or whose connection is lost, until it gives up.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeRelay } from "../../support/Relay.ts"
import { tokenFor } from "./BrowserPhone.ts"
import { numberOf } from "./Pbx.ts"
import { PbxWorld } from "./PbxWorld.ts"
import { extensionFor, leavesNothing, registered, type SdkClient, SdkBrowser, type Told } from "./SdkBrowser.ts"

/** As in src/web/LineMachine.ts. */
const backOff_ms = [1_000, 2_000, 4_000, 8_000, 16_000]

/** A registered client behind a relay that can be cut. */
export const relayed = (extension: string) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const { open } = yield* SdkBrowser
    yield* extensionFor(extension)
    const relay = yield* makeRelay(Number(new URL(program.base_url).port))
    const { token } = yield* tokenFor(extension)
    const phone = yield* open({ token, endpoint: `ws://127.0.0.1:${relay.port}/v1/webrtc/sip` })
    yield* phone.hears("registered")
    return { phone, relay }
  })

/** Makes the page wait a part of the time between two tries, and of nothing else. */
const hurries = (phone: SdkClient, times: number) =>
  phone.run(`globalThis.waits = (ms) => (${JSON.stringify(backOff_ms)}.includes(ms) ? ms / ${times} : ms)`)

/** The retries of these events, and what came after: five with growing waits, which were kept, and then the end. */
const fiveRetries = (told: ReadonlyArray<Told>, name: Told["name"], times: number) => {
  const retries = told.filter((each) => each.name === name && each.attempt !== 0)
  assert.deepStrictEqual(
    retries.map(({ attempt, retry_in_ms }) => [attempt, retry_in_ms]),
    backOff_ms.map((ms, index) => [index + 1, ms])
  )
  const end = told.at(-1)!
  assert.deepInclude(end, { name: "closed", reason: "retries" })
  // Chromium itself delays connections to a host that has just refused some.
  const took_ms = end.at - retries[0]!.at
  assert.isAtLeast(took_ms, 31_000 / times)
  assert.isBelow(took_ms, 31_000 / times + 14_000)
}

/** Both clients give up after five tries. `times`: how many times faster than users do they wait. */
export const givesUp = (times: number) =>
  Effect.gen(function* () {
    const refused = Effect.gen(function* () {
      const { phone, user } = yield* registered("3021")
      yield* hurries(phone, times)
      // The gate answers 400 to a registration without a time.
      yield* phone.run(`globalThis.tamper = (text) => text.replace(/^Expires: .*$/m, "Expires: soon")`)
      yield* phone.run("client.reconnect()")
      assert.deepInclude(yield* phone.hears("registration_failed"), { code: 400 })
      assert.strictEqual(yield* phone.state, "connected")
      yield* phone.hears("closed", "60 seconds")
      fiveRetries(yield* phone.told, "registration_failed", times)
      assert.strictEqual(yield* phone.state, "closed")
      yield* leavesNothing(phone)
      yield* user.registrations(0)
    })
    const lost = Effect.gen(function* () {
      const { phone, relay } = yield* relayed("3022")
      yield* hurries(phone, times)
      yield* relay.cut
      yield* phone.hears("closed", "60 seconds")
      fiveRetries(yield* phone.told, "reconnecting", times)
      yield* phone.run("client.reconnect()")
      assert.strictEqual(yield* phone.state, "closed")
      yield* phone.run(`client.call("${numberOf("200")}")`)
      assert.deepInclude(yield* phone.hears("error"), { code: "closed" })
    })
    yield* Effect.all([refused, lost], { concurrency: 2 })
  })
