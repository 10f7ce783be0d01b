import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventLogReach_ms } from "../../../src/domain/webhooks/LoggedEvent.ts"
import { positionBefore, positionText } from "../../../src/domain/webhooks/EventPosition.ts"
import { isSandbox } from "../../../src/domain/kit/Sandbox.ts"
import { open } from "../../support/CallStreams.ts"
import { apiKeyId } from "../../support/Ids.ts"
import { FakeEngine, layer as fakeEngine, sandboxes, workspaces } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import { storeEvent } from "../../support/StoredEvents.ts"

const path = "/v1/events/stream"

const store = (kind: string, workspace_id = workspaces.active, payload = `{"kind":"${kind}"}`) =>
  Effect.flatMap(FakeEngine, ({ journal }) => storeEvent(journal.open(), workspace_id, kind, payload))

/** A stream whose first part, its place, is read. */
const follow = (options: {
  readonly query?: string
  readonly key: string
  readonly headers?: Record<string, string>
}) =>
  Effect.gen(function* () {
    const stream = yield* open(path + (options.query ?? ""), options.key, options.headers)
    const start = yield* stream.event
    return { ...stream, start }
  })

/** What comes next, but for events that were on their way. */
const revokedPart = (part: Effect.Effect<string | undefined>): Effect.Effect<string | undefined> =>
  Effect.flatMap(part, (text) => (text?.includes("event: call.busy") ? revokedPart(part) : Effect.succeed(text)))

const uuid = (id: string | undefined) => id?.slice(0, 36)

layer(fakeEngine)("the live stream of a workspace", (it) => {
  it.effect("tells each event once, in order, as its webhook has it", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const stream = yield* follow({ key })
      const first = yield* store("call.ringing", workspaces.active, `{"kind":"call.ringing","note":"é ☎"}`)
      const second = yield* store("wallet.low_balance")
      yield* TestClock.adjust("500 millis")
      const event = yield* stream.event
      assert.strictEqual(uuid(event.id), first)
      assert.strictEqual(event.event, "call.ringing")
      assert.deepStrictEqual(event.data, {
        id: first,
        event_kind: "call.ringing",
        api_version: "2026-10-01",
        workspace_id: workspaces.active,
        livemode: true,
        occurred_at: "1970-01-01T00:00:00.000Z",
        sequence: 1,
        payload: { kind: "call.ringing", note: "é ☎" }
      })
      assert.strictEqual(uuid((yield* stream.event).id), second)
    })
  )

  it.effect("keeps to new events, and leaves out those that only the stream of a call has", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      yield* store("call.busy")
      const stream = yield* follow({ key })
      yield* store("call.progress")
      yield* store("transcript.turn")
      const told = yield* store("call.answered")
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(uuid((yield* stream.event).id), told)
    })
  )

  it.effect("continues after Last-Event-ID without gaps or repetitions, also before the first event", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const { abort, start } = yield* follow({ key })
      abort.abort()
      const missed = [yield* store("call.ringing"), yield* store("call.answered"), yield* store("call.completed")]
      const again = yield* follow({ key, headers: { "last-event-id": start.id! } })
      const events = [yield* again.event, yield* again.event, yield* again.event]
      assert.deepStrictEqual(
        events.map(({ id }) => uuid(id)),
        missed
      )
      const last = yield* follow({ key, headers: { "last-event-id": events[1]!.id! } })
      assert.strictEqual(uuid((yield* last.event).id), missed[2])
    })
  )

  it.effect("begins at an instant", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      yield* store("call.busy")
      yield* TestClock.adjust("10 seconds")
      const since = new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis)).toISOString()
      const told = yield* store("call.answered")
      const stream = yield* follow({ key, query: `?since=${since}` })
      assert.strictEqual(uuid((yield* stream.event).id), told)
      const malformed = yield* ask({ path: `${path}?since=yesterday`, key })
      assert.deepStrictEqual([malformed.status, malformed.code], [400, "validation.bad_request"])
    })
  )

  it.effect("tells the events of these kinds, and the place of the others", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const stream = yield* follow({ key, query: "?kinds=wallet.*,call.busy" })
      yield* store("call.answered")
      const money = yield* store("wallet.adjusted")
      const busy = yield* store("call.busy")
      const passed = yield* store("number.claimed")
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual([uuid((yield* stream.event).id), uuid((yield* stream.event).id)], [money, busy])
      yield* TestClock.adjust("15 seconds")
      const place = yield* stream.event
      assert.deepStrictEqual([uuid(place.id), place.event], [passed, undefined])
    })
  )

  it.effect("refuses kinds that do not exist, and a kind that the key may not read", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      const unknown = yield* ask({ path: `${path}?kinds=call.busy,call.complete`, key: yield* mint() })
      assert.deepStrictEqual([unknown.status, unknown.code], [422, "webhooks.event_unsupported"])
      assert.include(unknown.text, `"field":"kinds"`)
      const narrow = yield* mint({ scopes: ["calls.read"] })
      const denied = yield* ask({ path: `${path}?kinds=wallet.low_balance`, key: narrow })
      assert.deepStrictEqual([denied.status, denied.code], [403, "api_key.scope_denied"])
      assert.include(denied.text, "wallet.read")
    })
  )

  it.effect("tells a key nothing of what it may not read", () =>
    Effect.gen(function* () {
      const narrow = yield* (yield* FakeEngine).mint({ scopes: ["calls.read"] })
      for (const query of ["", "?kinds=*"]) {
        const stream = yield* follow({ key: narrow, query })
        yield* store("wallet.adjusted")
        yield* store("security.call_burst")
        const call = yield* store("call.busy")
        yield* TestClock.adjust("500 millis")
        assert.strictEqual(uuid((yield* stream.event).id), call)
      }
    })
  )

  it.effect("tells only admins and owners what the audit log has", () =>
    Effect.gen(function* () {
      const as = (cookie: string) => ({ key: "", headers: { authorization: "", cookie } })
      for (const session of ["viewer", "member"]) {
        const denied = yield* ask({ path: `${path}?kinds=security.call_burst`, ...as(`session=${session}`) })
        assert.deepStrictEqual([denied.status, denied.code], [403, "accounts.admin_required"])
        const stream = yield* follow({ query: "?kinds=*", ...as(`session=${session}`) })
        yield* store("security.call_burst")
        yield* store("workspace.suspended")
        const call = yield* store("call.busy")
        yield* TestClock.adjust("500 millis")
        assert.strictEqual(uuid((yield* stream.event).id), call)
      }
      const admin = yield* follow({ query: "?kinds=security.*", ...as("session=admin") })
      const alert = yield* store("security.call_burst")
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(uuid((yield* admin.event).id), alert)
    })
  )

  it.effect("never tells the events of another workspace, nor continues in them", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      const mine = yield* follow({ key: yield* mint() })
      const theirs = yield* store("call.busy", workspaces.other)
      const own = yield* store("call.completed")
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(uuid((yield* mine.event).id), own)
      const other = yield* follow({
        key: yield* mint({ workspace_id: workspaces.other }),
        query: "?since=1970-01-01T00:00:00Z"
      })
      assert.strictEqual(uuid((yield* other.event).id), theirs)
      // The place of another workspace's event is a place in time, and opens none of its events.
      const stolen = yield* follow({ key: yield* mint(), headers: { "last-event-id": other.start.id! } })
      assert.strictEqual(uuid((yield* stolen.event).id), own)
    })
  )

  it.effect("tells a test key, and a member in test mode, the events of the sandbox alone", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      const test = yield* follow({ key: yield* mint({ env: "test" }) })
      yield* store("call.busy")
      const simulated = yield* store("call.busy", sandboxes.active)
      yield* TestClock.adjust("500 millis")
      const { data, id } = yield* test.event
      assert.isTrue(isSandbox(sandboxes.active))
      assert.deepStrictEqual([uuid(id), data.livemode, data.workspace_id], [simulated, false, sandboxes.active])
      const member = yield* follow({
        key: "",
        headers: {
          authorization: "",
          cookie: "session=viewer",
          "x-service-mode": "test",
          "last-event-id": test.start.id!
        }
      })
      assert.strictEqual(uuid((yield* member.event).id), simulated)
    })
  )

  it.effect("says that it cannot continue, and where it does", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint({ lives_ms: 2 * eventLogReach_ms })
      const old = positionText(positionBefore(1n))
      yield* store("call.ringing")
      yield* TestClock.adjust(eventLogReach_ms + 1_000)
      const kept = yield* store("call.completed")
      const late = yield* open(path, key, { "last-event-id": old })
      const reset = yield* late.event
      assert.strictEqual(reset.event, "stream.reset")
      assert.deepInclude(reset.data, { reason: "log_starts_later", calls_url: "/v1/calls" })
      yield* late.event
      assert.strictEqual(uuid((yield* late.event).id), kept)
      const before = yield* open(`${path}?since=1970-01-01T00:00:00Z`, key)
      assert.deepInclude((yield* before.event).data, { reason: "log_starts_later" })
      for (const unknown of ["7", "abc", "01981d5e-6d5e-7b43-9a51-0f4d3a4f2f7b.999999999.1"]) {
        const stream = yield* open(path, key, { "last-event-id": unknown })
        const { data, event } = yield* stream.event
        assert.deepStrictEqual([event, data.reason], ["stream.reset", "unknown_event_id"])
        yield* stream.event
        const next = yield* store("call.busy")
        yield* TestClock.adjust("500 millis")
        assert.strictEqual(uuid((yield* stream.event).id), next)
      }
    })
  )

  it.effect("pings every 15 seconds, and asks the client to come again after 15 minutes", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const stream = yield* follow({ key })
      let pings = 0
      for (;;) {
        yield* TestClock.adjust("15 seconds")
        const part = yield* stream.part
        if (part !== ": ping") {
          assert.strictEqual(part, `event: closing\ndata: {"reason":"max_age"}`)
          break
        }
        pings++
      }
      assert.strictEqual(pings, 59)
      assert.isUndefined(yield* stream.part)
    })
  )

  it.effect("ends when its key is revoked", () =>
    Effect.gen(function* () {
      const { mint, revoked } = yield* FakeEngine
      const key_id = apiKeyId("0190f5fe-7c00-7a00-8000-0000000000ff")
      const stream = yield* follow({ key: yield* mint({ key_id }) })
      revoked.add(key_id)
      yield* store("call.busy")
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(yield* revokedPart(stream.part), undefined)
    })
  )

  it.effect("ends when its session ends", () =>
    Effect.gen(function* () {
      const { sessions } = yield* FakeEngine
      sessions.set("leaves", { ...sessions.get("owner")!, id: "leaves" })
      const stream = yield* follow({ key: "", headers: { authorization: "", cookie: "session=leaves" } })
      sessions.delete("leaves")
      yield* store("call.busy")
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(yield* revokedPart(stream.part), undefined)
    })
  )

  it.effect("counts among the streams of the key", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      const key = yield* mint()
      yield* Effect.all(
        Array.from({ length: 19 }, () => follow({ key })),
        { concurrency: 19 }
      )
      yield* open("/v1/calls/HD_00000000000000000000000000000000/stream", key)
      const refused = yield* ask({ path, key })
      assert.deepStrictEqual([refused.status, refused.code], [429, "rate_limited"])
    })
  )

  it.effect("tells a client that read nothing for a while everything, and keeps nothing for it", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const stream = yield* follow({ key })
      const stored: Array<string> = []
      const long = `{"kind":"call.busy","text":"${"x".repeat(20_000)}"}`
      for (let n = 0; n < 500; n++) stored.push(yield* store("call.busy", workspaces.active, long))
      yield* TestClock.adjust("500 millis")
      const told: Array<string | undefined> = []
      while (told.length < stored.length) told.push(uuid((yield* stream.event).id))
      assert.deepStrictEqual(told, stored)
    })
  )
})
