// Follows docs/test-mode.md: every row of its tables is tried on an engine.
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { TopUps } from "../../src/actors/topups/TopUps.ts"
import { AutoTopUps } from "../../src/actors/wallet/AutoTopUps.ts"
import { Wallets } from "../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { toCallId } from "../../src/domain/BrandedIds.ts"
import { expensiveFactor, testPrices } from "../../src/domain/numbers/TestNetwork.ts"
import { MobileMoney } from "../../src/domain/ports/money/PaymentProvider.ts"
import { MobileMoneyNotices } from "../../src/domain/ports/money/MobileMoneyNotices.ts"
import { TopUpReads } from "../../src/domain/ports/money/TopUpReads.ts"
import type { TopUpRequest } from "../../src/domain/topups/TopUpRecord.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { engine, sandbox_id, TestEngine, workspace } from "../../src/testing.ts"
import { pass, payments } from "../support/Payments.ts"

const page = readFileSync("docs/test-mode.md", "utf8")

/** The rows of the table under this heading: the texts of its cells, without backquotes. */
const rowsUnder = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const table = page.split("\n").slice(page.split("\n").findIndex((line) => line.startsWith(heading)) + 2)
  const end = table.findIndex((line) => !line.startsWith("|"))
  return table.slice(0, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", ""))
  )
}

const phones = rowsUnder("| Number |")
const perMinute_minor = testPrices.KES.per_min_minor
const expensive = "+99900000020"

const place = (to: string) =>
  Effect.flatMap(Calls, ({ originate }) =>
    originate(sandbox_id, {
      to,
      from: workspace.number,
      voice_callback_url: "https://app.test/voice",
      timeout_seconds: 30,
      max_duration_seconds: 120
    })
  )

describe("the phones of test mode", () => {
  for (const [number = "", , status, cause, minutes] of phones) {
    it.effect(`${number} is ${status}, ${cause}, ${minutes} minutes`, () =>
      Effect.gen(function* () {
        const test = yield* TestEngine
        const rate_minor = number === expensive ? perMinute_minor * expensiveFactor : perMinute_minor
        yield* test.credit(number === expensive ? rate_minor * 1.5 : 100 * rate_minor)
        const placed = yield* Effect.result(place(number))
        if (placed._tag === "Failure") {
          return assert.deepStrictEqual(
            [status, cause, minutes],
            ["refused", placed.failure instanceof Error && "reason" in placed.failure ? placed.failure.reason : "", "0"]
          )
        }
        yield* test.pass(400)
        const call = (yield* test.call(toCallId(placed.success.id)))!
        assert.deepStrictEqual(
          [call.status, call.hangup_cause, call.cost_minor, call.livemode],
          [status, cause, Number(minutes) * rate_minor, false]
        )
      }).pipe(
        Effect.provide(
          engine({
            test_mode: true,
            media_timeout: true,
            callback: () =>
              Effect.succeed([{ pause: { seconds: 60 } }, { pause: { seconds: 60 } }, { pause: { seconds: 60 } }])
          })
        )
      )
    )
  }

  it("are twenty-seven", () => assert.lengthOf(phones, 27))
})

const noLive = Layer.merge(MobileMoney.none, MobileMoneyNotices.none)

/** What becomes of a top-up: the status with its failure code, or `refused` with the code of the error. */
const toppedUp = (request: TopUpRequest) =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    return yield* Effect.gen(function* () {
      yield* Effect.flatMap(Wallets, ({ open }) => open(sandbox_id, "KES"))
      const { start } = yield* TopUps
      const starting = yield* Effect.forkChild(
        Effect.result(start({ workspace_id: sandbox_id, request, origin: systemOrigin, idempotency: undefined }))
      )
      yield* pass(1)
      const started = yield* Fiber.join(starting)
      if (started._tag === "Failure") return ["refused", started.failure._tag]
      yield* pass(660, 10)
      const record = yield* Effect.flatMap(TopUpReads, ({ find }) => find(sandbox_id, started.success.topup_id))
      return [record?.status, record?.failure_code ?? ""]
    }).pipe(Effect.provide(payments(journal, noLive)))
  })

/** The failure code of an automatic top-up of this amount; empty if the card was charged. */
const chargedBySelf = (amount_minor: number) =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    return yield* Effect.gen(function* () {
      yield* Effect.flatMap(Wallets, ({ open }) => open(sandbox_id, "KES"))
      const request = { provider: "card", amount_minor: 50_000, currency: "KES", save_card: true } as const
      const starting = yield* Effect.forkChild(
        Effect.flatMap(TopUps, ({ start }) => start({ workspace_id: sandbox_id, request, origin: systemOrigin }))
      )
      yield* pass(60, 5)
      yield* Fiber.join(starting)
      const { set, show } = yield* AutoTopUps
      const settings = { enabled: true, threshold_minor: 60_000, amount_minor, monthly_ceiling_minor: 200_000 }
      const setting = yield* Effect.forkChild(set(sandbox_id, settings, systemOrigin))
      yield* pass(120, 5)
      yield* Fiber.join(setting)
      const showing = yield* Effect.forkChild(show(sandbox_id))
      yield* pass(1)
      const { charged_minor } = yield* Fiber.join(showing)
      const failed = journal.tables.events.find(({ kind }) => kind === "topup.failed")
      assert.strictEqual(charged_minor, failed === undefined ? amount_minor : 0)
      return failed === undefined ? "" : String(JSON.parse(failed.payload).failure_code)
    }).pipe(Effect.provide(payments(journal, noLive)))
  })

describe("the top-ups of test mode", () => {
  for (const [ending = "", , result, code] of rowsUnder("| Phone ends in |")) {
    const phone_e164 = `+2547000000${/^\d+$/.test(ending) ? ending : "10"}`
    it.effect(`a phone that ends in ${ending}: ${result} ${code}`, () =>
      Effect.gen(function* () {
        const request = { provider: "mobilemoney", amount_minor: 50_000, currency: "KES", phone_e164 } as const
        assert.deepStrictEqual(yield* toppedUp(request), [result, code])
      })
    )
  }

  for (const [ending = "", , code] of rowsUnder("| Automatic amount ends in |"))
    it.effect(`an automatic amount that ends in ${ending}: ${code}`, () =>
      Effect.gen(function* () {
        const amount_minor = 40_000 + (/^\d+$/.test(ending) ? Number(ending) : 3)
        assert.strictEqual(yield* chargedBySelf(amount_minor), code)
      })
    )

  for (const [ending = "", , result, code] of rowsUnder("| Amount ends in |")) {
    it.effect(`an amount by card that ends in ${ending}: ${result} ${code}`, () =>
      Effect.gen(function* () {
        const amount_minor = 50_000 + (/^\d+$/.test(ending) ? Number(ending) : 0)
        assert.deepStrictEqual(yield* toppedUp({ provider: "card", amount_minor, currency: "KES" }), [result, code])
      })
    )
  }
})
