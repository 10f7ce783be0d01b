// The part of the journal's contract about tied entries: all of them are written, or none.
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Entry } from "../../src/domain/journal/Rows.ts"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { workspaceId } from "../support/Ids.ts"
import { call, commit, counter, hold, JournalProbe, outcomesOf, wallet } from "./JournalProbe.ts"

const load = (type: string, id: string) => Effect.flatMap(Journal, (journal) => journal.load(type, id))

/** Appends units at once. For each entry "ok" or the reason of its refusal. */
export const outcomesOfUnits = (units: ReadonlyArray<ReadonlyArray<Entry>>) =>
  Effect.flatMap(Journal, (journal) =>
    Effect.callback<ReadonlyArray<ReadonlyArray<string>>>((resume) => {
      let open = units.flat().length
      const outcomes = units.map((unit) => unit.map(() => ""))
      units.forEach((unit, at) =>
        journal.appendTied(
          unit.map((entry, index) => ({
            entry,
            done: (outcome) => {
              outcomes[at]![index] = outcome.ok ? "ok" : outcome.error.reason
              if (--open === 0) resume(Effect.succeed(outcomes))
            }
          }))
        )
      )
    })
  )

export const tiedEntries = (it: Vitest.MethodsNonLive<Journal | JournalProbe>) => {
  it.effect("stores a hold together with the call that uses it", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const placed = hold(workspace_id)
      const unit = [
        wallet(workspace_id, 1, { holds: [placed] }),
        call(workspace_id, placed.id, 1, { needs_hold: placed.id })
      ]
      assert.deepStrictEqual(yield* outcomesOfUnits([unit]), [["ok", "ok"]])
      assert.deepStrictEqual((yield* load("Wallet", workspace_id))?.holds, [placed])
      assert.isDefined(yield* load("Call", placed.id))
      const release = { ...placed, status: "released" as const, closed_at: 5_000, unused: true as const }
      assert.deepStrictEqual(yield* outcomesOf([wallet(workspace_id, 2, { holds: [release] })]), ["stale"])
    })
  )

  it.effect("stores none of two tied entries if the fence of one refuses it", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const [first, second] = [hold(workspace_id), hold(workspace_id)]
      yield* commit(call(workspace_id, first.id, 1))
      const ofCall = [
        wallet(workspace_id, 1, { holds: [first] }),
        call(workspace_id, first.id, 1, { needs_hold: first.id })
      ]
      assert.deepStrictEqual(yield* outcomesOfUnits([ofCall]), [["stale", "stale"]])
      assert.isUndefined(yield* load("Wallet", workspace_id))
      const ofWallet = [
        wallet(workspace_id, 7, { holds: [second] }),
        call(workspace_id, second.id, 1, { needs_hold: second.id })
      ]
      assert.deepStrictEqual(yield* outcomesOfUnits([ofWallet]), [["stale", "stale"]])
      assert.isUndefined(yield* load("Call", second.id))
      const probe = yield* JournalProbe
      assert.deepStrictEqual([yield* probe.hold(first.id), yield* probe.hold(second.id)], [undefined, undefined])
    })
  )

  it.effect("stores tied entries beside refused ones, and nothing that follows a refused unit", () =>
    Effect.gen(function* () {
      const [a, b, c, d] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
      const units = [
        [counter(a, 1), counter(b, 1)],
        [counter(randomUUID(), 9)],
        [counter(c, 1), counter(randomUUID(), 9)],
        [counter(c, 2), counter(d, 1)],
        [counter(d, 2)],
        [counter(a, 2), counter(randomUUID(), 1)]
      ]
      assert.deepStrictEqual(yield* outcomesOfUnits(units), [
        ["ok", "ok"],
        ["stale"],
        ["stale", "stale"],
        ["stale", "stale"],
        ["stale"],
        ["ok", "ok"]
      ])
      assert.strictEqual((yield* load("Counter", a))?.version, 2)
      assert.isUndefined(yield* load("Counter", c))
      assert.isUndefined(yield* load("Counter", d))
    })
  )

  it.effect("refuses both of two tied entries if a captured hold is placed again", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const placed = hold(workspace_id)
      const captured = { ...placed, status: "captured" as const, captured_minor: 60, closed_at: 5_000 }
      yield* commit(wallet(workspace_id, 1, { holds: [placed] }))
      yield* commit(wallet(workspace_id, 2, { holds: [captured] }))
      const unit = [
        wallet(workspace_id, 3, { holds: [placed] }),
        call(workspace_id, placed.id, 1, { needs_hold: placed.id })
      ]
      assert.deepStrictEqual(yield* outcomesOfUnits([unit]), [["captured", "captured"]])
      assert.isUndefined(yield* load("Call", placed.id))
    })
  )
}
