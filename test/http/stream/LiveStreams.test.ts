import { assert, it } from "@effect/vitest"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { Draining } from "../../../src/http/request/Draining.ts"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import type { Sink } from "../../../src/http/stream/Sink.ts"
import { LiveStream, type Opened } from "../../../src/http/stream/LiveStream.ts"
import { LiveStreams } from "../../../src/http/stream/LiveStreams.ts"
import { workspaceId } from "../../support/Ids.ts"

type Said = Effect.Effect<ReadonlyArray<string> | undefined, ReadFailed>

/** Tells what its test says, and pings after 15 s. */
class Told extends LiveStream {
  protected readonly opening = ["ready"]
  turns = 0
  private readonly said: Array<Said> = []
  due_at: number

  constructor(opened: Pick<Opened, "streams" | "signal">, now: number, admitted = Effect.succeed(true)) {
    super({ ...opened, workspace_id: workspaceId("w"), admitted })
    this.due_at = now + 15_000
  }

  get hasMore(): boolean {
    return this.said.length > 0
  }

  say(...said: ReadonlyArray<Said>): void {
    this.said.push(...said)
    this.wake()
  }

  next(now: number): Said {
    this.turns++
    if (now >= this.due_at) {
      this.due_at = now + 15_000
      return Effect.succeed(["ping"])
    }
    return this.said.shift() ?? Effect.succeed([])
  }
}

/** A client that takes everything at once, until it stops reading. */
class Client implements Sink {
  readonly told: Array<string> = []
  end_count = 0
  isCut = false
  isReading = true

  write(text: string): boolean {
    this.told.push(text)
    return this.isReading
  }

  end(): void {
    this.end_count++
  }

  destroy(): void {
    this.isCut = true
  }
}

const request = HttpServerRequest.fromWeb(new Request("http://engine.test/"))

/** A stream whose head is sent, and its client. Its request has ended. */
const open = (admitted?: Effect.Effect<boolean>) =>
  Effect.gen(function* () {
    const streams = yield* LiveStreams
    const ofRequest = yield* Scope.make()
    const now = yield* Clock.currentTimeMillis
    const stream = yield* streams
      .open((opened) => new Told(opened, now, admitted))
      .pipe(Scope.provide(ofRequest), Effect.provideService(HttpServerRequest.HttpServerRequest, request))
    let isHeld = false
    yield* stream.hold(
      Effect.acquireRelease(
        Effect.sync(() => (isHeld = true)),
        () => Effect.sync(() => (isHeld = false))
      )
    )
    const client = new Client()
    const attached = Effect.suspend(() => {
      stream.attach(client)
      return Scope.close(ofRequest, Exit.void)
    })
    return { stream, client, attached, ofRequest, isHeld: () => isHeld }
  })

const opened = (admitted?: Effect.Effect<boolean>) => Effect.tap(open(admitted), ({ attached }) => attached)

/** All who have a turn had it. */
const settled = Effect.promise(async () => {
  for (let round = 0; round < 200; round++) await new Promise((resolve) => setImmediate(resolve))
})

const live = Layer.provideMerge(LiveStreams.layer, Draining.layer)
const text = (said: string): Said => Effect.succeed([said])

it.effect("tells 1,000 streams their news, while one client never reads and one read never returns", () =>
  Effect.gen(function* () {
    const { size } = yield* LiveStreams
    const all = yield* Effect.forEach(Array.from({ length: 1_000 }), () => opened())
    yield* settled
    const [deaf, hanging, ...others] = all
    deaf!.client.isReading = false
    deaf!.stream.say(text("first"))
    hanging!.stream.say(Effect.never)
    yield* settled
    for (const { stream } of all) stream.say(text("news"), text("more"))
    yield* settled
    for (const { client } of others) assert.deepStrictEqual(client.told, ["ready", "news", "more"])
    assert.deepStrictEqual(deaf!.client.told, ["ready", "first"])
    deaf!.client.isReading = true
    deaf!.stream.drained()
    yield* settled
    assert.deepStrictEqual(deaf!.client.told, ["ready", "first", "news", "more"])
    assert.strictEqual(size(), 1_000)
    for (const { stream } of all) stream.closed()
    yield* settled
    assert.strictEqual(size(), 0)
    assert.isFalse(all.some(({ isHeld }) => isHeld()))
  }).pipe(Effect.provide(live))
)

it.effect("is told nothing in the middle of what brings the news", () =>
  Effect.gen(function* () {
    const { client, stream } = yield* opened()
    stream.say(text("news"))
    assert.deepStrictEqual(client.told, ["ready"])
    yield* settled
    assert.deepStrictEqual(client.told, ["ready", "news"])
  }).pipe(Effect.provide(live))
)

it.effect("does not write to a client that has not taken the last text, and pings it late", () =>
  Effect.gen(function* () {
    const { client, stream } = yield* opened()
    client.isReading = false
    stream.say(text("first"))
    yield* TestClock.adjust("40 seconds")
    assert.deepStrictEqual(client.told, ["ready", "first"])
    client.isReading = true
    stream.drained()
    yield* settled
    assert.deepStrictEqual(client.told, ["ready", "first", "ping"])
    yield* TestClock.adjust("15 seconds")
    assert.lengthOf(client.told, 4)
  }).pipe(Effect.provide(live))
)

it.effect("is asked nothing while it waits, and pinged when it is due", () =>
  Effect.gen(function* () {
    const { client, stream } = yield* opened()
    yield* TestClock.adjust("14 seconds")
    assert.strictEqual(stream.turns, 0)
    const later = yield* opened()
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([client.told.at(-1), later.client.told.at(-1)], ["ping", "ready"])
    yield* TestClock.adjust("14 seconds")
    assert.deepStrictEqual([stream.turns, later.client.told.at(-1)], [1, "ping"])
  }).pipe(Effect.provide(live))
)

it.effect("takes news that comes during its turn as a reason for another", () =>
  Effect.gen(function* () {
    const { client, stream } = yield* opened()
    stream.say(
      Effect.suspend(() => {
        stream.wake()
        return text("first")
      })
    )
    yield* settled
    assert.deepStrictEqual([client.told, stream.turns], [["ready", "first"], 2])
  }).pipe(Effect.provide(live))
)

it.effect("ends when nothing follows or its client is no longer admitted, and is cut off when a read fails", () =>
  Effect.gen(function* () {
    const { size } = yield* LiveStreams
    const [over, barred, broken] = [yield* opened(), yield* opened(Effect.succeed(false)), yield* opened()]
    const [defect, after] = [yield* opened(), yield* opened()]
    over.stream.say(Effect.succeed(undefined), text("never"))
    barred.stream.say(text("secret"))
    broken.stream.say(Effect.fail(new ReadFailed({ cause: "down" })))
    defect.client.write = () => {
      throw new Error("A defect of one stream")
    }
    defect.stream.say(text("news"))
    after.stream.say(text("news"))
    yield* settled
    assert.deepStrictEqual([defect.client.isCut, after.client.told], [true, ["ready", "news"]])
    for (const { client } of [over, barred, broken]) assert.deepStrictEqual(client.told, ["ready"])
    assert.deepStrictEqual([over.client.end_count, barred.client.end_count, broken.client.end_count], [1, 1, 0])
    assert.isTrue(broken.client.isCut)
    assert.isTrue(over.isHeld(), "it counts until its client has all of it")
    for (const { stream } of [over, barred, broken, defect, after]) stream.closed()
    yield* settled
    assert.deepStrictEqual([size(), over.isHeld()], [0, false])
  }).pipe(Effect.provide(live))
)

it.effect("tells nothing to a client that leaves during its turn", () =>
  Effect.gen(function* () {
    const { client, isHeld, stream } = yield* opened()
    stream.say(Effect.as(Effect.sleep("1 second"), ["late"]))
    yield* settled
    stream.closed()
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([client.told, client.end_count, isHeld()], [["ready"], 0, false])
  }).pipe(Effect.provide(live))
)

it.effect("gives up what it holds when its request ends before the head is sent", () =>
  Effect.gen(function* () {
    const { size } = yield* LiveStreams
    const { isHeld, ofRequest } = yield* open()
    assert.isTrue(isHeld())
    yield* Scope.close(ofRequest, Exit.void)
    assert.deepStrictEqual([size(), isHeld()], [0, false])
  }).pipe(Effect.provide(live))
)

const closing = 'event: closing\ndata: {"reason":"shutdown"}\n\n'
const stop = Effect.flatMap(Draining, ({ begin }) => begin)

it.effect("tells its news and that it closes when the server stops, also one that is due or opens late", () =>
  Effect.gen(function* () {
    const quiet = yield* opened()
    const busy = yield* opened()
    const blocked = yield* opened()
    const due = yield* opened()
    blocked.client.isReading = false
    blocked.stream.say(text("first"))
    yield* settled
    due.stream.due_at = 0
    yield* stop
    busy.stream.say(text("news"))
    const late = yield* opened()
    yield* settled
    assert.deepStrictEqual(quiet.client.told, ["ready", closing])
    assert.deepStrictEqual(busy.client.told, ["ready", "news", closing])
    assert.deepStrictEqual(due.client.told, ["ready", "ping", closing])
    assert.deepStrictEqual(late.client.told, ["ready", closing])
    assert.deepStrictEqual(blocked.client.told, ["ready", "first"])
    blocked.stream.drained()
    yield* settled
    assert.deepStrictEqual(blocked.client.told, ["ready", "first", closing])
    for (const { client } of [quiet, busy, due, late, blocked]) assert.strictEqual(client.end_count, 1)
  }).pipe(Effect.provide(live))
)

it.effect("is cut off when the server has stopped", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const services = yield* Layer.buildWithScope(live, scope)
    const { client, isHeld } = yield* Effect.provide(opened(), services)
    yield* Scope.close(scope, Exit.void)
    assert.deepStrictEqual([client.isCut, isHeld()], [true, false])
  })
)
