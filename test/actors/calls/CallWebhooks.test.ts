import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { CallWebhooks } from "../../../src/actors/calls/CallWebhooks.ts"
import type { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { SubscriptionReads } from "../../../src/domain/ports/webhooks/SubscriptionReads.ts"
import { Webhooks } from "../../../src/actors/webhooks/Webhooks.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { answered, engine, makeReceiver } from "../../support/WebhookEngine.ts"
import { workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("0199a000-0000-7000-8000-00000000000a")
const other_id = workspaceId("0199a000-0000-7000-8000-00000000000b")
const url = "https://example.com/calls"

/** An engine whose reads of lists are counted. `list` comes before such a read. */
const make = Effect.fnUntraced(function* (
  list: (workspace: string) => Effect.Effect<void, ReadFailed> = () => Effect.void
) {
  const memory = yield* MemoryJournal.make
  const { context } = yield* engine(memory, makeReceiver(() => Effect.succeed(answered(200))).layer)
  const lists: Array<string> = []
  const counted = Layer.effect(
    SubscriptionReads,
    Effect.map(SubscriptionReads, (reads) => ({
      ...reads,
      list: (workspace) =>
        Effect.suspend(() => {
          lists.push(workspace)
          return Effect.andThen(list(workspace), reads.list(workspace))
        })
    }))
  )
  const built = yield* Layer.build(
    CallWebhooks.layer.pipe(Layer.provide(counted), Layer.provideMerge(Layer.succeedContext(context)))
  )
  return yield* Effect.gen(function* () {
    const { subscribe } = yield* CallWebhooks
    return { lists, subscribe, webhooks: yield* Webhooks }
  }).pipe(Effect.provideContext(built))
})

describe("the events_url of a call", () => {
  it.effect("is one subscription, which is searched once, however many calls name it", () =>
    Effect.gen(function* () {
      const { lists, subscribe, webhooks } = yield* make()
      const ids = yield* Effect.all(
        Array.from({ length: 20 }, () => subscribe(workspace_id, url)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(ids).size, 1)
      const before = lists.length
      for (let call = 0; call < 20; call++) assert.strictEqual(yield* subscribe(workspace_id, url), ids[0])
      assert.strictEqual(lists.length, before)
      assert.lengthOf(yield* webhooks.list(workspace_id), 1)
      assert.notStrictEqual(yield* subscribe(other_id, url), ids[0])
    })
  )

  it.effect("is a new subscription after it was deleted", () =>
    Effect.gen(function* () {
      const { subscribe, webhooks } = yield* make()
      const first = yield* subscribe(workspace_id, url)
      yield* webhooks.remove(workspace_id, first)
      const second = yield* subscribe(workspace_id, url)
      assert.notStrictEqual(second, first)
      assert.strictEqual(yield* subscribe(workspace_id, url), second)
    })
  )

  it.effect("waits for no other workspace", () =>
    Effect.gen(function* () {
      const ready = yield* Deferred.make<void>()
      const { subscribe } = yield* make((workspace) => (workspace === other_id ? Deferred.await(ready) : Effect.void))
      const slow = yield* Effect.forkChild(subscribe(other_id, url))
      yield* Effect.yieldNow
      yield* subscribe(workspace_id, url)
      yield* Deferred.succeed(ready, undefined)
      yield* Fiber.join(slow)
    })
  )
})
