import { assert, layer } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { TestClock } from "effect/testing"
import { streamedData } from "../../../src/domain/calls/views/CallNotice.ts"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { sessionOfCall } from "../../../src/domain/pbx/Session.ts"
import { ask } from "../../support/HttpTester.ts"
import { apiKeyId, callId } from "../../support/Ids.ts"

import { newId, notice, open, place, say, until, watching } from "../../support/CallStreams.ts"

layer(fakeEngine)("the live stream of a call", (it) => {
  it.effect("sends the current status, then each change once, and ends with the call", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const stream = yield* open(`/v1/calls/${id}/stream`, key)
      assert.deepInclude(yield* stream.event, {
        id: "1",
        event: "call.ringing",
        data: streamedData(notice(id, 1, "ringing"))
      })
      yield* say(notice(id, 1, "ringing"))
      yield* say(notice(id, 2, "ringing", "call.progress"))
      yield* say(notice(id, 3, "answered"))
      assert.deepInclude(yield* stream.event, { id: "2", event: "call.progress" })
      assert.deepInclude(yield* stream.event, {
        id: "3",
        event: "call.answered",
        data: streamedData(notice(id, 3, "answered"))
      })
      yield* say(notice(id, 4, "completed"))
      assert.deepInclude(yield* stream.event, { id: "4", event: "call.completed" })
      assert.strictEqual(yield* stream.part, "event: end\ndata: {}")
      assert.isUndefined(yield* stream.part)
      yield* until(Effect.map(watching(id), (n) => n === 0))
    })
  )

  it.effect("sends a late client only the current status", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const id = callId(newId())
      yield* place(id, ["ringing", "answered"])
      const stream = yield* open(`/v1/calls/${sessionOfCall(id)}/stream`, key)
      assert.deepInclude(yield* stream.event, { id: "2", event: "call.answered" })
      yield* say(notice(id, 3, "completed"))
      assert.deepInclude(yield* stream.event, { id: "3", event: "call.completed" })
    })
  )

  it.effect("of an ended call sends its final status and ends", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const id = callId(newId())
      yield* place(id, ["ringing", "busy"])
      const stream = yield* open(`/v1/calls/${id}/stream`, key)
      assert.deepInclude(yield* stream.event, { id: "2", event: "call.busy" })
      assert.strictEqual(yield* stream.part, "event: end\ndata: {}")
      assert.isUndefined(yield* stream.part)
    })
  )

  it.effect("resumes where the client was, without gaps or duplicates", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const id = callId(newId())
      yield* place(id, ["ringing", "answered"])
      const behind = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "0" })
      assert.deepInclude(yield* behind.event, { id: "1", event: "call.ringing" })
      assert.deepInclude(yield* behind.event, { id: "2", event: "call.answered" })
      const upToDate = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "2" })
      yield* say(notice(id, 2, "answered"))
      yield* say(notice(id, 3, "completed"))
      for (const stream of [behind, upToDate]) {
        assert.deepInclude(yield* stream.event, { id: "3", event: "call.completed" })
        assert.strictEqual(yield* stream.part, "event: end\ndata: {}")
      }
      yield* place(id, ["ringing", "answered", "completed"])
      const after = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "3" })
      assert.strictEqual(yield* after.part, "event: end\ndata: {}")
      const nonsense = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "abc" })
      assert.deepInclude(yield* nonsense.event, { id: "3", event: "call.completed" })
    })
  )

  it.effect("attaches to a session before its call exists", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const id = callId(newId())
      const stream = yield* open(`/v1/calls/${sessionOfCall(id)}/stream`, key)
      yield* until(Effect.map(watching(id), (n) => n === 1))
      yield* place(id, ["ringing"])
      yield* say(notice(id, 1, "ringing"))
      assert.deepInclude(yield* stream.event, { id: "1", event: "call.ringing" })
    })
  )

  it.effect("never reveals a call of another workspace", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint({ workspace_id: workspaces.other })
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const stream = yield* open(`/v1/calls/${sessionOfCall(id)}/stream`, key)
      const unknown = yield* open(`/v1/calls/${sessionOfCall(callId(newId()))}/stream`, key)
      yield* say(notice(id, 2, "answered"))
      // The first notice was judged when the second one comes.
      yield* TestClock.adjust("1 second")
      yield* say(notice(id, 3, "completed"))
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* stream.part, ": ping")
      assert.strictEqual(yield* unknown.part, ": ping")
    })
  )

  it.effect("waits five seconds for a call id to exist", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const [id, never] = [newId(), newId()]
      const landing = Effect.gen(function* () {
        yield* until(Effect.map(Effect.all([watching(id), watching(never)]), ([a, b]) => a + b === 2))
        yield* TestClock.adjust("1 second")
        yield* place(callId(id), ["ringing"])
        yield* TestClock.adjust("4 seconds")
      })
      const [stream, missing] = yield* Effect.all(
        [open(`/v1/calls/${id}/stream`, key), ask({ path: `/v1/calls/${never}/stream`, key }), landing],
        { concurrency: 3 }
      )
      assert.deepInclude(yield* stream.event, { id: "1", event: "call.ringing" })
      assert.deepStrictEqual([missing.status, missing.code], [404, "calls.not_found"])
    })
  )

  it.effect("pings every 15 seconds, and ends after four hours for a session without a call", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint({ lives_ms: 5 * 3_600_000 })
      const stream = yield* open(`/v1/calls/${sessionOfCall(callId(newId()))}/stream`, key)
      let pings = 0
      for (;;) {
        yield* TestClock.adjust("15 seconds")
        const part = yield* stream.part
        if (part === undefined) break
        assert.strictEqual(part, ": ping")
        pings++
      }
      assert.strictEqual(pings, 4 * 60 * 4 - 1)
    })
  )

  it.effect("ends when its key is revoked: before the next event, and within 15 seconds without one", () =>
    Effect.gen(function* () {
      const { mint, revoked } = yield* FakeEngine
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const [one, other] = [callId(newId()), callId(newId())].map((key) => apiKeyId(key))
      const talking = yield* open(`/v1/calls/${id}/stream`, yield* mint({ key_id: one! }))
      const silent = yield* open(`/v1/calls/${sessionOfCall(callId(newId()))}/stream`, yield* mint({ key_id: other! }))
      yield* talking.event
      revoked.add(one!).add(other!)
      yield* say(notice(id, 2, "answered"))
      assert.isUndefined(yield* talking.part)
      yield* TestClock.adjust("15 seconds")
      assert.isUndefined(yield* silent.part)
    })
  )

  it.effect("ends when its key expires", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint({ lives_ms: 20_000 })
      const stream = yield* open(`/v1/calls/${sessionOfCall(callId(newId()))}/stream`, key)
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* stream.part, ": ping")
      yield* TestClock.adjust("15 seconds")
      assert.isUndefined(yield* stream.part)
    })
  )

  it.effect("ends when its session ends or moves to another workspace", () =>
    Effect.gen(function* () {
      const { sessions } = yield* FakeEngine
      const owner = sessions.get("owner")!
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const as = (token: string) =>
        Effect.suspend(() => {
          sessions.set(token, { ...owner, id: token })
          return open(`/v1/calls/${id}/stream`, "", { authorization: "", cookie: `session=${token}` })
        })
      const [stays, leaves, moves] = [yield* as("stays"), yield* as("leaves"), yield* as("moves")]
      for (const { event } of [stays, leaves, moves]) assert.deepInclude(yield* event, { event: "call.ringing" })
      sessions.delete("leaves")
      sessions.set("moves", { ...owner, membership: { ...owner.membership!, workspace_id: workspaces.other } })
      yield* say(notice(id, 2, "answered"))
      assert.deepInclude(yield* stays.event, { event: "call.answered" })
      assert.isUndefined(yield* leaves.part)
      assert.isUndefined(yield* moves.part)
    })
  )

  it.effect("is cut off when the engine gives up on a slow reader", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const stream = yield* open(`/v1/calls/${id}/stream`, key)
      yield* stream.event
      for (const queue of fake.watchers.get(id)!) yield* Queue.end(queue)
      assert.isUndefined(yield* stream.part)
    })
  )

  it.effect("may be open twenty times per key, and closed ones are not counted", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const path = `/v1/calls/${id}/stream`
      const streams = yield* Effect.all(
        Array.from({ length: 20 }, () => open(path, key)),
        { concurrency: 20 }
      )
      const refused = yield* ask({ path, key })
      assert.deepStrictEqual(
        [refused.status, refused.code, refused.headers.get("retry-after")],
        [429, "rate_limited", "1"]
      )
      yield* open(path, yield* fake.mint())
      streams[0]!.abort.abort()
      yield* until(Effect.map(watching(id), (n) => n === 20))
      yield* open(path, key)
    })
  )
})
