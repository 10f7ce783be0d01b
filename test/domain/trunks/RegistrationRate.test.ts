import { assert, describe, it } from "@effect/vitest"
import { firstLook, isTooOften, nextLook } from "../../../src/domain/trunks/RegistrationRate.ts"

/** What happens to a registration: the seconds from one REGISTER to the next, and what the PBX handles for each. */
interface Habit {
  readonly every_s: number
  readonly handled: number
  readonly registered: boolean
}

/** The seconds after which it is too often; undefined if it never is within the time. */
const noticed = ({ every_s, handled, registered }: Habit, looks_s: number, within_s: number): number | undefined => {
  const look = (at_s: number) => {
    const rounds = Math.floor(at_s / every_s) + 1
    const renewed_at = registered ? Math.floor(rounds * every_s - at_s) * 1_000 + at_s * 1_000 : undefined
    return { at: at_s * 1_000, handled: 7_000 + rounds * handled, renewed_at }
  }
  let rate = firstLook(look(0))
  for (let at_s = looks_s; at_s <= within_s; at_s += looks_s) {
    rate = nextLook(rate, look(at_s))
    if (isTooOften(rate)) return at_s
  }
  return undefined
}
const hour_s = 3_600

describe("a registrar", () => {
  it.each<[string, Habit, number, number]>([
    ["demands a longer registration each time", { every_s: 0.001, handled: 1, registered: false }, 1, 1],
    ["grants a second", { every_s: 0.05, handled: 3, registered: true }, 1, 2],
    ["grants a second, far away", { every_s: 1, handled: 3, registered: true }, 15, 30],
    ["grants 20 seconds", { every_s: 10, handled: 5, registered: true }, 15, 60],
    ["grants 30 seconds", { every_s: 20, handled: 5, registered: true }, 15, 180],
    ["closes each connection after two seconds", { every_s: 2, handled: 5, registered: true }, 15, 45]
  ])("that %s is noticed", (_, habit, looks_s, after_s) => {
    const seen = noticed(habit, looks_s, hour_s)
    assert.isDefined(seen)
    assert.isAtMost(seen ?? Infinity, after_s)
  })

  it.each<[string, Habit]>([
    ["grants 40 seconds, with challenges", { every_s: 30, handled: 5, registered: true }],
    ["grants a minute, with stale challenges", { every_s: 50, handled: 9, registered: true }],
    ["grants an hour", { every_s: 3_590, handled: 5, registered: true }],
    ["refuses each attempt, which is repeated after 30 seconds", { every_s: 30, handled: 5, registered: false }],
    ["is probed every minute", { every_s: 60, handled: 6, registered: true }]
  ])("that %s is orderly", (_, habit) => {
    for (const looks_s of [1, 7, 15]) assert.isUndefined(noticed(habit, looks_s, 4 * hour_s))
  })

  it("is not judged by what the PBX did before the first look, nor by a PBX that counts from the beginning again", () => {
    const look = (at: number, handled: number) => ({ at, handled, renewed_at: undefined })
    const rate = nextLook(nextLook(firstLook(look(0, 100_000)), look(1_000, 3)), look(2_000, 8))
    assert.isFalse(isTooOften(rate))
  })

  it("may grant one short registration", () => {
    const look = (at: number, renewed_at: number) => ({ at, handled: 0, renewed_at })
    let rate = firstLook(look(0, 3_000_000))
    for (let hour = 1; hour < 10; hour++) {
      rate = nextLook(rate, look(hour * 3_600_000, hour * 3_600_000 + 5_000))
      rate = nextLook(rate, look(hour * 3_600_000 + 1_000, hour * 3_600_000 + 6_000))
      rate = nextLook(rate, look(hour * 3_600_000 + 15_000, (hour + 1) * 3_600_000))
      assert.isFalse(isTooOften(rate))
    }
  })
})
