// A year of card payments on real actors and a journal in memory, whose engine is killed every month.
import { Effect, Layer } from "effect"
import { MobileMoneyNotices } from "../../../src/domain/ports/money/MobileMoneyNotices.ts"
import { MobileMoney } from "../../../src/domain/ports/money/PaymentProvider.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { payments } from "../../support/Payments.ts"
import { CardWorld, playCardYear } from "./CardYear.ts"
import { bytesOf, Choices } from "./Choices.ts"

const noMobileMoney = Layer.merge(MobileMoney.none, MobileMoneyNotices.none)
const month_s = 30 * 86_400

export const bookedCardYear = Effect.fnUntraced(function* (seed: number) {
  const choices = new Choices(bytesOf(seed, 2_000))
  const world = new CardWorld(choices)
  const journal = yield* MemoryJournal.make
  yield* playCardYear(world, choices, {
    engine: () => payments(journal, noMobileMoney, world.layer),
    crash: Effect.sync(() => {
      if (choices.oneIn(3)) journal.failNext()
      journal.crash()
    }),
    lives: 12,
    steps: 25,
    idle_s: month_s
  })
  return { journal, world }
})
