import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { depth } from "../support/Depth.ts"
import { Choices } from "./model/Choices.ts"
import { play } from "./model/History.ts"

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const Bytes = Schema.Array(Byte).check(Schema.isMaxLength(600))

it.prop(
  "no random history of calls, money, PBX events and accidents breaks a rule",
  [Bytes],
  ([bytes]) => void play(new Choices(bytes)),
  { timeout: 120_000, arbitrary: { runs: depth(1_000, 5_000), size: 300 } }
)

it("a history without accidents has two answered calls, each charged for its first minute", () => {
  const { books, calls } = play(new Choices([]))
  assert.deepStrictEqual(
    [...calls.values()].map(({ state }) => state.ending?.status),
    ["completed", "completed"]
  )
  assert.strictEqual(books.ledger.filter(({ kind }) => kind === "call_charge").length, 2)
})
