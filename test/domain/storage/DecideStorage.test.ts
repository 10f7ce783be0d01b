import { describe, expect, it } from "@effect/vitest"
import { changeOf } from "../../../src/domain/Decision.ts"
import { Result } from "effect"
import { type Origin, systemOrigin } from "../../../src/domain/access/Origin.ts"
import { WalletInsufficientFunds } from "../../../src/domain/errors/WalletErrors.ts"
import { decideStorage } from "../../../src/domain/storage/DecideStorage.ts"
import { nextMonth, prorated_minor } from "../../../src/domain/storage/Months.ts"
import { planStorage } from "../../../src/domain/storage/PlanStorage.ts"
import { recordStorage, storageRecord } from "../../../src/domain/storage/RecordStorage.ts"
import { evolveStorage, freeStorage, type Storage, type StorageEvent } from "../../../src/domain/storage/Storage.ts"
import { StorageCommands, type StorageMessage } from "../../../src/domain/storage/StorageCommand.ts"
import { bytesOfTier, gbOfTier, tierOfGb, tiers_mb } from "../../../src/domain/storage/Tiers.ts"
import { workspaceId } from "../../support/Ids.ts"

const hour = 3_600_000
const mb = 1_048_576
/** Half of a month of 30 days. */
const half = Date.UTC(2026, 10, 16)
const first = Date.UTC(2026, 11, 1)
const customer: Origin = { ...systemOrigin, actor: { type: "user", id: "u1", label: "a@example.com" } }
const prices = { 1024: 59_900, 4096: 149_900, 5120: 174_900 }

interface Stepped {
  readonly state: Storage
  readonly events: ReadonlyArray<StorageEvent>
  readonly reply: unknown
}

const step = (state: Storage, command: StorageMessage, now = half): Stepped => {
  const { events, reply } = Result.getOrThrow(decideStorage(state, command, now))
  return { state: events.reduce(evolveStorage, state), events, reply }
}
const after = (state: Storage, commands: ReadonlyArray<StorageMessage>, now = half): Storage =>
  commands.reduce((each, command) => step(each, command, now).state, state)

const to = (tier_mb: number, price_minor = 0, entry_id = "e1"): StorageMessage => ({
  _tag: "Switch",
  tier_mb,
  price_minor,
  currency: "KES",
  entry_id,
  origin: customer
})
const paid = (balance_minor = 1_000, entry_id = "e1"): StorageMessage => ({
  _tag: "ChargePaid",
  entry_id,
  balance_minor
})
const refused: StorageMessage = { _tag: "ChargeRefused", entry_id: "e1", failure: new WalletInsufficientFunds() }
const renews: StorageMessage = { _tag: "Renew", prices, entry_id: "e2" }
const counts = (recounts: number, used_bytes: number): StorageMessage => ({ _tag: "Counted", recounts, used_bytes })

const free = freeStorage(workspaceId("w1"))
const charging = after(free, [to(1024, 59_900)])
const small = after(charging, [paid()])
const large = after(free, [to(4096, 149_900), paid()])
const shrinking = after(large, [to(1024, 59_900)])
const leaving = after(large, [to(100)])
const renewing = after(small, [renews], first)
const overdue = after(renewing, [paid(-1, "e2")], first)
const conditions: Readonly<Record<string, Storage>> = { free, charging, small, shrinking, leaving, renewing, overdue }

/** One command of each kind, and when it is told where that is not in mid-month. */
const commands: { readonly [Tag in StorageMessage["_tag"]]: readonly [StorageMessage, at?: number] } = {
  Switch: [to(1024, 59_900, "e9")],
  Renew: [renews, first],
  ChargePaid: [paid()],
  ChargeRefused: [refused],
  GraceChecked: [{ _tag: "GraceChecked", balance_minor: -1 }, first + 72 * hour],
  Recount: [{ _tag: "Recount" }],
  Counted: [counts(9, 99 * mb)],
  Evicted: [{ _tag: "Evicted", recordings: 2, freed_bytes: 5, used_bytes: 7 }]
}

const said = (event: StorageEvent): string =>
  event._tag === "TierChanged"
    ? `${event.reason}:${event.tier_mb}`
    : event._tag === "Scheduled"
      ? `Scheduled:${event.tier_mb}`
      : event._tag

/** What each command makes happen in each condition. `-` is nothing, a code a refusal. */
const table = `
              | free              | charging          | small             | shrinking           | leaving           | renewing            | overdue
Switch        | ChargeBegun       | -                 | -                 | -                   | Scheduled:1024    | service_unavailable | -
Renew         | -                 | -                 | ChargeBegun       | ChargeBegun         | downgrade:100     | -                   | -
ChargePaid    | -                 | customer:1024     | -                 | -                   | -                 | -                   | -
ChargeRefused | -                 | ChargeFailed      | -                 | -                   | -                 | -                   | -
GraceChecked  | -                 | -                 | -                 | -                   | -                 | -                   | past_due:100
Recount       | Recounted         | Recounted         | Recounted         | Recounted           | Recounted         | Recounted           | Recounted
Counted       | Counted UsageHigh | Counted UsageHigh | Counted           | Counted             | Counted           | Counted             | Counted
Evicted       | Evicted           | Evicted           | Evicted           | Evicted             | Evicted           | Evicted             | Evicted
`

const [head, ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
const columns = head!.slice(1)

describe("The table of a storage", () => {
  it("has a row for every command, and a column for every condition", () => {
    expect(lines.map(([tag]) => tag)).toEqual(Object.keys(StorageCommands))
    expect(columns).toEqual(Object.keys(conditions))
  })

  for (const [tag, ...cells] of lines) {
    const [command, at = half] = commands[tag as StorageMessage["_tag"]]
    it(`${tag}`, () => {
      const is = columns.map((column) => {
        const decided = decideStorage(conditions[column]!, command, at)
        return Result.isFailure(decided) ? decided.failure._tag : decided.success.events.map(said).join(" ") || "-"
      })
      expect(is).toEqual(cells)
    })
  }
})

describe("The rest of a month", () => {
  it.each([
    ["half of a month of 30 days", 59_900, half, 29_950],
    ["half of a month of 31 days", 59_900, Date.UTC(2026, 11, 16, 12), 29_950],
    ["a whole month", 59_900, Date.UTC(2026, 10, 1), 59_900],
    ["its last second", 59_900, first - 1_000, 0],
    ["a part of a second", 59_900, first - 1, 0],
    ["a part of a second, however dear", 1_000 * 30 * 86_400, first - 1, 0],
    ["February of a leap year", 149_900, Date.UTC(2028, 1, 29), 5_168],
    ["more than a double can multiply", Number.MAX_SAFE_INTEGER, half, 4_503_599_627_370_495]
  ])("costs its share for %s, rounded down", (_name, price, at, charge) =>
    expect(prorated_minor(price, at)).toBe(charge)
  )

  it.each([
    [Date.UTC(2026, 11, 31, 23, 59, 59, 999), Date.UTC(2027, 0, 1)],
    [Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 1)],
    [Date.UTC(2028, 0, 31), Date.UTC(2028, 1, 1)]
  ])("ends on the 1st", (at, end) => expect(nextMonth(at)).toBe(end))
})

describe("A change of the size", () => {
  it("from 100 to 1024 MB in the middle of a 30-day month costs half, as quoted", () => {
    const events: Array<StorageEvent> = []
    const charged = step(free, to(1024, 59_900))
    expect(charged.reply).toEqual({ _tag: "Charging", entry_id: "e1" })
    const settled = step(charged.state, paid(), half + 5)
    events.push(...settled.events)
    const recorded = recordStorage(changeOf(evolveStorage, charged.state, events, { uuid: () => "id" }))
    expect(recorded.events).toEqual([
      {
        id: "id",
        workspace_id: "w1",
        subject_id: "w1",
        sequence: 1,
        kind: "storage.tier_changed",
        occurred_at: half + 5,
        late: false,
        payload: JSON.stringify({
          kind: "storage.tier_changed",
          workspace_id: "w1",
          from_tier_mb: 100,
          to_tier_mb: 1024,
          charge_minor: 29_950,
          currency: "KES",
          reason: "customer",
          changed_at: "2026-11-16T00:00:00.005Z"
        }),
        number_id: null,
        fan_out: true
      }
    ])
    expect(recorded.audit).toMatchObject([
      { action_kind: "storage.tier_changed", actor: JSON.stringify(customer.actor) }
    ])
    expect(settled.state).toMatchObject({ tier_mb: 1024, price_minor: 59_900, renews_at: first })
  })

  it("is priced by the last payment, not by the current price of the smaller size", () => {
    const { state } = step(small, to(4096, 149_900, "e3"))
    expect(state.charge?.amount_minor).toBe((149_900 - 59_900) / 2)
    expect(step(small, to(4096, 50_000)).events).toMatchObject([{ _tag: "TierChanged", charge_minor: 0 }])
  })

  it("that the wallet refuses changes nothing", () => {
    expect(after(charging, [refused])).toEqual(free)
  })

  it("to a smaller size waits for the 1st, and is withdrawn by requesting the current size", () => {
    expect(step(large, to(1024, 59_900)).reply).toEqual({ _tag: "Switched", charge_minor: 0, effective: "next_month" })
    expect(shrinking).toMatchObject({ tier_mb: 4096, pending_tier_mb: 1024 })
    const back = step(shrinking, to(4096, 149_900))
    expect(back.state).toEqual(large)
    expect(back.reply).toMatchObject({ effective: "now" })
    expect(step(shrinking, to(5120, 174_900, "e5")).state.charge).toMatchObject({ tier_mb: 5120 })
    expect(after(shrinking, [to(5120, 174_900), paid()]).pending_tier_mb).toBeNull()
  })

  it("that was requested in the last moments of a month belongs to that month", () => {
    const late = step(free, to(1024, 59_900), first - hour).state
    expect(step(late, paid(), first + hour).state).toMatchObject({ tier_mb: 1024, renews_at: first })
  })
})

describe("The 1st", () => {
  const settled = (state: Storage, balance: number, now = first) => {
    const begun = step(state, renews, now)
    return step(begun.state, paid(balance, "e2"), now)
  }

  it("renews the same size without an event", () => {
    const { events, state } = settled(small, 0)
    expect(events).toEqual([{ _tag: "Renewed", at: first, price_minor: 59_900, past_due: false }])
    expect(state).toMatchObject({ renews_at: Date.UTC(2027, 0, 1), past_due_since: null, charge: null })
  })

  it("is paid before a larger size is, so that no part of the month is charged twice", () => {
    const larger = to(5120, 174_900, "e9")
    expect(Result.isFailure(decideStorage(small, larger, first))).toBe(true)
    expect(Result.isFailure(decideStorage(renewing, larger, first))).toBe(true)
    const { state } = settled(small, 5)
    expect(step(state, larger, first).state.charge?.amount_minor).toBe(174_900 - 59_900)
  })

  it("applies a smaller paid size, for its monthly price", () => {
    const { events, state } = settled(shrinking, 5)
    expect(events).toMatchObject([
      { _tag: "TierChanged", reason: "renewal", tier_mb: 1024, charge_minor: 59_900 },
      { _tag: "Renewed" }
    ])
    expect(state).toMatchObject({
      tier_mb: 1024,
      price_minor: 59_900,
      pending_tier_mb: null,
      renews_at: Date.UTC(2027, 0, 1)
    })
  })

  it("applies the free size for nothing", () => {
    const { events, state } = step(leaving, renews, first)
    expect(events).toMatchObject([{ reason: "downgrade", tier_mb: 100, charge_minor: 0 }])
    expect(state).toMatchObject({ tier_mb: 100, price_minor: 0, renews_at: null, pending_tier_mb: null })
  })

  it("keeps the old price if the size is no longer sold, and takes the new price otherwise", () => {
    expect(step(large, { ...renews, prices: {} } as StorageMessage, first).state.charge?.amount_minor).toBe(149_900)
    expect(step(large, { ...renews, prices: { 4096: 1 } } as StorageMessage, first).state.charge?.amount_minor).toBe(1)
    expect(step(large, { ...renews, prices: { 4096: 0 } } as StorageMessage, first).events).toMatchObject([
      { _tag: "Renewed", price_minor: 0 }
    ])
  })

  it("that was missed for months is charged once", () => {
    const march = Date.UTC(2027, 2, 10)
    const { state } = settled(small, 5, march)
    expect(state.renews_at).toBe(Date.UTC(2027, 3, 1))
    expect(step(state, renews, march).events).toEqual([])
  })

  it("gives a negative wallet 72 hours, checked hourly", () => {
    expect(overdue).toMatchObject({ past_due_since: first, check_at: first + hour, tier_mb: 1024 })
    const check = (balance_minor: number, now: number) => step(overdue, { _tag: "GraceChecked", balance_minor }, now)
    expect(check(-1, first + 72 * hour - 1).state).toMatchObject({ tier_mb: 1024, check_at: first + 73 * hour - 1 })
    expect(check(0, first + 80 * hour).state).toMatchObject({ tier_mb: 1024, past_due_since: null, check_at: null })
    const over = check(-1, first + 72 * hour)
    expect(over.events).toMatchObject([{ reason: "past_due", tier_mb: 100, charge_minor: 0 }])
    expect(over.state).toMatchObject({ tier_mb: 100, past_due_since: null, check_at: null, renews_at: null })
  })

  it("evicts nothing while a larger size is being paid", () => {
    const paying = after(overdue, [to(4096, 149_900, "e3")], first + 71 * hour)
    const { events, state } = step(paying, { _tag: "GraceChecked", balance_minor: -1 }, first + 72 * hour)
    expect(events).toMatchObject([{ _tag: "StillPastDue" }])
    expect(state).toMatchObject({ tier_mb: 1024, charge: { tier_mb: 4096 } })
  })
})

describe("The room for recordings", () => {
  const used = (state: Storage, mbs: number) => {
    const { state: told } = step(state, { _tag: "Recount" })
    return step(told, counts(told.recounts, mbs * mb))
  }
  const warned = (mbs: ReadonlyArray<number>): ReadonlyArray<number> => {
    let state = free
    return mbs.map((each) => {
      const stepped = used(state, each)
      state = stepped.state
      const high = stepped.events.find(({ _tag }) => _tag === "UsageHigh")
      return high?._tag === "UsageHigh" ? high.percent : 0
    })
  }

  it("warns at 80 and 100 %, once each until usage falls again", () => {
    expect(warned([79, 80, 90, 100, 101, 99, 85, 79, 80, 120])).toEqual([0, 80, 0, 100, 0, 0, 0, 0, 80, 100])
  })

  it("is counted until the last change is included; changes meanwhile interrupt neither count nor eviction", () => {
    const keys = (state: Storage) => planStorage(state).map(({ key }) => key)
    const recount: StorageMessage = { _tag: "Recount" }
    const once = after(free, [recount])
    expect(keys(once)).toEqual(["count:0"])
    expect(keys(after(once, [recount, recount]))).toEqual(["count:0"])
    expect(keys(after(once, [recount, counts(1, 100 * mb)]))).toEqual(["count:1"])
    const full = after(once, [counts(1, 101 * mb)])
    expect(keys(full)).toEqual(["evict:0:100"])
    expect(keys(after(full, [recount]))).toEqual(["count:1", "evict:0:100"])
    expect(keys(after(full, [recount, counts(2, 105 * mb)]))).toEqual(["evict:0:100"])
    expect(keys(after(full, [{ _tag: "Evicted", recordings: 0, freed_bytes: 0, used_bytes: 101 * mb }]))).toEqual([
      "count:1",
      "evict:1:100"
    ])
    expect(keys(after(full, [{ _tag: "Evicted", recordings: 1, freed_bytes: 50 * mb, used_bytes: 51 * mb }]))).toEqual([
      "count:1"
    ])
    expect(step(once, counts(0, 5)).events).toEqual([])
  })

  it("is counted again when the size changes", () => {
    expect(
      planStorage(after(overdue, [{ _tag: "GraceChecked", balance_minor: -1 }], first + 72 * hour)).map(
        ({ key }) => key
      )
    ).toEqual(["count:0"])
  })

  it("announces evicted recordings", () => {
    const before = after(free, [{ _tag: "Recount" }, counts(1, 150 * mb)])
    const { events } = step(before, {
      _tag: "Evicted",
      recordings: 3,
      freed_bytes: 60 * mb,
      used_bytes: 90 * mb
    })
    const [told] = recordStorage(changeOf(evolveStorage, before, events, { uuid: () => "id" })).events
    expect(JSON.parse(told!.payload)).toEqual({
      kind: "storage.recordings_evicted",
      workspace_id: "w1",
      recordings: 3,
      freed_bytes: 60 * mb,
      used_bytes: 90 * mb,
      tier_mb: 100
    })
    const none = step(before, { _tag: "Evicted", recordings: 0, freed_bytes: 0, used_bytes: 90 * mb })
    expect(recordStorage(changeOf(evolveStorage, before, none.events, { uuid: () => "id" })).events).toEqual([])
  })
})

describe("The planned work", () => {
  const planned = (state: Storage) =>
    planStorage(state)
      .filter(({ key }) => !key.startsWith("count"))
      .map(({ at, key }) => (at === undefined ? key : `${key} @ ${at}`))
  it.each([
    ["free", free, []],
    ["charging", charging, ["charge:e1"]],
    ["small", small, [`renew:${first} @ ${first}`]],
    ["renewing", renewing, ["charge:e2"]],
    [
      "overdue",
      overdue,
      [`renew:${Date.UTC(2027, 0, 1)} @ ${Date.UTC(2027, 0, 1)}`, `grace:${first + hour} @ ${first + hour}`]
    ]
  ] as ReadonlyArray<[string, Storage, ReadonlyArray<string>]>)("of one that is %s", (_name, state, plan) =>
    expect(planned(state)).toEqual(plan)
  )
})

describe("The catalogue", () => {
  it("sells six sizes, and knows three more", () => {
    expect([5, 10, 25, 50, 100, 250].map(tierOfGb)).toEqual([5120, 10_240, 25_600, 51_200, 102_400, 256_000])
    expect([0, 1, 4, 6, 51_200].map(tierOfGb)).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect(tiers_mb).toEqual([100, 1024, 4096, 5120, 10_240, 25_600, 51_200, 102_400, 256_000])
    expect(tiers_mb.map(gbOfTier)).toEqual([null, 1, 4, 5, 10, 25, 50, 100, 250])
    expect(bytesOfTier(100)).toBe(104_857_600)
  })

  it("is published", () => {
    expect(storageRecord(leaving, { used_bytes: 7, recordings: 1 }, { retention_days: 30, currency: "KES" })).toEqual({
      tier_mb: 4096,
      tier_gb: 4,
      used_bytes: 7,
      recordings: 1,
      retention_days: 30,
      pending_tier_mb: 100,
      pending_reason: "downgrade",
      renews_at: "2026-12-01T00:00:00.000Z",
      past_due_since: null,
      price_minor: 149_900,
      currency: "KES"
    })
    expect(
      storageRecord(shrinking, { used_bytes: 0, recordings: 0 }, { retention_days: 30, currency: "KES" }).pending_reason
    ).toBe("renewal")
    expect(storageRecord(free, { used_bytes: 0, recordings: 0 }, { retention_days: 90, currency: null })).toMatchObject(
      { tier_mb: 100, tier_gb: null, price_minor: 0, renews_at: null, pending_reason: null, currency: null }
    )
  })
})
