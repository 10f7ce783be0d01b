import { NumberCommands } from "../../../src/domain/numbers/NumberCommand.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Numbers } from "../../../src/actors/numbers/Numbers.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { Webhooks } from "../../../src/actors/webhooks/Webhooks.ts"
import { byoNumberId } from "../../../src/domain/numbers/ByoNumber.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { mine, number_id, origin, t0, terms, theirs } from "../../domain/numbers/Fixtures.ts"
import { assertPayload } from "../../support/EventPayloads.ts"
import { found, numberEngine, type NumberEngineOptions, prove, stock } from "../../support/NumberEngine.ts"
import { numberId, workspaceId } from "../../support/Ids.ts"

const price = terms.monthly_price_minor

const rentals = ({ tables }: MemoryJournal) => tables.ledger.filter(({ kind }) => kind === "number_rental")
/** The kinds of the events of numbers. Fails if a payload does not match its kind. */
const publishedKinds = ({ tables }: MemoryJournal) =>
  tables.events
    .filter(({ kind }) => kind.startsWith("number."))
    .map(({ kind, payload }) => {
      assertPayload(kind, JSON.parse(payload))
      return kind
    })
const codeOf = <A, R>(effect: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.map(Effect.result(effect), (result) => (result._tag === "Success" ? "ok" : result.failure._tag))

const withNumber = <A, E>(
  test: (
    journal: MemoryJournal
  ) => Effect.Effect<A, E, Numbers | ActorSystem | Webhooks | Layer.Success<ReturnType<typeof numberEngine>>>,
  options?: NumberEngineOptions
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(t0)
    const journal = yield* MemoryJournal.make
    stock(journal)
    return yield* Effect.provide(test(journal), numberEngine(journal, options))
  })

describe("a number's events", () => {
  const url = "https://example.com/e"

  it.effect("go to its events_url with a secret that is shown once, and nowhere after its release", () =>
    withNumber(() =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        const system = yield* ActorSystem
        const webhooks = yield* Webhooks
        yield* found(mine, 10_000)
        yield* numbers.claim(mine, number_id)
        const route = (request: object) => numbers.route(mine, number_id, { request, mode: "merge" })
        assert.match((yield* route({ events_url: url })).secret ?? "", /^whsec_/)
        assert.isUndefined((yield* route({ events_url: `${url}2` })).secret)
        const [subscription] = yield* webhooks.list(mine)
        assert.deepInclude(subscription, {
          url: `${url}2`,
          source: "number_routing",
          filters: { number_ids: [number_id] }
        })
        yield* numbers.release(mine, number_id)
        yield* TestClock.adjust("11 seconds")
        yield* system.drain
        assert.deepStrictEqual(yield* webhooks.list(mine), [])
      })
    )
  )

  it.effect("go to its events_url even if the request ended before it told the webhooks", () =>
    withNumber(() =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        const system = yield* ActorSystem
        const webhooks = yield* Webhooks
        yield* found(mine, 10_000)
        yield* numbers.claim(mine, number_id)
        yield* system.ask(NumberCommands.Route, number_id, {
          workspace_id: mine,
          change: { events_url: url },
          mode: "merge",
          origin
        })
        assert.deepStrictEqual(yield* webhooks.list(mine), [])
        yield* TestClock.adjust("11 seconds")
        yield* system.drain
        assert.deepStrictEqual(
          (yield* webhooks.list(mine)).map((row) => row.url),
          [url]
        )
      })
    )
  )
})

describe("a number of a workspace's own trunk", () => {
  const number = "+254711000001"

  it.effect("needs a trunk, belongs to one workspace, and is not found after its removal", () =>
    withNumber(
      (journal) =>
        Effect.gen(function* () {
          const numbers = yield* Numbers
          yield* found(mine, 10_000)
          yield* found(theirs, 10_000)
          assert.strictEqual(yield* codeOf(numbers.register(theirs, { number })), "numbers.byo_requires_trunk")
          assert.strictEqual(yield* codeOf(numbers.register(mine, { number })), "numbers.proof_required")
          yield* prove(mine, number)
          const brought = yield* numbers.register(mine, {
            number,
            label: "Desk",
            routing: { ring_timeout_seconds: 20 }
          })
          assert.deepInclude(brought, {
            id: numberId(byoNumberId(number)),
            number,
            source: "byo",
            status: "active",
            country: "KE",
            label: "Desk",
            renews_at: null
          })
          assert.strictEqual(yield* codeOf(numbers.register(mine, { number })), "numbers.e164_taken")
          assert.strictEqual(yield* codeOf(numbers.claim(mine, number_id)), "workspace.locked_to_byoc")
          assert.strictEqual(yield* codeOf(numbers.remove(theirs, brought.id)), "numbers.not_found")
          assert.strictEqual(yield* codeOf(numbers.release(mine, brought.id)), "numbers.not_assigned")
          yield* numbers.remove(mine, brought.id)
          assert.strictEqual(yield* codeOf(numbers.remove(mine, brought.id)), "numbers.not_found")
          assert.strictEqual((yield* numbers.register(mine, { number })).label, null)
          assert.deepStrictEqual(publishedKinds(journal), ["number.claimed", "number.released", "number.claimed"])
        }),
      { trunks: new Set([mine]) }
    )
  )

  it.effect("that two workspaces register at once belongs to one", () =>
    withNumber(
      () =>
        Effect.gen(function* () {
          const numbers = yield* Numbers
          yield* found(mine, 0)
          yield* found(theirs, 0)
          for (const id of [mine, theirs]) yield* prove(id, number)
          const both = yield* Effect.all(
            [mine, theirs].map((workspace_id) => codeOf(numbers.register(workspace_id, { number }))),
            {
              concurrency: "unbounded"
            }
          )
          assert.deepStrictEqual(both.toSorted(), ["numbers.e164_taken", "ok"])
        }),
      { trunks: new Set([mine, theirs]) }
    )
  )

  it.effect("must be E.164 and have a valid routing", () =>
    withNumber(() =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        const faultOf = (brought: Parameters<typeof numbers.register>[1]) =>
          Effect.map(Effect.flip(numbers.register(mine, brought)), (error) =>
            "details" in error ? [error._tag, error.details?.[0]?.field] : []
          )
        assert.deepStrictEqual(yield* faultOf({ number: "0711000001" }), ["validation.bad_request", "/number"])
        assert.deepStrictEqual(yield* faultOf({ number, routing: { voice_url: "x" } }), [
          "numbers.invalid_routing_url",
          "/routing/voice_url"
        ])
      })
    )
  )
})

describe("an operator", () => {
  it.effect("reassigns a number to another workspace, which pays for it from then on", () =>
    withNumber((journal) =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        const system = yield* ActorSystem
        yield* found(mine, price)
        yield* found(theirs, 10_000)
        assert.strictEqual(yield* codeOf(numbers.reassign(number_id, theirs)), "numbers.not_assigned")
        yield* numbers.claim(mine, number_id)
        assert.strictEqual(
          yield* codeOf(numbers.reassign(number_id, workspaceId("0199a000-0000-7000-8000-0000000000ff"))),
          "not_found"
        )
        assert.strictEqual(
          yield* codeOf(numbers.reassign(numberId("0199a000-0000-7000-8000-0000000000ff"), theirs)),
          "numbers.not_found"
        )
        assert.deepInclude(yield* numbers.reassign(number_id, theirs), { id: number_id, status: "active" })
        yield* TestClock.setTime(Date.parse("2027-02-28T00:00:00Z"))
        yield* system.drain
        assert.deepStrictEqual(
          rentals(journal).map(({ workspace_id }) => workspace_id),
          [mine, theirs]
        )
      })
    )
  )

  it.effect("retires a number that no workspace has", () =>
    withNumber(() =>
      Effect.gen(function* () {
        const numbers = yield* Numbers
        yield* found(mine, price)
        assert.strictEqual((yield* numbers.retire(number_id)).status, "retired")
        assert.strictEqual(yield* codeOf(numbers.retire(number_id)), "numbers.retired")
        assert.strictEqual(yield* codeOf(numbers.claim(mine, number_id)), "numbers.retired")
      })
    )
  )
})
