// The live stream of a call: server-sent events (docs/api.md, "Following a call live").
import { Array, Cause, Clock, Context, Effect, Layer, Option, Queue, Schedule, type Scope, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { Calls } from "../actors/Calls.ts"
import type { Principal } from "../domain/access/Principal.ts"
import type { CallNotice } from "../domain/calls/CallNotice.ts"
import { CallNotFound } from "../domain/errors/CallErrors.ts"
import { RateLimited } from "../domain/errors/GeneralErrors.ts"
import { callOfSession } from "../domain/pbx/Session.ts"
import { CallReads } from "../domain/ports/CallReads.ts"
import type { ReadFailed } from "../domain/ports/ReadFailed.ts"
import { isSession } from "./CallRef.ts"
import { Draining } from "./Draining.ts"
import { closing, opening, ping, StreamText } from "./StreamText.ts"

/** Open streams that one API key may have in a process. */
const max_streams = 20
const ping_ms = 15_000
/** A session id that never gets a call must not hold its stream for ever. */
const max_age_ms = 4 * 3_600_000
/** A client may know a call's id before the call has landed: it is looked for during 5 s. */
const landing = { schedule: Schedule.spaced("250 millis"), times: 20 }
/** More events than a call has. */
const log_limit = 1000

type Live = Queue.Dequeue<CallNotice, Cause.Done>

export interface StreamRequest {
  readonly principal: Principal
  /** A call id or a session id. */
  readonly ref: string
  /** The last event that the client has seen, from its `Last-Event-ID`. */
  readonly seen: number | undefined
}

/** Takes one of the key's places until the scope closes. */
const makePlaces = () => {
  const taken = new Map<string, number>()
  const take = (key_id: string) =>
    Effect.suspend(() => {
      const count = taken.get(key_id) ?? 0
      if (count >= max_streams) {
        return Effect.fail(new RateLimited({ message: `The API key has ${max_streams} streams open already.` }))
      }
      return Effect.sync(() => taken.set(key_id, count + 1))
    })
  const leave = (key_id: string) =>
    Effect.sync(() => {
      const left = taken.get(key_id)! - 1
      if (left === 0) taken.delete(key_id)
      else taken.set(key_id, left)
    })
  return (key_id: string) => Effect.acquireRelease(take(key_id), () => leave(key_id))
}

const make = Effect.gen(function*() {
  const calls = yield* Calls
  const reads = yield* CallReads
  const draining = yield* Draining
  const takePlace = makePlaces()

  const mustLand = (workspace_id: string, call_id: string) =>
    Effect.gen(function*() {
      const record = yield* reads.find(workspace_id, call_id)
      return record ?? (yield* new CallNotFound())
    }).pipe(Effect.retry({ ...landing, while: (error) => error._tag === "calls.not_found" }))

  /** The call that a reference means: for a session id no call need exist yet. */
  const resolve = ({ principal: { workspace_id }, ref }: StreamRequest) => {
    const named = isSession(ref) ? callOfSession(ref) : ref
    return named === undefined
      ? Effect.map(reads.find(workspace_id, ref), (record) => record?.id)
      : Effect.succeed(named)
  }

  /** The parts of the stream's body, one each time. It ends with `Done`. */
  const parts = (live: Live, workspace_id: string, call_id: string, text: StreamText, opened_at: number) => {
    // Undefined while no such call is known here; false when it is another workspace's, which must look the same.
    let owned: boolean | undefined

    const join = Effect.gen(function*() {
      const record = yield* reads.find(workspace_id, call_id)
      if (record === undefined) return []
      owned = true
      return text.joined(record, yield* reads.events(workspace_id, call_id, text.since, log_limit))
    })

    const heard = (notices: ReadonlyArray<CallNotice>) =>
      Effect.gen(function*() {
        if (owned === undefined) {
          const joined = yield* join
          owned ??= false
          if (owned) return [...joined, ...text.news(notices)]
        }
        return owned ? text.news(notices) : []
      })

    const silence = Effect.gen(function*() {
      const age_ms = (yield* Clock.currentTimeMillis) - opened_at
      return age_ms >= max_age_ms ? yield* Cause.done() : [ping]
    })

    const told = Effect.gen(function*() {
      const news = yield* Effect.raceFirst(
        Effect.timeoutOption(Queue.takeAll(live), ping_ms),
        Effect.as(draining.wait, "draining" as const)
      )
      if (news === "draining") return [closing]
      return Option.isNone(news) ? yield* silence : yield* heard(news.value)
    })

    return { join, told }
  }

  const open = Effect.fnUntraced(function*(request: StreamRequest) {
    const { principal: { key_id, workspace_id }, ref, seen } = request
    yield* takePlace(key_id)
    const opened_at = yield* Clock.currentTimeMillis
    const call_id = yield* resolve(request)
    const live: Live = call_id === undefined ? yield* Queue.unbounded<CallNotice, Cause.Done>() : yield* calls.watch(call_id)
    if (!isSession(ref)) yield* mustLand(workspace_id, ref)
    const text = new StreamText(seen)
    const { join, told } = parts(live, workspace_id, call_id ?? ref, text, opened_at)
    let leaving = false
    const next = Effect.gen(function*() {
      while (!text.isOver && !leaving) {
        const lines = yield* told
        leaving = lines[0] === closing
        if (Array.isReadonlyArrayNonEmpty(lines)) return lines
      }
      return yield* Cause.done()
    })
    return HttpServerResponse.stream(
      Stream.fromIterable(opening).pipe(
        Stream.concat(Stream.unwrap(Effect.map(join, (lines) => Stream.fromIterable(lines)))),
        Stream.concat(Stream.fromPull(Effect.succeed(next))),
        Stream.encodeText
      ),
      { contentType: "text/event-stream", headers: { "cache-control": "no-cache", "x-accel-buffering": "no" } }
    )
  })

  return CallStream.of({ open })
})

export class CallStream extends Context.Service<CallStream, {
  /** Listens before it answers, so that nothing is lost after `: ready`. The stream lives as long as the scope. */
  readonly open: (
    request: StreamRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, CallNotFound | RateLimited | ReadFailed, Scope.Scope>
}>()("trunkline/http/CallStream") {
  static readonly layer = Layer.effect(CallStream, make)
}
