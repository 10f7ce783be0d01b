import { assert, describe, it } from "@effect/vitest"
import {
  addNewLegs,
  checkNewDestinations,
  type KnownDestinations,
  type NewDestinationLimits
} from "../../../src/domain/wallet/NewDestinations.ts"

const now = Date.UTC(2026, 10, 20, 12, 20)
const minute = 60_000
const hour = 60 * minute

type Dial = readonly [at: number, ...abroad: ReadonlyArray<string>]

/** Places one dial after another. Tells of each whether it was allowed, or the reason and the seconds to wait. */
const dial = (limits: NewDestinationLimits, dials: ReadonlyArray<Dial>, from: KnownDestinations = {}) => {
  let known = from
  const told = dials.map(([after, ...countries]) => {
    const legs = { legs: Math.max(1, countries.length), abroad: countries }
    const refusal = checkNewDestinations(known, legs, limits, now + after)
    if (refusal !== undefined) return `${refusal.reason} ${refusal.retry_after_seconds}`
    known = addNewLegs(known, legs, now + after)
    return "ok"
  })
  return { told, known }
}

const abroad = "max_calls_to_new_country"
const first = "max_calls_per_hour_on_first_day"

describe("calls to a new country", () => {
  const cases: ReadonlyArray<readonly [string, number | null, ReadonlyArray<Dial>, ReadonlyArray<string>]> = [
    [
      "few in the first hour",
      2,
      [
        [0, "LV"],
        [0, "LV"],
        [0, "LV"]
      ],
      ["ok", "ok", `${abroad} 3600`]
    ],
    [
      "as many as wanted after that hour",
      1,
      [
        [0, "LV"],
        [hour - 1, "LV"],
        [hour, "LV"],
        [hour, "LV"]
      ],
      ["ok", `${abroad} 1`, "ok", "ok"]
    ],
    [
      "each country by itself",
      1,
      [
        [0, "LV"],
        [0, "CU"],
        [minute, "LV"]
      ],
      ["ok", "ok", `${abroad} 3540`]
    ],
    [
      "each leg of a dial",
      2,
      [
        [0, "LV", "LV", "LV"],
        [0, "LV", "CU", "LV"]
      ],
      [`${abroad} 3600`, "ok"]
    ],
    ["none with a limit of 0", 0, [[0, "LV"]], [`${abroad} 3600`]],
    ["calls within the country of the number", 0, [[0], [0], [0]], ["ok", "ok", "ok"]],
    [
      "all without a limit",
      null,
      [
        [0, "LV"],
        [0, "LV"]
      ],
      ["ok", "ok"]
    ],
    [
      "no more calls if the clock was set back",
      1,
      [
        [0, "LV"],
        [-hour, "LV"]
      ],
      ["ok", `${abroad} 7200`]
    ]
  ]
  it.each(cases)("allows %s", (_, max_calls_to_new_country, dials, told) => {
    assert.deepStrictEqual(dial({ max_calls_to_new_country }, dials).told, told)
  })

  it("counts them before a limit is set", () => {
    const { known } = dial({}, [
      [0, "LV"],
      [0, "LV"]
    ])
    assert.deepStrictEqual(dial({ max_calls_to_new_country: 2 }, [[minute, "LV"]], known).told, [`${abroad} 3540`])
  })

  it("remembers a country for ever, and stops counting after its first hour", () => {
    const { known } = dial({}, [
      [0, "LV"],
      [2 * hour, "LV"],
      [3 * hour, "LV"]
    ])
    assert.deepStrictEqual(known.countries, { LV: { since: now, calls: 1 } })
  })
})

describe("calls on the first day", () => {
  const cases: ReadonlyArray<readonly [string, number | null, ReadonlyArray<Dial>, ReadonlyArray<string>]> = [
    ["as many in an hour as the policy says", 2, [[0], [0], [30 * minute]], ["ok", "ok", `${first} 1800`]],
    ["more in the next hour", 1, [[0], [hour - 1], [hour], [hour]], ["ok", `${first} 1`, "ok", `${first} 3600`]],
    ["any number after the first day", 1, [[0], [24 * hour], [24 * hour], [24 * hour]], ["ok", "ok", "ok", "ok"]],
    ["each leg of a dial", 1, [[0, "LV", "CU"]], [`${first} 3600`]],
    ["all without a limit", null, [[0], [0]], ["ok", "ok"]],
    ["no more calls if the clock was set back", 1, [[0], [hour], [0]], ["ok", "ok", `${first} 7200`]]
  ]
  it.each(cases)("allows %s", (_, max_calls_per_hour_on_first_day, dials, told) => {
    assert.deepStrictEqual(dial({ max_calls_per_hour_on_first_day }, dials).told, told)
  })
})
