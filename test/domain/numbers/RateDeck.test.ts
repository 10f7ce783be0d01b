import { assert, describe, it } from "@effect/vitest"
import { RateDeck, type RateRow } from "../../../src/domain/numbers/RateDeck.ts"

const row = (prefix: string, per_min_minor: number, change: Partial<RateRow> = {}): RateRow => ({
  currency: "KES",
  direction: "outbound",
  prefix,
  per_min_minor,
  class: "normal",
  effective_from: 0,
  effective_to: null,
  ...change
})
const deck = new RateDeck([
  row("254", 300),
  row("2547", 200),
  row("2547", 250, { effective_from: 100 }),
  row("256", 900, { effective_to: 50 }),
  row("254", 0, { class: "byo" }),
  row("33", 700),
  row("254", 40, { direction: "inbound" })
])

describe("a rate", () => {
  const rows: ReadonlyArray<[string, number | undefined, Parameters<RateDeck["find"]>]> = [
    ["of the longest prefix", 200, ["KES", "outbound", "254711000001", 99]],
    ["of those the latest that has begun", 250, ["KES", "outbound", "254711000001", 100]],
    ["of a shorter prefix", 300, ["KES", "outbound", "254200000001", 0]],
    ["that has ended", undefined, ["KES", "outbound", "256711000001", 50]],
    ["in another currency", undefined, ["UGX", "outbound", "254711000001", 0]],
    ["of calls that come in", 40, ["KES", "inbound", "254711000001", 0]],
    ["over an own trunk, which may cost nothing", 0, ["KES", "outbound", "254711000001", 100, "byo"]],
    [
      "over an own trunk, where there is only that of the platform",
      undefined,
      ["KES", "outbound", "33612345678", 0, "byo"]
    ],
    ["over the platform, where there is an own one too", 300, ["KES", "outbound", "254200000001", 0, "platform"]]
  ]
  for (const [name, expected, asked] of rows)
    it(name, () => assert.strictEqual(deck.find(...asked)?.per_min_minor, expected))
})
