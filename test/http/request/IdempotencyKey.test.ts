import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { CallConcurrencyLimitReached } from "../../../src/domain/errors/CallErrors.ts"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { type Answer, ask, originateBody } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

const originate = (key: string, idempotencyKey: string, body: unknown = originateBody) =>
  ask({ path: "/v1/calls/originate", key, body, headers: { "idempotency-key": idempotencyKey } })

const outcome = ({ code, status }: Answer) => [status, code]

layer(fakeEngine)("Idempotency-Key", (it) => {
  it.effect("carries out a repeated request once and returns the same response, byte for byte", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      const before = fake.originated
      const first = yield* originate(key, "once")
      const again = yield* originate(key, "once")
      const reordered = yield* originate(
        key,
        "once",
        `{ "voice_callback_url":"https://example.com/voice",\n"from":"\\u002b254700000001", "to":"+254711000001"}`
      )
      assert.strictEqual(fake.originated, before + 1)
      for (const repeated of [again, reordered]) {
        assert.strictEqual(repeated.status, 201)
        assert.strictEqual(repeated.text, first.text)
        assert.strictEqual(repeated.headers.get("location"), first.headers.get("location"))
        assert.strictEqual(repeated.headers.get("content-type"), first.headers.get("content-type"))
        assert.strictEqual(repeated.headers.get("idempotent-replayed"), "true")
        assert.notStrictEqual(repeated.headers.get("x-request-id"), first.headers.get("x-request-id"))
      }
      assert.isNull(first.headers.get("idempotent-replayed"))
    })
  )

  it.effect("is refused with a different body or path", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      yield* originate(key, "taken")
      assert.deepStrictEqual(outcome(yield* originate(key, "taken", { ...originateBody, to: "+254711000002" })), [
        409,
        "idempotency.conflict"
      ])
    })
  )

  it.effect("belongs to one workspace", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const mine = yield* originate(yield* fake.mint(), "shared")
      const theirs = yield* originate(yield* fake.mint({ workspace_id: workspaces.other }), "shared", {
        ...originateBody,
        to: "+254711000009"
      })
      assert.strictEqual(theirs.status, 201)
      assert.notStrictEqual(theirs.text, mine.text)
    })
  )

  it.effect("lets one of many concurrent requests through and refuses the others", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      const gate = yield* Deferred.make<void>()
      const arrived = yield* Deferred.make<void>()
      fake.gate = Effect.andThen(Deferred.succeed(arrived, undefined), Deferred.await(gate))
      const before = fake.originated
      const others = Effect.gen(function* () {
        yield* Deferred.await(arrived)
        const doubles = yield* Effect.all(
          Array.from({ length: 16 }, () => originate(key, "busy")),
          { concurrency: "unbounded" }
        )
        const different = yield* originate(key, "busy", { ...originateBody, to: "+254711000002" })
        yield* Deferred.succeed(gate, undefined)
        return { doubles, different }
      })
      const [first, { different, doubles }] = yield* Effect.all([originate(key, "busy"), others], { concurrency: 2 })
      fake.gate = Effect.void
      assert.strictEqual(first.status, 201)
      for (const double of doubles) {
        assert.deepStrictEqual(outcome(double), [409, "idempotency.in_progress"])
        assert.strictEqual(double.headers.get("retry-after"), "1")
      }
      assert.deepStrictEqual(outcome(different), [409, "idempotency.conflict"])
      assert.strictEqual(fake.originated, before + 1)
      assert.strictEqual((yield* originate(key, "busy")).text, first.text)
    })
  )

  it.effect("stays in use if its client disconnects before the response", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      const gate = yield* Deferred.make<void>()
      const arrived = yield* Deferred.make<void>()
      fake.gate = Effect.andThen(Deferred.succeed(arrived, undefined), Deferred.await(gate))
      const before = fake.originated
      yield* Effect.raceFirst(originate(key, "left"), Deferred.await(arrived))
      assert.deepStrictEqual(outcome(yield* originate(key, "left")), [409, "idempotency.in_progress"])
      yield* Deferred.succeed(gate, undefined)
      fake.gate = Effect.void
      const after = yield* until("answer to repeat", originate(key, "left"), ({ status }) => status === 201, {
        every_ms: 0
      })
      assert.strictEqual(after.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(fake.originated, before + 1)
    })
  )

  it.effect("stores no refusal: the corrected request works with the same key", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      assert.deepStrictEqual(outcome(yield* originate(key, "mended", { ...originateBody, to: 1 })), [
        400,
        "validation.bad_request"
      ])
      fake.outage = new CallConcurrencyLimitReached()
      assert.strictEqual((yield* originate(key, "mended")).status, 429)
      fake.outage = undefined
      const placed = yield* originate(key, "mended")
      assert.deepStrictEqual([placed.status, placed.headers.get("idempotent-replayed")], [201, null])
    })
  )

  for (const [what, value] of [
    ["empty", ""],
    ["too long", "k".repeat(256)],
    ["not ASCII", "cl\xe9"],
    ["a tab", "a\tb"]
  ] as const) {
    it.effect(`is refused when it is ${what}`, () =>
      Effect.gen(function* () {
        const key = yield* (yield* FakeEngine).mint()
        assert.deepStrictEqual(outcome(yield* originate(key, value)), [400, "idempotency.key_invalid"])
      })
    )
  }

  it.effect("may have 255 characters", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      assert.strictEqual((yield* originate(key, "~".repeat(255))).status, 201)
    })
  )
})
