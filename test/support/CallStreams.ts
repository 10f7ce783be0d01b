// Reads live streams of calls, part by part, from a server with a fake engine.
import { assert } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { type CallNotice } from "../../src/domain/calls/views/CallNotice.ts"
import type { CallRecord, CallStatus } from "../../src/domain/calls/state/CallRecord.ts"
import { FakeEngine, workspaces } from "./FakeEngine.ts"
import { recordOf } from "./RingingRecord.ts"
import { origin } from "./HttpTester.ts"
import type { CallId } from "../../src/domain/BrandedIds.ts"

let count = 0
export const newId = () => `0190f5fe-7c00-7a00-8000-${String(++count).padStart(12, "0")}`

/** A stream as its client reads it: part by part. */
export const open = (path: string, key: string, headers: Record<string, string> = {}) =>
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

export const payloadOf = (id: CallId, status: CallStatus, kind: string, workspace_id = workspaces.active) => {
  const record = recordOf(id, workspace_id, "+254711000001", 0)
  return { ...record, status, kind, call_kind: record.kind }
}

export const notice = (
  id: CallId,
  sequence: number,
  status: CallStatus,
  kind = `call.${status}`,
  more: Readonly<Record<string, unknown>> = {}
): CallNotice => ({
  kind,
  call_id: id,
  sequence,
  status,
  occurred_at: "2026-11-20T00:00:00.000Z",
  late: false,
  payload: { ...payloadOf(id, status, kind), ...more }
})

/** A call of the workspace with its log so far. */
export const place = (id: CallId, statuses: ReadonlyArray<CallStatus>, workspace_id = workspaces.active) =>
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
        payload: payloadOf(id, status, `call.${status}`, workspace_id)
      }))
    )
  })

export const say = (said: CallNotice) =>
  Effect.gen(function* () {
    const fake = yield* FakeEngine
    for (const queue of fake.watchers.get(said.call_id) ?? []) yield* Queue.offer(queue, said)
  })

export const watching = (id: string) => Effect.map(FakeEngine, (fake) => fake.watchers.get(id)?.size ?? 0)

/** The sockets are real: their news come on their own time. */
export const until = (holds: Effect.Effect<boolean, never, FakeEngine>) =>
  Effect.gen(function* () {
    for (let round = 0; round < 2000; round++) {
      if (yield* holds) return
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    assert.fail("it never happened")
  })
