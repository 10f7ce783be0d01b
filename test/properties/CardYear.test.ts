import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { depth } from "../support/Depth.ts"
import { bookedCardYear } from "./model/BookedCardYear.ts"
import { keysOf } from "../../src/domain/KeysOf.ts"
import { monthOf } from "../../src/domain/wallet/CalendarMonth.ts"
import { autoTopUps, owed_minor, workspace_id } from "./model/CardYear.ts"

const play = Effect.fnUntraced(function* (seed: number) {
  const { journal, world } = yield* bookedCardYear(seed)
  const { ledger, snapshots } = journal.tables
  const booked = new Map<string, number>()
  for (const { amount_minor, reference_id } of ledger)
    booked.set(reference_id, (booked.get(reference_id) ?? 0) + amount_minor)
  const spent = ledger.filter(({ kind }) => kind === "number_rental").reduce((sum, row) => sum + row.amount_minor, 0)
  for (const page of world.pages.values())
    assert.strictEqual(booked.get(page.topup_id) ?? 0, owed_minor(page), JSON.stringify(page))
  const credited = ledger.filter(({ metadata }) => metadata.includes("provider_reference"))
  assert.isTrue(credited.every(({ reference_id }) => [...world.pages.keys()].some((id) => id === reference_id)))
  let balance_minor = 0
  ledger.forEach((entry, index) => {
    balance_minor += entry.amount_minor
    assert.deepStrictEqual([entry.sequence, entry.balance_after_minor], [index + 1, balance_minor], "one chain")
  })
  assert.strictEqual(
    Number(journal.tables.snapshot("Wallet", workspace_id)?.columns["balance_minor"]),
    [...world.pages.values()].reduce((sum, page) => sum + owed_minor(page), 0) + spent
  )
  for (const { actor_id, actor_type, columns } of snapshots.values()) {
    if (actor_type !== "TopUp") continue
    const page = [...world.pages.values()].find(({ topup_id }) => topup_id === actor_id)
    const paid = page !== undefined && page.payment !== null
    const left = page === undefined ? 0 : owed_minor(page)
    const expected = paid ? [left === 0 ? "reversed" : "succeeded"] : ["failed", "expired"]
    assert.include(expected, String(columns["status"]), actor_id)
  }
  const automatic = [...world.pages.values()].filter((page) => page.automatic)
  for (const charges of Map.groupBy(automatic, ({ created_at }) => monthOf(created_at)).values()) {
    const charged = charges.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
    assert.isAtMost(charged, autoTopUps.monthly_ceiling_minor, "the ceiling of a month")
  }
  const begun = [...snapshots.values()].filter(
    ({ actor_type, state }) => actor_type === "TopUp" && JSON.parse(state).facts.card !== undefined
  )
  assert.isAtMost(automatic.length + world.declined.size, begun.length, "one charge for each top-up")
  const entries = ledger.length
  const paid = [...world.pages.values()].filter(({ payment }) => payment !== null).length
  const charged = automatic.filter(({ payment }) => payment !== null).length
  return { entries, paid, charged, declined: world.declined.size, pages: world.pages.size, notices: world.sent.length }
})

const years = depth(1, 4)

it.effect(
  "a year of card payments is in the books to the cent, whatever is late, doubled, reordered or killed",
  () =>
    Effect.gen(function* () {
      const sums = { entries: 0, paid: 0, charged: 0, declined: 0, pages: 0, notices: 0 }
      for (let seed = 0; seed < years; seed++) {
        const played = yield* play(seed).pipe(
          Effect.catchDefect((defect) => Effect.die(new Error(`Seed ${seed}: ${String(defect)}`, { cause: defect })))
        )
        for (const name of keysOf(sums)) sums[name] += played[name]
      }
      assert.isAbove(sums.paid, 10 * years)
      assert.isAbove(sums.entries, sums.paid)
      assert.isAbove(sums.charged, 2 * years)
      assert.isAbove(sums.declined, years / 2)
    }),
  120_000
)
