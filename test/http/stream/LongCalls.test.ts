import { assert, layer } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { type StreamNotice } from "../../../src/domain/calls/views/CallNotice.ts"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import type { CallId } from "../../../src/domain/BrandedIds.ts"
import { callId } from "../../support/Ids.ts"

import { newId, notice, open, payloadOf, place, say } from "../../support/CallStreams.ts"

layer(fakeEngine)("the live stream of a call with a long log", (it) => {
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
      assert.deepStrictEqual(yield* late.event, {
        id: undefined,
        event: "stream.reset",
        data: { reason: "log_starts_later", events_url: `/v1/calls/${id}/events?transcript=1` }
      })
      assert.deepInclude(yield* late.event, { id: "11", event: "transcript.turn" })
    })
  )

  it.effect("tells a late client the state of a call whose log is long, and a returning one all of it in order", () =>
    Effect.gen(function* () {
      const id = callId(newId())
      yield* talk(id)
      const fake = yield* FakeEngine
      const log = fake.log.get(id)!
      const { payload } = log.at(-1)!
      for (let sequence = log.length + 1; sequence <= 1_503; sequence++)
        log.push({ ...log.at(-1)!, id: newId(), sequence, payload })
      const key = yield* fake.mint()
      const joined = yield* open(`/v1/calls/${id}/stream`, key)
      assert.deepInclude(yield* joined.event, { id: "2", event: "call.answered" })
      for (let n = 1_484; n <= 1_503; n++) assert.strictEqual((yield* joined.event).id, String(n))
      const resumed = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "5" })
      yield* Effect.forEach(fake.watchers.get(id)!, (queue) => Queue.offer(queue, notice(id, 1_504, "completed")))
      for (let n = 6; n <= 1_504; n++) assert.strictEqual((yield* resumed.event).id, String(n))
      assert.strictEqual(yield* resumed.part, "event: end\ndata: {}")
      log.push({
        ...log[1]!,
        id: newId(),
        kind: "call.completed",
        sequence: 1_504,
        payload: payloadOf(id, "completed", "")
      })
      fake.calls.set(id, { ...fake.calls.get(id)!, status: "completed" })
      const after = yield* open(`/v1/calls/${id}/stream`, key)
      assert.deepInclude(yield* after.event, { id: "1504", event: "call.completed" })
      assert.strictEqual(yield* after.part, "event: end\ndata: {}")
    })
  )

  it.effect("reads from the log what did not come through the subscription", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const stream = yield* open(`/v1/calls/${id}/stream`, key)
      assert.strictEqual((yield* stream.event).id, "1")
      yield* place(id, ["ringing", "ringing", "answered", "answered"])
      yield* say(notice(id, 4, "answered", "call.dtmf", { digit: "5" }))
      assert.deepInclude(yield* stream.event, { id: "2" })
      assert.deepInclude(yield* stream.event, { id: "3", event: "call.answered" })
      assert.deepInclude(yield* stream.event, { id: "4" })
      yield* say(notice(id, 5, "answered", "call.dtmf", { digit: "5" }))
      const pressed = yield* stream.event
      assert.deepInclude(pressed.data, { kind: "call.dtmf", digit: "5", sequence: 5, late: false })
    })
  )

  it.effect("starts again for a client that has seen an event which the call never had", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const id = callId(newId())
      yield* place(id, ["ringing", "answered"])
      const stream = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "99" })
      const reset = yield* stream.event
      assert.deepInclude(reset, { event: "stream.reset" })
      assert.strictEqual(reset.data.reason, "unknown_event_id")
      assert.deepInclude(yield* stream.event, { id: "2", event: "call.answered" })
      yield* say(notice(id, 3, "completed"))
      assert.deepInclude(yield* stream.event, { id: "3", event: "call.completed" })
      assert.strictEqual(yield* stream.part, "event: end\ndata: {}")
      assert.isUndefined(yield* stream.part)
      yield* place(id, ["ringing", "busy"])
      const ended = yield* open(`/v1/calls/${id}/stream`, key, { "last-event-id": "99" })
      assert.deepInclude(yield* ended.event, { event: "stream.reset" })
      assert.deepInclude(yield* ended.event, { id: "2", event: "call.busy" })
      assert.strictEqual(yield* ended.part, "event: end\ndata: {}")
      assert.isUndefined(yield* ended.part)
    })
  )

  it.effect("shows the newest events and turns with a call, says that there are more, and lists all", () =>
    Effect.gen(function* () {
      const id = callId(newId())
      yield* place(id, ["ringing"])
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      const log = fake.log.get(id)!
      const { said } = turn(id, 1, 1)
      for (let sequence = 2; sequence <= 1_301; sequence++) {
        const isTurn = sequence <= 1_101
        const event = isTurn ? { kind: said.kind, payload: { ...said, seq: sequence } } : {}
        log.push({ ...log[0]!, ...event, id: newId(), sequence })
      }
      const { body } = yield* ask({ path: `/v1/calls/${id}?transcript=1`, key })
      const call = body as {
        readonly events: ReadonlyArray<{ readonly sequence: number }>
        readonly transcript: ReadonlyArray<{ readonly seq: number }>
      }
      assert.deepInclude(body, { events_has_more: true, transcript_has_more: true })
      assert.deepStrictEqual(
        [call.events.length, call.events[0]!.sequence, call.events.at(-1)!.sequence],
        [200, 1_102, 1_301]
      )
      assert.deepStrictEqual(
        [call.transcript.length, call.transcript[0]!.seq, call.transcript.at(-1)!.seq],
        [1_000, 102, 1_101]
      )
      const listed: Array<number> = []
      let next: string | null = `/v1/calls/${id}/events?transcript=1&limit=200`
      while (next !== null) {
        const page: { readonly body: unknown; readonly headers: Headers } = yield* ask({ path: next, key })
        listed.push(...(page.body as typeof call.events).map(({ sequence }) => sequence))
        next = page.headers.get("link")?.match(/<(.*)>/)?.[1] ?? null
      }
      assert.deepStrictEqual(
        listed,
        Array.from({ length: 1_301 }, (_, n) => n + 1)
      )
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
