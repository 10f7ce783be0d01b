// A payment by card, as the wallet then lets calls use it.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { TopUps } from "../../../src/actors/topups/TopUps.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { TopUpRequest } from "../../../src/domain/topups/TopUpRecord.ts"
import { WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { callId, workspaceId } from "../../support/Ids.ts"
import { pass, payments, simulated } from "../../support/Payments.ts"

const workspace_id = workspaceId("0199a000-0000-7000-8000-000000000001")
const amount_minor = 50_000

const paidBy = (provider: "card" | "mobilemoney") =>
  Effect.gen(function* () {
    const topups = yield* TopUps
    const request: TopUpRequest = { provider, amount_minor, currency: "KES", phone_e164: "+254700000010" }
    const starting = yield* Effect.forkChild(topups.start({ workspace_id, request, origin: systemOrigin }))
    yield* pass(200, 5)
    yield* Fiber.join(starting)
  })

/** What the wallet says to a high-risk call. */
const callsHighRisk = Effect.gen(function* () {
  const system = yield* ActorSystem
  const hold_id = crypto.randomUUID()
  const limits = { calls_per_second: 100, max_calls_per_destination_per_hour: null, daily_spend_limit_minor: null }
  const asking = yield* Effect.forkChild(
    Effect.result(
      system.ask(WalletCommands.PlaceHold, workspace_id, {
        hold_id,
        call_id: callId(hold_id),
        amount_minor: 9_000,
        dial: { to: ["+882161234567"], high_risk: 1, limits }
      })
    )
  )
  yield* pass(1)
  const held = yield* Fiber.join(asking)
  if (Result.isSuccess(held)) return "held"
  return "reason" in held.failure ? held.failure.reason : held.failure._tag
})

describe("money for high-risk calls", () => {
  const served = <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      return yield* Effect.gen(function* () {
        yield* Effect.flatMap(Wallets, ({ open }) => open(workspace_id, "KES"))
        return yield* test
      }).pipe(Effect.provide(payments(journal, simulated)))
    })

  it.effect("is that of a card only once the payment is old", () =>
    served(
      Effect.gen(function* () {
        yield* paidBy("card")
        assert.strictEqual(yield* callsHighRisk, "card_money_too_fresh")
        yield* pass(14 * 86_400, 3_600)
        assert.strictEqual(yield* callsHighRisk, "held")
      })
    )
  )

  it.effect("is that of mobile money at once", () =>
    served(
      Effect.gen(function* () {
        yield* paidBy("mobilemoney")
        assert.strictEqual(yield* callsHighRisk, "held")
      })
    )
  )
})
