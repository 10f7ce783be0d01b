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
    ["has the longest matching prefix", 200, ["KES", "outbound", "254711000001", 99]],
    ["is the latest one that is in effect", 250, ["KES", "outbound", "254711000001", 100]],
    ["has a shorter prefix if no longer one matches", 300, ["KES", "outbound", "254200000001", 0]],
    ["is not found after it has ended", undefined, ["KES", "outbound", "256711000001", 50]],
    ["is not found in another currency", undefined, ["UGX", "outbound", "254711000001", 0]],
    ["is found for inbound calls", 40, ["KES", "inbound", "254711000001", 0]],
    ["may be 0 over the workspace's own trunk", 0, ["KES", "outbound", "254711000001", 100, "byo"]],
    [
      "of the platform is not used over the workspace's own trunk",
      undefined,
      ["KES", "outbound", "33612345678", 0, "byo"]
    ],
    ["of the platform is used for calls over the platform", 300, ["KES", "outbound", "254200000001", 0, "platform"]]
  ]
  for (const [name, expected, asked] of rows)
    it(name, () => assert.strictEqual(deck.find(...asked)?.per_min_minor, expected))
})
