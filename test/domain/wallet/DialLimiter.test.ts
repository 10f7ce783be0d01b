import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  addCharge,
  type DialHistory,
  type DialLimits,
  addDials,
  maxRecentDestinations,
  recentDialsOf,
  checkDialLimits,
  emptyDialHistory
} from "../../../src/domain/wallet/DialLimiter.ts"

const now = Date.UTC(2026, 10, 20, 12)
const hour = 3_600_000
const mary = "+254711000001"
const unlimited: DialLimits = {
  calls_per_second: 1_000,
  max_calls_per_destination_per_hour: null,
  daily_spend_limit_minor: null
}

/** Dials at each of these instants and tells how it went: `ok`, or the reason and the seconds to wait. */
const dial = (
  limits: Partial<DialLimits>,
  at: ReadonlyArray<number>,
  to: ReadonlyArray<string> = [mary],
  from: DialHistory = emptyDialHistory
) => {
  let dialled = from
  const told = at.map((after) => {
    const asked = checkDialLimits(dialled, { to, limits: { ...unlimited, ...limits } }, now + after, idle)
    if (Result.isFailure(asked)) return `${asked.failure.reason} ${asked.failure.retry_after_seconds}`
    dialled = addDials(dialled, asked.success, now + after)
    return "ok"
  })
  return { told, dialled }
}

const idle = { held_minor: 0, high_risk: 0 }
const slow = "calls_per_second 1"

describe("calls per second", () => {
  it.each([
    ["twice as many in one burst", 2, [0, 0, 0, 0, 0], ["ok", "ok", "ok", "ok", slow]],
    ["the pace after a burst", 2, [0, 0, 0, 0, 499, 500, 999, 1_000], ["ok", "ok", "ok", "ok", slow, "ok", slow, "ok"]],
    [
      "a burst again after two seconds of rest",
      1,
      [0, 0, 0, 2_000, 2_000, 2_000],
      ["ok", "ok", slow, "ok", "ok", slow]
    ],
    ["the pace for ever", 1, [0, 1_000, 2_000, 3_000, 4_000], ["ok", "ok", "ok", "ok", "ok"]]
  ])("allows %s", (_, calls_per_second, at, told) => {
    assert.deepStrictEqual(dial({ calls_per_second }, at).told, told)
  })

  it("does not make calls wait if the clock was set back", () => {
    const { dialled } = dial({ calls_per_second: 1 }, [0, 0])
    assert.deepStrictEqual(dial({ calls_per_second: 1 }, [-hour, -hour, -hour], [mary], dialled).told, [
      "ok",
      "ok",
      slow
    ])
    assert.deepStrictEqual(dial({ calls_per_second: 1 }, [-58_000], [mary], dialled).told, ["calls_per_second 59"])
    assert.deepStrictEqual(dial({ calls_per_second: 1 }, [-58_001], [mary], dialled).told, ["ok"])
  })

  it("counts every leg of a dial, and allows a dial of many after a pause", () => {
    const ten = Array.from({ length: 10 }, (_, n) => `+25471100000${n}`)
    assert.deepStrictEqual(dial({ calls_per_second: 2 }, [0, 0, 4_999, 5_000], ten).told, [
      "ok",
      "calls_per_second 8",
      "calls_per_second 4",
      "ok"
    ])
  })
})

describe("calls per destination", () => {
  const often = (seconds: number) => `max_calls_per_destination_per_hour ${seconds}`

  it("counts the calls of the last hour, to the millisecond", () => {
    const { dialled, told } = dial({ max_calls_per_destination_per_hour: 2 }, [
      0,
      1_000,
      2_000,
      hour - 1,
      hour,
      hour + 999,
      hour + 1_000
    ])
    assert.deepStrictEqual(told, ["ok", "ok", often(3_598), often(1), "ok", often(1), "ok"])
    assert.deepStrictEqual(
      dial({ max_calls_per_destination_per_hour: 2 }, [hour + 1_000], ["+254711000002"], dialled).told,
      ["ok"]
    )
  })

  it("refuses all calls if none is allowed, and a whole dial for one destination", () => {
    assert.deepStrictEqual(dial({ max_calls_per_destination_per_hour: 0 }, [0]).told, [often(3_600)])
    const { dialled } = dial({ max_calls_per_destination_per_hour: 1 }, [0])
    assert.deepStrictEqual(
      dial({ max_calls_per_destination_per_hour: 1 }, [1], ["+254711000002", mary], dialled).told,
      [often(3_600)]
    )
  })

  it("remembers nothing without a limit", () => {
    assert.deepStrictEqual(dial({}, [0, 0]).dialled.recent, emptyDialHistory.recent)
  })

  it("remembers destinations that are called often, however many others are called", () => {
    const calls = Array.from({ length: 3 * maxRecentDestinations }, (_, n): [string, number] => [
      n % 100 === 0 ? mary : `+2547${n}`,
      now
    ])
    const dialled = { ...emptyDialHistory, recent: recentDialsOf(calls) }
    assert.deepStrictEqual(dial({ max_calls_per_destination_per_hour: 30 }, [0], [mary], dialled).told, [often(3_600)])
    assert.deepStrictEqual(dial({ max_calls_per_destination_per_hour: 1 }, [0], ["+25471"], dialled).told, ["ok"])
  })

  it("remembers the last ten thousand destinations that were called once", () => {
    const others = Array.from({ length: maxRecentDestinations }, (_, n): [string, number] => [`+2547${n}`, now])
    const told = (calls: ReadonlyArray<[string, number]>) =>
      dial({ max_calls_per_destination_per_hour: 1 }, [0], [mary], {
        ...emptyDialHistory,
        recent: recentDialsOf(calls)
      }).told
    assert.deepStrictEqual(told([[mary, now], ...others]), [often(3_600)])
  })

  it("continues from the stored calls of the last hour", () => {
    const dialled = {
      ...emptyDialHistory,
      recent: recentDialsOf([
        [mary, now - hour],
        [mary, now - 60_000]
      ])
    }
    assert.deepStrictEqual(dial({ max_calls_per_destination_per_hour: 2 }, [0, 0], [mary], dialled).told, [
      "ok",
      often(3_540)
    ])
  })
})

describe("the daily spend", () => {
  const limits = { ...unlimited, daily_spend_limit_minor: 1_000 }
  const spent = addCharge(addCharge(emptyDialHistory, 300, now), 400, now)
  const ask = (at: number, held_minor: number) =>
    Result.match(checkDialLimits(spent, { to: [mary], limits }, at, { held_minor, high_risk: 0 }), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: () => "ok"
    })

  it.each([
    ["what is spent and held", now, 300, "ok"],
    ["one more", now, 301, "calls.spend_limit_reached"],
    ["the last instant of the day", Date.UTC(2026, 10, 21) - 1, 301, "calls.spend_limit_reached"],
    ["the next day", Date.UTC(2026, 10, 21), 1_000, "ok"],
    ["what is held over midnight", Date.UTC(2026, 10, 21), 1_001, "calls.spend_limit_reached"]
  ])("counts %s", (_, at, held_minor, told) => {
    assert.strictEqual(ask(at, held_minor), told)
  })

  it("starts at zero with the first charge of a day", () => {
    assert.deepInclude(addCharge(spent, 50, now + 24 * hour), { spent_minor: 50 })
  })
})

describe("the limit of concurrent high-risk calls", () => {
  it.each([
    ["allows calls up to the limit", 2, 1, 1, "ok"],
    ["refuses a call above it", 2, 2, 1, "max_concurrent_high_risk_calls"],
    ["counts each leg of a dial", 2, 1, 2, "max_concurrent_high_risk_calls"],
    ["does not count other calls", 0, 5, 0, "ok"],
    ["allows any number without a limit", null, 100, 1, "ok"]
  ])("%s", (_, max_concurrent_high_risk_calls, taken, high_risk, told) => {
    const limits = { ...unlimited, max_concurrent_high_risk_calls }
    const checked = checkDialLimits(emptyDialHistory, { to: [mary, mary], high_risk, limits }, now, {
      held_minor: 0,
      high_risk: taken
    })
    assert.strictEqual(Result.match(checked, { onFailure: ({ reason }) => reason, onSuccess: () => "ok" }), told)
  })
})
