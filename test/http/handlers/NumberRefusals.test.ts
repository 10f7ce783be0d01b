import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { budgets } from "../../../src/domain/limits/Budgets.ts"
import { byoNumberId } from "../../../src/domain/numbers/ByoNumber.ts"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { WalletReads } from "../../../src/domain/ports/money/WalletReads.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { number_id, terms } from "../../domain/numbers/Fixtures.ts"
import { FakeEngine, layerOver, workspaces } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import {
  found,
  numberEngine,
  type NumberEngineOptions,
  prove,
  stock,
  stockBrought
} from "../../support/NumberEngine.ts"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { workspaceId } from "../../support/Ids.ts"

const twenty = Array.from({ length: 20 }, (_, n) =>
  workspaceId(`0190f5fe-7c00-7a00-8000-0000000001${String(n).padStart(2, "0")}`)
)
const [first, second] = twenty as [WorkspaceId, WorkspaceId]

type Served = Layer.Success<ReturnType<typeof numberEngine>> | FakeEngine | Effect.Services<ReturnType<typeof ask>>

const served = <A, E>(
  test: (journal: MemoryJournal) => Effect.Effect<A, E, Served>,
  options: NumberEngineOptions = {}
) =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    stock(journal)
    const known = [...twenty, workspaces.active]
    return yield* Effect.provide(test(journal), layerOver(numberEngine(journal, { workspaces: known, ...options })))
  })

const keyOf = (workspace_id: WorkspaceId) => Effect.flatMap(FakeEngine, ({ mint }) => mint({ workspace_id }))
const claim = (key: string) => ask({ path: `/v1/numbers/${number_id}/claim`, method: "POST", key })
const bring = (key: string, number = "+254711000001") => ask({ path: "/v1/numbers/byo", key, body: { number } })

describe("POST /v1/numbers/{id}/claim", () => {
  it.live("lets one of twenty concurrent workspaces win, and only it pays", () =>
    served((journal) =>
      Effect.gen(function* () {
        yield* Effect.forEach(twenty, (id) => found(id, 1_000), { discard: true })
        const keys = yield* Effect.forEach(twenty, keyOf)
        const answers = yield* Effect.forEach(keys, claim, { concurrency: "unbounded" })
        assert.deepStrictEqual(answers.map(({ code, status }) => `${status} ${code}`).toSorted(), [
          "201 undefined",
          ...Array<string>(19).fill("409 numbers.already_claimed")
        ])
        const rentals = journal.tables.ledger.filter(({ kind }) => kind === "number_rental")
        assert.deepStrictEqual(
          rentals.map(({ amount_minor }) => amount_minor),
          [-terms.monthly_price_minor]
        )
      })
    )
  )

  it.live("reports that the wallet does not answer", () =>
    served(
      () =>
        Effect.gen(function* () {
          const answer = yield* claim(yield* keyOf(first))
          assert.deepStrictEqual([answer.status, answer.code], [503, "numbers.wallet_unavailable"])
        }),
      {
        balances: Layer.mock(WalletReads)({
          balance: () => Effect.fail(new ReadFailed({ cause: "away" })),
          entry: () => Effect.undefined
        })
      }
    )
  )

  it.live("is refused for a workspace with its own trunk", () =>
    served(() =>
      Effect.gen(function* () {
        yield* found(first, 1_000)
        yield* Effect.flatMap(ActorSystem, (system) =>
          system.ask(WorkspaceCommands.ChooseNumberMode, first, { mode: "byoc" })
        )
        const answer = yield* claim(yield* keyOf(first))
        assert.deepStrictEqual([answer.status, answer.code], [409, "workspace.locked_to_byoc"])
      })
    )
  )
})

describe("POST /v1/numbers/byo", () => {
  it.live("registers a workspace's own number once, until it is removed", () =>
    served(
      () =>
        Effect.gen(function* () {
          yield* found(first, 0)
          yield* found(second, 0)
          const [key, theirs] = [yield* keyOf(first), yield* keyOf(second)]
          for (const id of [first, second]) yield* prove(id, "+254711000001")
          const created = yield* bring(key)
          assert.strictEqual(created.status, 201, created.text)
          const { id } = created.body as { id: string }
          assert.deepInclude(created.body as object, {
            source: "byo",
            status: "active",
            monthly_price_minor: null,
            renews_at: null
          })
          assert.strictEqual(created.headers.get("location"), `/v1/numbers/${id}`)
          for (const again of [key, theirs]) {
            const taken = yield* bring(again)
            assert.deepStrictEqual([taken.status, taken.code], [409, "numbers.e164_taken"])
          }
          const remove = (by: string) => ask({ path: `/v1/numbers/byo/${id}`, method: "DELETE", key: by })
          assert.strictEqual((yield* remove(theirs)).code, "numbers.not_found")
          assert.strictEqual((yield* remove(key)).status, 204)
          assert.strictEqual((yield* remove(key)).code, "numbers.not_found")
          assert.strictEqual((yield* bring(theirs)).status, 201)
        }),
      { trunks: new Set([first, second]) }
    )
  )

  it.live("is refused beyond the limit of the workspace, until one is removed", () =>
    served(
      (journal) =>
        Effect.gen(function* () {
          yield* found(first, 0)
          yield* found(second, 0)
          const { limit } = budgets.brought_numbers
          stockBrought(journal, first, limit)
          for (const id of [first, second]) yield* prove(id, "+254711000001")
          const key = yield* keyOf(first)
          const refused = yield* bring(key)
          assert.deepStrictEqual([refused.status, refused.code], [409, "numbers.limit_reached"])
          const path = `/v1/numbers/byo/${byoNumberId("+254711010000")}`
          assert.strictEqual((yield* ask({ path, method: "DELETE", key })).status, 204)
          assert.strictEqual((yield* bring(key)).status, 201)
        }),
      { trunks: new Set([first, second]) }
    )
  )

  it.live("is refused without a trunk or an E.164 number, and a claim excludes an own trunk", () =>
    served(() =>
      Effect.gen(function* () {
        yield* found(first, 1_000)
        const key = yield* keyOf(first)
        const refused = yield* bring(key)
        assert.deepStrictEqual([refused.status, refused.code], [409, "numbers.byo_requires_trunk"])
        const spelled = yield* bring(key, "0711 000001")
        assert.deepStrictEqual([spelled.status, spelled.code], [400, "validation.bad_request"])
        yield* claim(key)
        const locked = yield* Effect.flatMap(ActorSystem, (system) =>
          Effect.result(system.ask(WorkspaceCommands.ChooseNumberMode, first, { mode: "byoc" }))
        )
        assert.strictEqual(locked._tag, "Failure")
      })
    )
  )
})
