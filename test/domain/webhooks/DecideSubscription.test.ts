import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { decideSubscription } from "../../../src/domain/webhooks/DecideSubscription.ts"
import type { Subscription } from "../../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionChange, SubscriptionMessage } from "../../../src/domain/webhooks/SubscriptionCommand.ts"
import {
  absent,
  after,
  create,
  decide,
  deleted,
  disabled,
  due,
  finished,
  fresh,
  keysOf,
  load,
  loaded,
  open,
  outcome,
  poked,
  remove,
  replay,
  retryOf,
  rotate,
  route,
  shown
} from "../../support/Subscriptions.ts"
import { subscriptionId } from "../../support/Ids.ts"

describe("a subscription", () => {
  it("is created once, and is shown without its secret", () => {
    const { reply, volatile } = decide(absent, create, 1_000)
    assert.isFalse(volatile)
    assert.deepStrictEqual(reply, {
      id: subscriptionId("s1"),
      url: "https://example.com/",
      description: "mine",
      events: ["call.*"],
      status: "active",
      disabled_reason: null,
      signature_format: "timestamped",
      api_version: "2026-10-01",
      source: "api",
      secret_set: true,
      filters: { number_ids: [] },
      created_at: "1970-01-01T00:00:01.000Z",
      updated_at: "1970-01-01T00:00:01.000Z",
      last_success_at: null,
      failing_since: null,
      livemode: true
    })
    const again = decide(fresh, create, 2_000)
    assert.deepStrictEqual([again.events, again.reply], [[], reply])
  })

  describe("for every state and command", () => {
    const commands: Record<string, SubscriptionMessage> = {
      Poke: { _tag: "Poke" },
      ProbeDue: { _tag: "ProbeDue" },
      Loaded: { _tag: "Loaded", load: 0, pokes: 2, revision: 1, deliveries: [due("c")], more: false, next_due_at: 9 },
      Success: finished("a", 1, outcome(200)),
      Failure: finished("a", 1, outcome(500)),
      Gone: finished("a", 1, outcome(410)),
      WrongAttempt: finished("a", 2, outcome(200)),
      Unknown: finished("z", 1, outcome(200)),
      Create: create,
      Change: { _tag: "Change", change: { description: "new" }, origin: systemOrigin },
      NoChange: { _tag: "Change", change: {}, origin: systemOrigin },
      Delete: remove,
      Rotate: rotate(),
      Unblock: rotate({ blocked: [shown("a", "blocked"), shown("c", "blocked")] }),
      Retry: retryOf(shown("c", "retrying")),
      RetryInFlight: retryOf(shown("a", "pending")),
      RetrySucceeded: retryOf(shown("c", "succeeded")),
      RetryDead: retryOf(shown("c", "dead_letter")),
      Route: route(create.facts.url),
      Reroute: route("https://example.com/new"),
      Replay: replay,
      AskInFlight: { _tag: "AskInFlight" },
      DisablingMailed: { _tag: "DisablingMailed", at: 0 },
      AskSending: { _tag: "AskSending" },
      Test: { _tag: "Test", result: { delivery_id: "t", http_status: 200, duration_ms: 1, error: null } }
    }
    const served = {
      Change: "Changed",
      Delete: "Deleted",
      Rotate: "SecretRotated",
      Unblock: "SecretRotated DeliveryMoved DeliveryMoved",
      Retry: "DeliveryMoved",
      RetryInFlight: "DeliveryMoved",
      RetrySucceeded: "webhooks.delivery_not_retryable",
      RetryDead: "webhooks.delivery_not_retryable",
      Reroute: "Changed",
      Replay: "Replayed"
    }
    const gone = Object.fromEntries(
      [
        "Change",
        "NoChange",
        "Delete",
        "Rotate",
        "Unblock",
        "Retry",
        "RetryInFlight",
        "RetrySucceeded",
        "RetryDead",
        "Replay",
        "AskInFlight",
        "AskSending",
        "Test"
      ].map((label) => [label, "webhooks.not_found"])
    )
    const states = { absent, fresh, poked, loaded, disabled, open, deleted }
    const table: Record<keyof typeof states, Record<string, string>> = {
      absent: { ...gone, Create: "Created", Route: "Created", Reroute: "Created" },
      fresh: { ...served, Poke: "~Poked", Loaded: "~LoadCame" },
      poked: { ...served, Poke: "~Poked", Loaded: "~LoadCame" },
      loaded: {
        ...served,
        Poke: "~Poked",
        Success: "DeliverySettled",
        Failure: "DeliverySettled",
        Gone: "DeliverySettled Disabled",
        Unblock: "SecretRotated DeliveryMoved",
        RetryInFlight: "nothing"
      },
      // The row of `a` that was read is older than its last change.
      disabled: {
        ...served,
        Poke: "~Poked",
        DisablingMailed: "Mailed",
        Unblock: "SecretRotated DeliveryMoved",
        RetryInFlight: "service_unavailable"
      },
      open: { ...served, Poke: "~Poked", ProbeDue: "~ProbeBegan" },
      deleted: { ...gone, Create: "webhooks.not_found", Route: "Created", Reroute: "Created", Poke: "~Poked" }
    }
    for (const [name, state] of Object.entries(states)) {
      for (const [label, command] of Object.entries(commands)) {
        const expected = table[name as keyof typeof states][label] ?? "nothing"
        it(`${name}, ${label}: ${expected}`, () => {
          const decided = decideSubscription(state, command, 0)
          const tags = Result.isFailure(decided)
            ? decided.failure._tag
            : (decided.success.volatile ? "~" : "") + decided.success.events.map(({ _tag }) => _tag).join(" ")
          assert.strictEqual(tags === "" ? "nothing" : tags, expected)
        })
      }
    }
  })
})

describe("a change to a subscription", () => {
  const changed = (state: Subscription, change: SubscriptionChange, now = 0) =>
    decide(state, { _tag: "Change", change, origin: systemOrigin }, now)

  it("changes the named members only", () => {
    const { reply, state } = changed(
      fresh,
      { url: "https://example.com/new", events: ["call.busy"], kinds: ["call.busy"] },
      5_000
    )
    assert.deepInclude(state.data, {
      url: "https://example.com/new",
      kinds: ["call.busy"],
      description: "mine",
      updated_at: 5_000
    })
    assert.strictEqual(reply.url, "https://example.com/new")
  })

  it("pauses deliveries until the subscription is active again", () => {
    const paused = changed(poked, { status: "paused" }).state
    assert.deepStrictEqual(keysOf(paused), [])
    assert.deepStrictEqual(keysOf(changed(paused, { status: "active" }).state), ["load:0"])
  })

  it("re-enables a disabled subscription and clears its failures", () => {
    const { data } = changed(disabled, { status: "active" }).state
    assert.deepInclude(data, { status: "active", disabled_reason: null, failing_since: null })
  })

  it("closes the breaker for a new URL", () => {
    assert.isNotNull(open.memory.breaker.open_until)
    assert.isNotNull(changed(open, { description: "x" }).state.memory.breaker.open_until)
    assert.isNull(changed(open, { url: "https://example.com/new" }).state.memory.breaker.open_until)
  })
})

describe("a deleted subscription", () => {
  it("drops its secrets and interrupts its attempts", () => {
    const { data, memory } = after(after(loaded, rotate()), remove)
    assert.deepStrictEqual(
      [data.status, data.secret, data.previous_secret, memory.window],
      ["deleted", null, undefined, []]
    )
    assert.deepStrictEqual(keysOf(deleted), ["load:1"])
  })

  it("ends all deliveries that a load finds, until none is left", () => {
    const { events, state } = decide(
      deleted,
      {
        _tag: "Loaded",
        load: 1,
        pokes: deleted.memory.pokes,
        revision: deleted.data.revision,
        deliveries: [due("a"), due("c", 2)],
        more: true,
        next_due_at: null
      },
      7_000
    )
    const ends = events.flatMap((event) =>
      event._tag === "DeliveryMoved" ? [[event.delivery.id, event.settlement as object]] : []
    )
    const end = {
      status: "dead_letter",
      next_attempt_at: null,
      finished_at: 7_000,
      last_error: { code: "webhooks.deliver.subscription_deleted", http_status: null },
      attempt_log: []
    }
    assert.deepStrictEqual(ends, [
      ["a", { ...end, attempts: 0 }],
      ["c", { ...end, attempts: 2 }]
    ])
    assert.deepStrictEqual(keysOf(state), ["load:2"])
    assert.deepStrictEqual(keysOf(load(state, [])), [])
  })

  it("does not end a delivery that has succeeded, even if a load reads its old row", () => {
    const through = after(after(loaded, finished("a", 1, outcome(200))), remove)
    const { events } = decide(through, {
      _tag: "Loaded",
      load: 1,
      pokes: through.memory.pokes,
      revision: 1,
      deliveries: [due("a"), due("b", 3)],
      more: false,
      next_due_at: null
    })
    assert.deepStrictEqual(
      events.flatMap((event) => (event._tag === "DeliveryMoved" ? [event.delivery.id] : [])),
      ["b"]
    )
  })
})

describe("a rotation of the secret", () => {
  const secretsAt = (state: Subscription, now: number) => {
    return decide(state, { _tag: "AskSending" }, now).reply.secrets
  }

  it("signs with both secrets until the old one expires", () => {
    const { reply, state } = decide(fresh, rotate(), 1_000)
    assert.deepStrictEqual(reply, {
      id: subscriptionId("s1"),
      previous_expires_at: "1970-01-01T00:01:01.000Z",
      requeued_deliveries: 0
    })
    assert.deepStrictEqual(secretsAt(state, 60_999), ["sealed-2", "sealed"])
    assert.deepStrictEqual(secretsAt(state, 61_000), ["sealed-2"])
    const again = after(state, rotate({ secret: "sealed-3", previous_valid_seconds: 0 }), 2_000)
    assert.deepStrictEqual(secretsAt(again, 2_000), ["sealed-3"])
  })

  it("makes blocked deliveries due when there was no secret before", () => {
    const bare = after(absent, { ...create, facts: { ...create.facts, secret: null } })
    const { events, reply, state } = decide(bare, rotate({ blocked: [shown("a", "blocked")] }), 9_000)
    assert.deepStrictEqual(reply, { id: subscriptionId("s1"), previous_expires_at: null, requeued_deliveries: 1 })
    assert.deepStrictEqual(events[1], {
      _tag: "DeliveryMoved",
      delivery: { id: "a", created_at: 0 },
      settlement: {
        status: "pending",
        attempts: 0,
        next_attempt_at: 9_000,
        finished_at: null,
        last_error: null,
        attempt_log: []
      }
    })
    assert.deepStrictEqual([secretsAt(state, 9_000), keysOf(state)], [["sealed-2"], ["due:9000"]])
  })
})

it("a manual retry keeps the attempts of the delivery and makes it due at once", () => {
  const attempt_log = [
    { at: "1970-01-01T00:00:00.000Z", duration_ms: 1, http_status: 500, error: "http_error", response_excerpt: null }
  ]
  const { events, reply, state } = decide(fresh, retryOf(shown("a", "retrying", attempt_log)), 4_000)
  assert.deepStrictEqual(events, [
    {
      _tag: "DeliveryMoved",
      delivery: { id: "a", created_at: 0 },
      settlement: {
        status: "retrying",
        attempts: 1,
        next_attempt_at: 4_000,
        finished_at: null,
        attempt_log,
        last_error: { code: "http_error", http_status: 500 }
      }
    }
  ])
  assert.strictEqual(reply.next_attempt_at, "1970-01-01T00:00:04.000Z")
  assert.deepStrictEqual(keysOf(state), ["due:4000"])
})

it("a manual retry stays due after a load that has not read it", () => {
  const { state } = decide(poked, retryOf(shown("a", "retrying"), poked.data.revision), 4_000)
  const stale = load(state, [], { revision: poked.data.revision, next_due_at: 300_000 })
  assert.deepStrictEqual(keysOf(stale), ["due:4000"])
})

describe("the subscription of a number's events_url", () => {
  const routed = (state: Subscription, url: string) => {
    const { events, reply, state: next } = decide(state, route(url), 9_000)
    return { events, next, created: reply.created }
  }

  it("is created once, and its URL can change", () => {
    const first = routed(absent, "https://a.example/")
    assert.deepStrictEqual(
      [first.created, first.next.data.url, first.next.data.source],
      [true, "https://a.example/", "number_routing"]
    )
    const again = routed(first.next, "https://a.example/")
    assert.deepStrictEqual([again.created, again.events], [false, []])
    const moved = routed(first.next, "https://b.example/")
    assert.deepStrictEqual(
      [moved.created, moved.next.data.url, moved.next.data.secret],
      [false, "https://b.example/", "sealed"]
    )
  })

  it("is created again after a deletion, with a new secret and a higher revision", () => {
    const { next, created } = routed(deleted, "https://a.example/")
    assert.isTrue(created)
    assert.deepInclude(next.data, {
      status: "active",
      secret: "sealed",
      created_at: 9_000,
      revision: deleted.data.revision + 1
    })
    assert.deepStrictEqual(keysOf(next), ["load:1"])
  })
})

describe("a replay", () => {
  it("makes its deliveries due at once, even if an earlier load has not read them", () => {
    const { reply, state } = decide(fresh, replay)
    assert.deepStrictEqual(reply, { replay_id: "r1", queued: 1, next_from: null })
    assert.deepStrictEqual(keysOf(state), ["due:0"])
    const during = load(after(poked, replay), [], { revision: poked.data.revision })
    assert.deepStrictEqual(keysOf(during), ["due:0"])
    assert.deepStrictEqual(keysOf(load(after(during, { _tag: "Poke" }), [])), [])
  })
})

it("AskInFlight replies with the ids of running attempts", () => {
  assert.deepStrictEqual(decide(loaded, { _tag: "AskInFlight" }).reply, ["a", "b"])
})
