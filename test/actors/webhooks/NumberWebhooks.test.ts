import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Failure } from "../../../src/domain/errors/Failure.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { answered, engine, happen, makeReceiver } from "../../support/WebhookEngine.ts"
import { numberId, workspaceId } from "../../support/Ids.ts"
import type { NumberId } from "../../../src/domain/BrandedIds.ts"

const workspace_id = workspaceId("0199a000-0000-7000-8000-00000000000a")
const number_id = numberId("0199b000-0000-7000-8000-0000000000f1")
const other_number = numberId("0199b000-0000-7000-8000-0000000000f2")
const url = "https://example.com/calls"

const start = Effect.gen(function* () {
  const memory = yield* MemoryJournal.make
  const receiver = makeReceiver(() => Effect.succeed(answered(200)))
  const { system, webhooks } = yield* engine(memory, receiver.layer)
  const ring = (number: NumberId) => Effect.andThen(happen(memory, { workspace_id, number_id: number }), system.drain)
  return { memory, receiver, webhooks, ring }
})

const codeOf = <A>(effect: Effect.Effect<A, Failure>) =>
  Effect.map(Effect.flip(effect), ({ _tag, reason }) => [_tag, reason])

describe("the events_url of a number", () => {
  it.effect("receives the events of the number's calls, signed with a secret that is shown once", () =>
    Effect.gen(function* () {
      const { receiver, ring, webhooks } = yield* start
      const made = (yield* webhooks.setNumberEventsUrl(workspace_id, number_id, url))!
      yield* ring(number_id)
      yield* ring(other_number)
      assert.deepStrictEqual(
        receiver.sent.map(({ secrets, url }) => [url, secrets]),
        [[url, [made.secret!]]]
      )
      const again = (yield* webhooks.setNumberEventsUrl(workspace_id, number_id, url))!
      assert.deepStrictEqual(again, { subscription_id: made.subscription_id })
      const record = yield* webhooks.get(workspace_id, made.subscription_id)
      assert.deepInclude(record, {
        source: "number_routing",
        events: ["call.*"],
        filters: { number_ids: [number_id] },
        secret_set: true
      })
      assert.deepStrictEqual(yield* webhooks.list(workspace_id), [record])
    })
  )

  it.effect("can be changed, removed and set again, each idempotently", () =>
    Effect.gen(function* () {
      const { receiver, ring, webhooks } = yield* start
      const first = (yield* webhooks.setNumberEventsUrl(workspace_id, number_id, url))!
      assert.isUndefined((yield* webhooks.setNumberEventsUrl(workspace_id, number_id, `${url}/2`))!.secret)
      yield* ring(number_id)
      for (let n = 0; n < 2; n++) assert.isUndefined(yield* webhooks.setNumberEventsUrl(workspace_id, number_id, null))
      yield* ring(number_id)
      const second = (yield* webhooks.setNumberEventsUrl(workspace_id, number_id, url))!
      assert.isDefined(second.secret)
      assert.notStrictEqual(second.secret, first.secret)
      yield* ring(number_id)
      assert.deepStrictEqual(
        receiver.sent.map(({ secrets, url }) => [url, secrets[0]]),
        [
          [`${url}/2`, first.secret!],
          [url, second.secret!]
        ]
      )
    })
  )

  it.effect("has a secret that the number rotates; only the routing changes the rest", () =>
    Effect.gen(function* () {
      const { receiver, ring, webhooks } = yield* start
      assert.deepStrictEqual(yield* codeOf(webhooks.rotateNumberSecret(workspace_id, number_id, 0)), [
        "webhooks.not_found",
        undefined as string | undefined
      ])
      const made = (yield* webhooks.setNumberEventsUrl(workspace_id, number_id, url))!
      const rotated = yield* webhooks.rotateNumberSecret(workspace_id, number_id, 0)
      assert.strictEqual(rotated.rotation.id, made.subscription_id)
      yield* ring(number_id)
      assert.deepStrictEqual(receiver.sent[0]!.secrets, [rotated.secret])
      const refused: ReadonlyArray<string | undefined> = ["validation.bad_request", "number_routing"]
      const id = made.subscription_id
      assert.deepStrictEqual(yield* codeOf(webhooks.change(workspace_id, id, { url: "https://example.com/" })), refused)
      assert.deepStrictEqual(yield* codeOf(webhooks.change(workspace_id, id, { events: ["*"] })), refused)
      assert.deepStrictEqual(yield* codeOf(webhooks.remove(workspace_id, id)), refused)
      assert.deepInclude(yield* webhooks.change(workspace_id, id, { status: "paused" }), { status: "paused" })
    })
  )

  it.effect("does not count towards the limit of subscriptions", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* start
      for (let n = 10; n < 35; n++)
        yield* webhooks.setNumberEventsUrl(workspace_id, numberId(number_id.slice(0, -2) + n), url)
      yield* webhooks.create(workspace_id, { url, events: ["*"] })
      assert.strictEqual((yield* webhooks.list(workspace_id)).length, 26)
    })
  )
})
