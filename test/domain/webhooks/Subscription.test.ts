import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { decideSubscription } from "../../../src/domain/webhooks/DecideSubscription.ts"
import { planSubscription } from "../../../src/domain/webhooks/PlanSubscription.ts"
import { initial, type Subscription } from "../../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionCommand } from "../../../src/domain/webhooks/SubscriptionCommand.ts"
import {
  create,
  decide,
  due,
  finished,
  keysOf,
  load,
  outcome,
  remove,
  replay,
  retryOf,
  rotate,
  route,
  shown,
  tell
} from "../../support/Subscriptions.ts"

const hour = 3_600_000

const absent = initial("s1")
const fresh = tell(absent, create, 1_000)
const poked = tell(fresh, { _tag: "Poke" })
const loaded = load(poked, [due("a"), due("b", 3)])
const disabled = tell(loaded, finished("a", 1, outcome(410)))
const deleted = tell(loaded, remove)
const open = Array.from({ length: 10 }, (_, n) => `d${n}`).reduce(
  (state, id) => tell(state, finished(id, 1, outcome(500)), 0),
  load(
    poked,
    Array.from({ length: 11 }, (_, n) => due(`d${n}`))
  )
)

describe("a subscription", () => {
  it("is made once, and tells what it is without its secret", () => {
    const { reply, volatile } = decide(absent, create, 1_000)
    assert.isFalse(volatile)
    assert.deepStrictEqual(reply, {
      _tag: "Created",
      record: {
        id: "s1",
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
        failing_since: null
      }
    })
    const again = decide(fresh, create, 2_000)
    assert.deepStrictEqual([again.events, again.reply], [[], reply])
  })

  describe("for every state and command", () => {
    const commands: Record<string, SubscriptionCommand> = {
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
      // What is known of `a` is newer than what was read.
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

  it("loads when it was poked, once at a time, and not before", () => {
    assert.deepStrictEqual(keysOf(absent), [])
    assert.deepStrictEqual(keysOf(fresh), [])
    assert.deepStrictEqual(keysOf(poked), ["load:0"])
    assert.deepStrictEqual(keysOf(tell(poked, { _tag: "Poke" })), ["load:0"])
    assert.deepStrictEqual(keysOf(loaded), ["attempt:a:1", "attempt:b:4"])
  })

  it("loads again when it was poked during a load, or when more was left", () => {
    const during = load(tell(poked, { _tag: "Poke" }), [], { pokes: poked.memory.pokes })
    assert.deepStrictEqual(keysOf(during), ["load:1"])
    assert.deepStrictEqual(keysOf(load(poked, [due("a")], { more: true })), ["attempt:a:1", "load:1"])
  })

  it("has at most fifty in flight and loads more when half of them are through", () => {
    let state = load(
      poked,
      Array.from({ length: 50 }, (_, n) => due(`d${n}`)),
      { more: true }
    )
    assert.strictEqual(keysOf(state).length, 50)
    for (let n = 0; n < 24; n++) state = tell(state, finished(`d${n}`, 1, outcome(200)))
    assert.notInclude(keysOf(state), "load:1")
    state = tell(state, finished("d24", 1, outcome(200)))
    assert.include(keysOf(state), "load:1")
  })

  it("comes back when the next delivery is due", () => {
    const waiting = load(poked, [], { next_due_at: 5_000 })
    assert.deepStrictEqual(planSubscription(waiting), [
      { _tag: "Deadline", key: "due:5000", at: 5_000, command: { _tag: "Poke" } }
    ])
    assert.deepStrictEqual(keysOf(tell(waiting, { _tag: "Poke" }, 4_999)), ["load:1", "due:5000"])
    assert.deepStrictEqual(keysOf(tell(waiting, { _tag: "Poke" }, 5_000)), ["load:1"])
    const sooner = tell(load(poked, [due("a")], { next_due_at: 5_000_000 }), finished("a", 1, outcome(500)), 1_000)
    assert.match(keysOf(sooner).join(), /^due:[4-7]\d{3}$/)
  })

  it("takes no delivery twice, though the disk still shows it as it was", () => {
    const again = load(tell(loaded, { _tag: "Poke" }), [due("a"), due("c")])
    assert.deepStrictEqual(keysOf(again), ["attempt:a:1", "attempt:b:4", "attempt:c:1"])
    const through = tell(tell(loaded, { _tag: "Poke" }), finished("a", 1, outcome(200)))
    const stale = load(through, [due("a")], { revision: through.kept!.revision - 1 })
    assert.deepStrictEqual(keysOf(stale), ["attempt:b:4"])
    // A retried delivery that comes with the revision of its retry is another attempt.
    const retried = tell(tell(loaded, { _tag: "Poke" }), finished("a", 1, outcome(500)))
    assert.include(keysOf(load(retried, [due("a", 1)])), "attempt:a:2")
  })

  it("keeps the time of a retry that the disk did not show yet", () => {
    const retried = tell(tell(loaded, { _tag: "Poke" }), finished("a", 1, outcome(500)))
    const at = retried.memory.next_due_at
    assert.isNotNull(at)
    const stale = load(retried, [], { revision: retried.kept!.revision - 1, next_due_at: null })
    assert.strictEqual(stale.memory.next_due_at, at)
    assert.isNull(load(retried, [], { next_due_at: null }).memory.next_due_at)
  })

  it("leaves what is in flight alone while the breaker is open, loads nothing, then lets one through", () => {
    const state = tell(open, { _tag: "Poke" })
    const half = tell(state, { _tag: "ProbeDue" }, 30_000)
    assert.deepStrictEqual(
      keysOf(state).filter((key) => !key.startsWith("due:")),
      ["attempt:d10:1", "probe:30000"]
    )
    assert.notInclude(keysOf(half), "load:1")
    const empty = tell(half, finished("d10", 1, outcome(500)), 30_000)
    assert.isTrue(keysOf(empty).some((key) => key.startsWith("probe:")))
    const probing = load(tell(empty, { _tag: "ProbeDue" }, 90_000), [due("p")], { more: true })
    assert.deepStrictEqual(
      keysOf(probing).filter((key) => !key.startsWith("due:")),
      ["attempt:p:1"]
    )
    assert.include(keysOf(tell(probing, finished("p", 1, outcome(200)), 91_000)), "load:2")
  })

  it("is disabled by 410 at once, and what is in flight still finishes", () => {
    assert.strictEqual(disabled.kept!.disabled_reason, "receiver_gone")
    assert.deepStrictEqual(keysOf(tell(disabled, { _tag: "Poke" })), ["attempt:b:4", "mail:0"])
    const last = tell(disabled, finished("b", 4, outcome(410)), 5)
    assert.deepStrictEqual([last.kept!.sequence, last.memory.window.length], [1, 0])
  })

  it("is disabled after 120 hours in which nothing succeeded", () => {
    const fail = (state: Subscription, at: number) =>
      tell(load(tell(state, { _tag: "Poke" }), [due(`x${at}`)]), finished(`x${at}`, 1, outcome(500)), at)
    const failing = fail(fresh, hour)
    assert.strictEqual(failing.kept!.failing_since, hour)
    assert.strictEqual(fail(failing, 121 * hour - 1).kept!.status, "active")
    const given = fail(failing, 121 * hour).kept!
    assert.deepStrictEqual([given.status, given.disabled_reason, given.updated_at], ["disabled", "failing", 121 * hour])
    const saved = tell(load(tell(failing, { _tag: "Poke" }), [due("y")]), finished("y", 1, outcome(200)), 100 * hour)
    assert.deepStrictEqual([saved.kept!.failing_since, saved.kept!.last_success_at], [null, 100 * hour])
    assert.strictEqual(fail(saved, 121 * hour).kept!.status, "active")
  })

  it("blocks a delivery without a secret, and counts it for nothing", () => {
    const blocked = tell(loaded, finished("a", 1, outcome(null, "webhooks.deliver.secret_unset")))
    assert.deepStrictEqual([blocked.kept!.failing_since, blocked.memory.breaker.in_row], [null, 0])
    assert.deepStrictEqual(keysOf(blocked), ["attempt:b:4"])
  })
})

describe("a subscription that is changed", () => {
  const changed = (state: Subscription, change: Extract<SubscriptionCommand, { _tag: "Change" }>["change"], now = 0) =>
    decide(state, { _tag: "Change", change, origin: systemOrigin }, now)

  it("is what it was but for what was named", () => {
    const { reply, state } = changed(
      fresh,
      { url: "https://example.com/new", events: ["call.busy"], kinds: ["call.busy"] },
      5_000
    )
    assert.deepInclude(state.kept, {
      url: "https://example.com/new",
      kinds: ["call.busy"],
      description: "mine",
      updated_at: 5_000
    })
    assert.strictEqual(reply._tag === "Shown" && reply.record.url, "https://example.com/new")
  })

  it("sends nothing while it is paused, and what waited when it is back", () => {
    const paused = changed(poked, { status: "paused" }).state
    assert.deepStrictEqual(keysOf(paused), [])
    assert.deepStrictEqual(keysOf(changed(paused, { status: "active" }).state), ["load:0"])
  })

  it("comes back from being disabled with a clean slate", () => {
    const { kept } = changed(disabled, { status: "active" }).state
    assert.deepInclude(kept, { status: "active", disabled_reason: null, failing_since: null })
  })

  it("gives a new address the benefit of the doubt", () => {
    assert.isNotNull(open.memory.breaker.open_until)
    assert.isNotNull(changed(open, { description: "x" }).state.memory.breaker.open_until)
    assert.isNull(changed(open, { url: "https://example.com/new" }).state.memory.breaker.open_until)
  })
})

describe("a subscription that is deleted", () => {
  it("forgets its secrets and breaks off what is in flight", () => {
    const { kept, memory } = tell(tell(loaded, rotate()), remove)
    assert.deepStrictEqual(
      [kept!.status, kept!.secret, kept!.previous_secret, memory.window],
      ["deleted", null, undefined, []]
    )
    assert.deepStrictEqual(keysOf(deleted), ["load:1"])
  })

  it("ends whatever a load finds, until nothing is left", () => {
    const { events, state } = decide(
      deleted,
      {
        _tag: "Loaded",
        load: 1,
        pokes: deleted.memory.pokes,
        revision: deleted.kept!.revision,
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

  it("leaves alone what had gone through before, though a load still shows it as it was", () => {
    const through = tell(tell(loaded, finished("a", 1, outcome(200))), remove)
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

describe("a rotation", () => {
  const secretsAt = (state: Subscription, now: number) => {
    const { reply } = decide(state, { _tag: "AskSending" }, now)
    return reply._tag === "Sending" ? reply.secrets : []
  }

  it("lets both secrets sign until the old one expires", () => {
    const { reply, state } = decide(fresh, rotate(), 1_000)
    assert.deepStrictEqual(reply, {
      _tag: "Rotated",
      rotation: { id: "s1", previous_expires_at: "1970-01-01T00:01:01.000Z", requeued_deliveries: 0 }
    })
    assert.deepStrictEqual(secretsAt(state, 60_999), ["sealed-2", "sealed"])
    assert.deepStrictEqual(secretsAt(state, 61_000), ["sealed-2"])
    const again = tell(state, rotate({ secret: "sealed-3", previous_valid_seconds: 0 }), 2_000)
    assert.deepStrictEqual(secretsAt(again, 2_000), ["sealed-3"])
  })

  it("takes up what was blocked, where there was no secret at all", () => {
    const bare = tell(absent, { ...create, facts: { ...create.facts, secret: null } })
    const { events, reply, state } = decide(bare, rotate({ blocked: [shown("a", "blocked")] }), 9_000)
    assert.deepStrictEqual(reply, {
      _tag: "Rotated",
      rotation: { id: "s1", previous_expires_at: null, requeued_deliveries: 1 }
    })
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

it("a retry by hand keeps what is known of the delivery, and is due at once", () => {
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
  assert.strictEqual(reply._tag === "Retried" && reply.delivery.next_attempt_at, "1970-01-01T00:00:04.000Z")
  assert.deepStrictEqual(keysOf(state), ["due:4000"])
})

it("a retry by hand is not forgotten by a load that does not show it yet", () => {
  const { state } = decide(poked, retryOf(shown("a", "retrying"), poked.kept!.revision), 4_000)
  const stale = load(state, [], { revision: poked.kept!.revision, next_due_at: 300_000 })
  assert.deepStrictEqual(keysOf(stale), ["due:4000"])
})

describe("a subscription that a number's routing asks for", () => {
  const routed = (state: Subscription, url: string) => {
    const { events, reply, state: after } = decide(state, route(url), 9_000)
    return { events, after, created: reply._tag === "Routed" && reply.created }
  }

  it("is made once, and follows the URL", () => {
    const first = routed(absent, "https://a.example/")
    assert.deepStrictEqual(
      [first.created, first.after.kept!.url, first.after.kept!.source],
      [true, "https://a.example/", "number_routing"]
    )
    const again = routed(first.after, "https://a.example/")
    assert.deepStrictEqual([again.created, again.events], [false, []])
    const moved = routed(first.after, "https://b.example/")
    assert.deepStrictEqual(
      [moved.created, moved.after.kept!.url, moved.after.kept!.secret],
      [false, "https://b.example/", "sealed"]
    )
  })

  it("comes back from its end with a secret of its own, and counts on", () => {
    const { after, created } = routed(deleted, "https://a.example/")
    assert.isTrue(created)
    assert.deepInclude(after.kept, {
      status: "active",
      secret: "sealed",
      created_at: 9_000,
      revision: deleted.kept!.revision + 1
    })
    assert.deepStrictEqual(keysOf(after), ["load:1"])
  })
})

describe("a replay", () => {
  it("brings what it made out at once, though a load of before did not see it", () => {
    const { reply, state } = decide(fresh, replay)
    assert.deepStrictEqual(reply, { _tag: "Replayed", replay: { replay_id: "r1", queued: 1, next_from: null } })
    assert.deepStrictEqual(keysOf(state), ["due:0"])
    const during = load(tell(poked, replay), [], { revision: poked.kept!.revision })
    assert.deepStrictEqual(keysOf(during), ["due:0"])
    assert.deepStrictEqual(keysOf(load(tell(during, { _tag: "Poke" }), [])), [])
  })
})

it("says which deliveries are in flight", () => {
  assert.deepStrictEqual(decide(loaded, { _tag: "AskInFlight" }).reply, { _tag: "InFlight", delivery_ids: ["a", "b"] })
})
