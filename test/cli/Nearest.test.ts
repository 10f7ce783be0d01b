import { assert, it } from "@effect/vitest"
import { didYouMean } from "../../src/cli/Nearest.ts"

const kinds = ["call.completed", "call.busy", "wallet.low_balance"]

it("names what somebody probably meant, and nothing that is far from it", () => {
  assert.strictEqual(didYouMean("call.complete", kinds), " Did you mean call.completed?")
  assert.strictEqual(didYouMean("cal.buzy", kinds), " Did you mean call.busy?")
  assert.strictEqual(didYouMean("something", kinds), "")
  assert.strictEqual(didYouMean("call.busy", []), "")
})
