import { describe } from "@effect/vitest"
import * as CardSimulator from "../../../src/layers/card/CardSimulator.ts"
import { cardProviderContract } from "../../contract/CardProvider.ts"

const nothing = () => {}

describe("CardSimulator", () => {
  cardProviderContract((test) =>
    test({
      layer: CardSimulator.layer,
      pay: nothing,
      decline: nothing,
      amounts: { paid: 50_000, declined: 50_002 }
    })
  )
})
