import { assert, layer } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { TestClock } from "effect/testing"
import type { CallNotice, StreamNotice } from "../../../src/domain/calls/CallNotice.ts"
import type { CallRecord, CallStatus } from "../../../src/domain/calls/CallRecord.ts"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { sessionOfCall } from "../../../src/domain/pbx/Session.ts"
import { recordOf } from "../../support/RingingRecord.ts"
import { ask, origin } from "../../support/HttpTester.ts"
import type { CallId } from "../../../src/domain/BrandedIds.ts"
import { callId } from "../../support/Ids.ts"

let count = 0
const newId = () => `0190f5fe-7c00-7a00-8000-${String(++count).padStart(12, "0")}`

/** A stream as its client reads it: part by part. */
const open = (path: string, key: string, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const base = yield* origin
    const abort = new AbortController()
    yield* Effect.addFinalizer(() => Effect.sync(() => abort.abort()))
    const response = yield* Effect.promise(() =>
      fetch(base + path, { headers: { authorization: `Bearer ${key}`, ...headers }, signal: abort.signal })
    )
    assert.strictEqual(response.status, 200)
    assert.include(response.headers.get("content-type"), "text/event-stream")
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let buffer = ""
    const part: Effect.Effect<string | undefined> = Effect.gen(function* () {
      for (;;) {
        const end = buffer.indexOf("\n\n")
        if (end >= 0) {
          const text = buffer.slice(0, end)
          buffer = buffer.slice(end + 2)
          return text
        }
        const { done, value } = yield* Effect.promise(() => reader.read())
        if (done) return undefined
        buffer += value
      }
    })
    assert.strictEqual(yield* part, ": ready")
    assert.strictEqual(yield* part, "retry: 2000")
    const event = Effect.map(part, (text) => {
      const fields = Object.fromEntries(
        (text ?? "").split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])
      )
      return {
        id: fields["id"],
        event: fields["event"],
        data: fields["data"] === undefined ? undefined : JSON.parse(fields["data"])
      }
    })
    return { part, event, abort }
  })

const notice = (id: CallId, sequence: number, status: CallStatus, kind = `call.${status}`): CallNotice => ({
  kind,
  call_id: id,
  session_id: sessionOfCall(id),
  sequence,
  status,
  occurred_at: "2026-11-20T00:00:00.000Z",
  direction: "outbound",
  from: "+254700000001",
  to: "+254711000001",
  parent_call_id: null
})

/** A call of the workspace with its log so far. */
const place = (id: CallId, statuses: ReadonlyArray<CallStatus>, workspace_id = workspaces.active) =>
  Effect.map(FakeEngine, (fake) => {
    const record: CallRecord = { ...recordOf(id, workspace_id, "+254711000001", 0), status: statuses.at(-1)! }
    fake.calls.set(id, record)
    fake.log.set(
      id,
      statuses.map((status, index) => ({
        id: newId(),
        kind: `call.${status}`,
        sequence: index + 1,
        occurred_at: "2026-11-20T00:00:00.000Z",
        late: false,
        payload: { ...record, status, kind: `call.${status}` }
      }))
    )
  })

const say = (said: CallNotice) =>
  Effect.gen(function* () {
    const fake = yield* FakeEngine
    for (const queue of fake.watchers.get(said.call_id) ?? []) yield* Queue.offer(queue, said)
  })

const watching = (id: string) => Effect.map(FakeEngine, (fake) => fake.watchers.get(id)?.size ?? 0)

/** The sockets are real: their news come on their own time. */
const until = (holds: Effect.Effect<boolean, never, FakeEngine>) =>
  Effect.gen(function* () {
    for (let round = 0; round < 2000; round++) {
      if (yield* holds) return
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    assert.fail("it never happened")
  })

layer(fakeEngine)("the live stream of a call", (it) => {
  it.effect("sends the current status, then each change once, and ends with the call", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const stream = yield* open(`/v1/calls/${id}/stream`, key)
      assert.deepInclude(yield* stream.event, { id: "1", event: "call.ringing", data: notice(id, 1, "ringing") })
      yield* say(notice(id, 1, "ringing"))
      yield* say(notice(id, 2, "ringing", "call.progress"))
      yield* say(notice(id, 3, "answered"))
      assert.deepInclude(yield* stream.event, { id: "2", event: "call.progress" })
      assert.deepInclude(yield* stream.event, { id: "3", event: "call.answered", data: notice(id, 3, "answered") })
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
      const key = yield* (yield* FakeEngine).mint()
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

  const turn = (id: CallId, seq: number, sequence: number) => ({
    said: {
      kind: "transcript.turn" as const,
      call_id: id,
      seq,
      role: "user" as const,
      text: `turn ${seq}`,
      final: true,
      occurred_at: "2026-11-20T00:00:00.000Z"
    },
    order: sequence + 10,
    sequence
  })
  const delta = (id: CallId, order: number) => ({
    said: {
      kind: "transcript.delta" as const,
      call_id: id,
      seq: 9,
      role: "agent" as const,
      delta: `at ${order}`,
      final: false,
      occurred_at: "2026-11-20T00:00:00.000Z"
    },
    order,
    sequence: null
  })
  /** A call in the middle of a talk: turns 3 to 32 of its log. */
  const talk = (id: CallId) =>
    Effect.gen(function* () {
      yield* place(id, ["ringing", "answered"])
      const fake = yield* FakeEngine
      fake.calls.set(id, { ...fake.calls.get(id)!, answered_at: "2026-11-20T00:00:00.000Z" })
      const turns = Array.from({ length: 30 }, (_, n) => turn(id, n + 1, n + 3))
      fake.log.get(id)!.push(
        ...turns.map(({ said, sequence }) => ({
          id: newId(),
          kind: said.kind,
          sequence,
          occurred_at: said.occurred_at,
          late: false,
          payload: said
        }))
      )
      return turns
    })

  it.effect("replays the last 20 transcript pieces to a client that joins, and continues without a gap", () =>
    Effect.gen(function* () {
      const id = callId(newId())
      const turns = yield* talk(id)
      const fake = yield* FakeEngine
      const pieces = [delta(id, 100), delta(id, 101)]
      fake.said.set(id, [turns[29]!, ...pieces])
      const { event } = yield* open(`/v1/calls/${id}/stream`, yield* fake.mint())
      assert.deepInclude(yield* event, { id: "2", event: "call.answered" })
      const heard: Array<Effect.Success<typeof event>> = []
      for (let n = 0; n < 20; n++) heard.push(yield* event)
      assert.deepStrictEqual(
        heard.map(({ data, id }) => [id, data?.text ?? data?.delta]),
        [
          ...turns.slice(12).map(({ said, sequence }) => [String(sequence), said.text]),
          [undefined, "at 100"],
          [undefined, "at 101"]
        ]
      )
      const more = (...notices: ReadonlyArray<StreamNotice>) =>
        Effect.forEach(fake.watchers.get(id)!, (queue) => Queue.offerAll(queue, notices), { discard: true })
      yield* more(pieces[1]!, turns[29]!, delta(id, 102), turn(id, 31, 33))
      assert.strictEqual((yield* event).data.delta, "at 102")
      assert.deepInclude(yield* event, { id: "33", event: "transcript.turn" })
    })
  )

  it.effect("sends a returning client the missed turns, or a reset if the log begins later", () =>
    Effect.gen(function* () {
      const id = callId(newId())
      yield* talk(id)
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      const { event } = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "31" })
      assert.deepInclude(yield* event, { id: "32", event: "transcript.turn" })
      fake.log.set(id, fake.log.get(id)!.slice(10))
      const late = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "3" })
      assert.strictEqual((yield* late.event).event, "stream.reset")
      assert.deepInclude(yield* late.event, { id: "11", event: "transcript.turn" })
    })
  )

  it.effect("has a transcript that is returned with the call on request, and not among its events", () =>
    Effect.gen(function* () {
      const id = callId(newId())
      const turns = yield* talk(id)
      const key = yield* (yield* FakeEngine).mint()
      const read = (query: string) =>
        Effect.map(
          ask({ path: `/v1/calls/${id}${query}`, key }),
          ({ body }) => body as Record<string, ReadonlyArray<unknown>>
        )
      assert.notProperty(yield* read(""), "transcript")
      const { events, transcript } = yield* read("?transcript=1")
      assert.deepStrictEqual(
        transcript,
        turns.map(({ said }) => said)
      )
      assert.lengthOf(events!, 2)
      assert.strictEqual((yield* ask({ path: `/v1/calls/${id}?transcript=yes`, key })).code, "validation.bad_request")
    })
  )
})
