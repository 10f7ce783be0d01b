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

/** An engine whose reads of all URLs are counted. `read` comes before such a read. */
const make = Effect.fnUntraced(function* (
  read: (workspace: string) => Effect.Effect<void, ReadFailed> = () => Effect.void
) {
  const memory = yield* MemoryJournal.make
  const { context } = yield* engine(memory, makeReceiver(() => Effect.succeed(answered(200))).layer)
  const searches: Array<string> = []
  const counted = Layer.effect(
    SubscriptionReads,
    Effect.map(SubscriptionReads, (reads) => ({
      ...reads,
      callUrls: (workspace) =>
        Effect.suspend(() => {
          searches.push(workspace)
          return Effect.andThen(read(workspace), reads.callUrls(workspace))
        })
    }))
  )
  const built = yield* Layer.build(
    CallWebhooks.layer.pipe(Layer.provide(counted), Layer.provideMerge(Layer.succeedContext(context)))
  )
  return yield* Effect.gen(function* () {
    const { find, subscribe } = yield* CallWebhooks
    return { searches, find, subscribe, webhooks: yield* Webhooks }
  }).pipe(Effect.provideContext(built))
})

describe("the events_url of a call", () => {
  it.effect("is one subscription, which is found without a search, however many calls name it", () =>
    Effect.gen(function* () {
      const { find, searches, subscribe, webhooks } = yield* make()
      assert.isUndefined(yield* find(workspace_id, url))
      const ids = yield* Effect.all(
        Array.from({ length: 20 }, () => subscribe(workspace_id, url)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(ids).size, 1)
      const before = searches.length
      for (let call = 0; call < 20; call++) assert.strictEqual(yield* find(workspace_id, url), ids[0])
      assert.strictEqual(searches.length, before)
      assert.lengthOf(yield* webhooks.list(workspace_id), 1)
      assert.isUndefined(yield* find(other_id, url))
      assert.notStrictEqual(yield* subscribe(other_id, url), ids[0])
    })
  )

  it.effect("is a new subscription after it was deleted, and after its URL was changed", () =>
    Effect.gen(function* () {
      const { find, subscribe, webhooks } = yield* make()
      const first = yield* subscribe(workspace_id, url)
      yield* webhooks.remove(workspace_id, first)
      assert.isUndefined(yield* find(workspace_id, url))
      const second = yield* subscribe(workspace_id, url)
      assert.notStrictEqual(second, first)
      yield* webhooks.rotateSecret(workspace_id, second, 60)
      yield* webhooks.change(workspace_id, second, { status: "paused" })
      assert.strictEqual(yield* find(workspace_id, url), second)
      yield* webhooks.change(workspace_id, second, { url: `${url}/moved` })
      assert.deepStrictEqual(
        [yield* find(workspace_id, url), yield* find(workspace_id, `${url}/moved`)],
        [undefined, second]
      )
    })
  )

  it.effect("is refused beyond the limit, unless the URL is known", () =>
    Effect.gen(function* () {
      const { find, subscribe, webhooks } = yield* make()
      const urls = Array.from({ length: 100 }, (_, index) => `${url}/${index}`)
      const ids = yield* Effect.forEach(urls, (each) => subscribe(workspace_id, each))
      assert.strictEqual(yield* find(workspace_id, urls[7]!), ids[7])
      for (const refused of [find(workspace_id, url), subscribe(workspace_id, url)])
        assert.strictEqual((yield* Effect.flip(refused))._tag, "webhooks.limit_reached")
      yield* webhooks.remove(workspace_id, ids[7]!)
      assert.isUndefined(yield* find(workspace_id, url))
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
