import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { presentOf } from "../../../src/domain/Presence.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import type { RefusalReason, SecurityAlert } from "../../../src/domain/wallet/SecurityAlerts.ts"
import { restoreWallet, stateOfWallet } from "../../../src/domain/wallet/StoredWallet.ts"
import type { PresentWallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import { callId } from "../../support/Ids.ts"
import { became, credit, empty, now } from "../../support/WalletStates.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const rich = became(empty, { ...credit(1_000_000, "first"), _tag: "Credited", at: now })

type Timed = readonly [at: number, command: WalletMessage]

let holds = 0
const place = (...abroad: ReadonlyArray<string>): WalletMessage => legs(Math.max(1, abroad.length), abroad)
const legs = (count: number, abroad: ReadonlyArray<string> = []): WalletMessage => {
  const hold_id = `hold-${++holds}`
  return {
    _tag: "PlaceHold",
    hold_id,
    call_id: callId(hold_id),
    amount_minor: 1,
    dial: {
      to: Array.from({ length: count }, (_, index) => `+2547${index}`),
      abroad,
      limits: { calls_per_second: 1_000_000, max_calls_per_destination_per_hour: null, daily_spend_limit_minor: null }
    }
  }
}
const refuse = (reason: RefusalReason, daily_spend_limit_minor?: number): WalletMessage => ({
  _tag: "CountRefusal",
  reason,
  ...(daily_spend_limit_minor !== undefined && { daily_spend_limit_minor })
})

const shown = (alert: SecurityAlert): string => {
  const kind = alert.kind.replace("security.", "")
  return "country" in alert ? `${kind} ${alert.country}` : "reason" in alert ? `${kind} ${alert.reason}` : kind
}

/** What the wallet alerts, command by command. */
const alerts = (commands: ReadonlyArray<Timed>, from: PresentWallet = rich) => {
  let wallet = from
  const told = commands.map(([after, command]) => {
    const { events } = Result.getOrThrow(decideWallet(wallet, command, now + after))
    wallet = became(wallet, ...events)
    return events.flatMap((event) => (event._tag === "Alerted" ? [shown(event.alert)] : [])).join(", ")
  })
  return { told, wallet }
}

const reread = (wallet: PresentWallet): PresentWallet =>
  presentOf(
    restoreWallet(
      { version: 1, workspace_id: wallet.workspace_id, state: stateOfWallet(wallet), alarm: null, holds: [] },
      wallet.workspace_id
    )
  )

const repeated = (times: number, at: number, command: () => WalletMessage): ReadonlyArray<Timed> =>
  Array.from({ length: times }, () => [at, command()] as const)

describe("calls abroad", () => {
  it("are alerted once for each country, and the first of all", () => {
    const { told } = alerts([
      [0, place()],
      [0, place("LV")],
      [0, place("LV")],
      [day, place("LV", "UG", "UG")],
      [day, place("UG")]
    ])
    const first = "first_international_call LV, new_country_called LV"
    assert.deepStrictEqual(told, ["", first, "", "new_country_called UG", ""])
  })

  it("are not alerted again when the decision is repeated after a crash", () => {
    const { wallet } = alerts([[0, place("LV")]])
    assert.deepStrictEqual(alerts([[0, place("LV")]], reread(wallet)).told, [""])
  })

  it("are not alerted if the hold is repeated", () => {
    const command = place("LV")
    const { told } = alerts([
      [0, command],
      [1, command]
    ])
    assert.strictEqual(told[1], "")
  })
})

describe("a burst", () => {
  it("is alerted at the sixtieth call of an hour, and once an hour", () => {
    const { told } = alerts([
      [0, legs(59)],
      [minute, legs(1)],
      [minute, legs(60)],
      [hour + minute, legs(119)]
    ])
    assert.deepStrictEqual(told, ["", "call_burst many_calls", "", ""])
  })

  it("is five times as many calls as in the busiest hour before", () => {
    const busy = alerts([[0, legs(100)]]).wallet
    assert.deepStrictEqual(alerts([[2 * hour, legs(490)]], busy).told, [""])
    assert.deepStrictEqual(alerts([[2 * hour, legs(500)]], busy).told, ["call_burst many_calls"])
    // The busiest hour is forgotten by half in six days.
    assert.deepStrictEqual(alerts([[7 * day, legs(250)]], busy).told, ["call_burst many_calls"])
  })

  it.each([
    "max_calls_to_new_country",
    "max_calls_per_hour_on_first_day",
    "max_calls_per_destination_per_hour",
    "max_concurrent_high_risk_calls"
  ] as const)("is alerted when %s refuses a call, once an hour", (reason) => {
    const { told } = alerts([
      [0, refuse(reason)],
      [0, refuse(reason)],
      [hour - 1, refuse(reason)],
      [hour, refuse(reason)]
    ])
    assert.deepStrictEqual(told, [`call_burst ${reason}`, "", "", `call_burst ${reason}`])
  })

  it("is none if the clock was set back", () => {
    const { told } = alerts([
      [0, refuse("max_calls_to_new_country")],
      [-day, refuse("max_calls_to_new_country")]
    ])
    assert.deepStrictEqual(told, ["call_burst max_calls_to_new_country", ""])
  })
})

describe("failures", () => {
  const failed = (at: number): ReadonlyArray<Timed> => {
    const placed = place()
    const { hold_id } = placed as { readonly hold_id: string }
    return [
      [at, placed],
      [at, { _tag: "ReleaseHold", hold_id, failed: true }]
    ]
  }
  const failures = (times: number, at: number) => Array.from({ length: times }, () => failed(at)).flat()
  const last = (commands: ReadonlyArray<Timed>) => alerts(commands).told.at(-1)

  it("are alerted at the twentieth within ten minutes, refused and failed calls together", () => {
    const before = [...failures(10, 0), ...repeated(9, 9 * minute, () => refuse("other"))]
    assert.isTrue(alerts(before).told.every((told) => told === ""))
    assert.strictEqual(last([...before, [10 * minute - 1, refuse("other")]]), "calls_failing")
    assert.strictEqual(last([...before, [10 * minute, refuse("other")]]), "")
    assert.strictEqual(last([...before, ...failed(9 * minute)]), "calls_failing")
  })

  it("are alerted once an hour", () => {
    const { told } = alerts([...failures(100, 0), ...failures(100, hour - 1), ...failures(100, hour)])
    assert.lengthOf(
      told.filter((each) => each === "calls_failing"),
      2
    )
  })

  it("are not alerted if most calls succeed", () => {
    assert.strictEqual(last([[0, legs(41)], ...repeated(20, 0, () => refuse("other"))]), "")
  })

  it("are counted in memory alone until they are alerted", () => {
    const refused = Result.getOrThrow(decideWallet(rich, refuse("other"), now))
    assert.isTrue(refused.volatile)
    const { wallet } = alerts(repeated(19, 0, () => refuse("other")))
    assert.isUndefined(Result.getOrThrow(decideWallet(wallet, refuse("other"), now)).volatile)
  })
})

describe("a reached spend limit", () => {
  it("is alerted once a day (UTC), with the limit and what was spent", () => {
    const midnight = day - (now % day)
    const spends = refuse("daily_spend_limit_minor", 500)
    const { told, wallet } = alerts([
      [0, spends],
      [midnight - 1, spends],
      [midnight, spends]
    ])
    assert.deepStrictEqual(told, ["spend_limit_reached", "", "spend_limit_reached"])
    assert.strictEqual(wallet.activity?.alerted?.spend_limit_reached, now + midnight)
    const [, alerted] = Result.getOrThrow(decideWallet(rich, spends, now)).events
    assert.deepNestedInclude(alerted, {
      "alert.daily_spend_limit_minor": 500,
      "alert.spent_minor": 0,
      "alert.held_minor": 0
    })
  })
})
