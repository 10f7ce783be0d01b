// Browsers whose tokens expire: while they are idle, in a call, or renewed in time.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import { until } from "../../support/Until.ts"
import { Browsers, tokenFor } from "./BrowserPhone.ts"
import { numberOf } from "./Pbx.ts"
import { allSettled, connectedBy, isAnswered, isOver, PbxWorld } from "./PbxWorld.ts"
import { credential, newest } from "./Phones.ts"
import { client, comesToHear, ends, extensionFor, SdkBrowser, talksTo } from "./SdkBrowser.ts"

/** How long before the end of the token a call begins. */
const ready_ms = 5_000

interface Lifetimes {
  /** How long tokens live. */
  readonly ttl_seconds: number
  /** How long a browser may be silent in a call. */
  readonly silence_seconds: number
}

/** The newest call that a browser placed. */
export const lastBrowserCall = Effect.gen(function* () {
  const { program } = yield* PbxWorld
  const { json } = yield* program.ask("/v1/calls?limit=5")
  return json<ReadonlyArray<CallRecord>>().find(({ kind }) => kind === "webrtc")!.id
})

/** Calls a number, closes the page during the call, and returns the ended call. */
const vanishes = Effect.gen(function* () {
  const { look } = yield* PbxWorld
  const browsers = yield* Browsers
  yield* credential("2009")
  const call_id = yield* Effect.scoped(
    Effect.gen(function* () {
      const client = yield* browsers.open(yield* tokenFor("2009"))
      yield* client.hears("registered")
      yield* client.call(`sip:${numberOf("200")}@127.0.0.1`)
      yield* client.hears("confirmed")
      return yield* lastBrowserCall
    })
  )
  return yield* until("end of the call", look(call_id), isOver, { within_ms: 60_000, every_ms: 500 })
})

/** A client that is idle is disconnected when its token expires, one in a call is not. A third one closes its page. */
const isDisconnected = ({ silence_seconds, ttl_seconds }: Lifetimes) =>
  Effect.gen(function* () {
    const { callUntil } = yield* PbxWorld
    const browsers = yield* Browsers
    const { registrations } = yield* credential("2060")
    const asked = Math.max(60, ttl_seconds)
    const session = yield* tokenFor("2060", { ttl_seconds: asked })
    const ends_at = Date.now() + ttl_seconds * 1_000
    const idle = yield* browsers.open(session)
    const talker = yield* browsers.open(yield* tokenFor("2060", { ttl_seconds: asked, allow: { incoming: false } }))
    yield* idle.hears("registered")
    const vanished = yield* Effect.forkScoped(vanishes)
    yield* Effect.sleep(Math.max(0, ends_at - ready_ms - Date.now()))
    yield* talker.call(`sip:${numberOf("200")}@127.0.0.1`)
    yield* talker.hears("confirmed")
    const call_id = yield* lastBrowserCall
    assert.lengthOf(yield* registrations(1), 1)

    assert.deepInclude(yield* idle.hears("disconnected"), { code: 4401 })
    assert.isAtLeast(Date.now(), ends_at - 1_000)
    assert.lengthOf(yield* registrations(0), 0)
    const late = yield* browsers.open(session)
    yield* late.hears("disconnected")
    assert.notInclude(
      (yield* late.heard).map(({ name }) => name),
      "connected"
    )

    const before = yield* talker.sound
    yield* Effect.sleep("1 second")
    assert.isAbove((yield* talker.sound).received, before.received + 20)
    assert.isTrue(isAnswered(yield* callUntil(call_id, isAnswered)))
    yield* talker.hangUp
    assert.deepInclude(yield* talker.hears("disconnected"), { code: 4401 })
    assert.deepInclude(yield* callUntil(call_id, isOver), { status: "completed", hangup_source: "caller" })
    const { answered_at, ended_at, ...how } = yield* Fiber.join(vanished)
    assert.deepInclude(how, { status: "completed", hangup_cause: "media_timeout", hangup_source: "platform" })
    const lasted_ms = Date.parse(ended_at!) - Date.parse(answered_at!)
    assert.isAtLeast(lasted_ms, (silence_seconds - 1) * 1_000)
    assert.isAtMost(lasted_ms, (silence_seconds + 5) * 1_000)
    yield* allSettled
  })

/** The browser client is warned, goes on with a new token, and closes without one, after a call that goes on. */
const isWarned = ({ ttl_seconds }: Lifetimes) =>
  Effect.gen(function* () {
    const { callUntil } = yield* PbxWorld
    yield* extensionFor("3060")
    // A life below the least that the API grants is a setting of the engine.
    const asked = Math.max(60, ttl_seconds)
    const ends_at = Date.now() + ttl_seconds * 1_000
    const [idle, talker, renewed] = yield* Effect.all([
      client("3060", { ttl_seconds: asked }),
      client("3060", { ttl_seconds: asked, allow: { incoming: false } }),
      client("3060", { ttl_seconds: asked })
    ])
    const { expires_at } = yield* idle.hears("token_will_expire", "80 seconds")
    assert.closeTo(expires_at!, ends_at, 2_000)
    assert.isBelow(Date.now(), ends_at)
    yield* renewed.hears("token_will_expire")
    yield* Effect.sleep(Math.max(0, ends_at - ready_ms - Date.now()))
    yield* talksTo(renewed, "200")
    yield* renewed.run(`client.updateToken("${(yield* tokenFor("3060")).token}")`)
    assert.strictEqual(yield* renewed.callState, "active")

    yield* talksTo(talker, "200")
    assert.deepInclude(yield* idle.hears("closed", "80 seconds"), { reason: "token_ended" })
    assert.isAtLeast(Date.now(), ends_at - 2_000)
    yield* Effect.sleep("2 seconds")
    assert.strictEqual(yield* talker.callState, "active")
    yield* comesToHear(talker)
    yield* talker.run("client.hangup()")
    yield* ends(talker, "local")
    assert.deepInclude(yield* talker.hears("closed"), { reason: "token_ended" })

    // The call began with the old token, whose line lasts as long as it.
    yield* comesToHear(renewed)
    yield* renewed.run("client.hangup()")
    yield* ends(renewed, "local")
    yield* renewed.hears("registered")
    const { id } = yield* newest("outbound")
    assert.isTrue(isOver(yield* callUntil(id, isOver)))
    yield* allSettled
  })

/** The tests of tokens that live as `lifetimes` says. `env`: the settings of an engine that grants them. */
export const testExpiringTokens = (lifetimes: Lifetimes, env: Readonly<Record<string, string>> = {}): void => {
  const world = Layer.mergeAll(Browsers.layer, SdkBrowser.layer).pipe(
    Layer.provideMerge(connectedBy("engine", { env }))
  )
  layer(world, { excludeTestServices: true, timeout: "120 seconds" })("a browser", (it) => {
    it.effect("is disconnected when its token expires, but not during a call", () => isDisconnected(lifetimes), 180_000)

    it.effect(
      "is warned before its token ends, goes on with a new one, and closes without one, after a call that goes on",
      () => isWarned(lifetimes),
      180_000
    )
  })
}
