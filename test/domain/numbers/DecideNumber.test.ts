import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { WalletInsufficientFunds } from "../../../src/domain/errors/WalletErrors.ts"
import { decideNumber } from "../../../src/domain/numbers/DecideNumber.ts"
import type { NumberCommand } from "../../../src/domain/numbers/NumberCommand.ts"
import { noticesOf } from "../../../src/domain/numbers/NumberNotices.ts"
import {
  grace_ms,
  type NumberStatus,
  type NumberTrigger,
  quarantine_ms,
  suspension_ms,
  transitions
} from "../../../src/domain/numbers/NumberStatus.ts"
import { evolveNumber, type KeptNumber, noNumber, type PhoneNumber } from "../../../src/domain/numbers/PhoneNumber.ts"
import { planNumber } from "../../../src/domain/numbers/PlanNumber.ts"
import { default_routing } from "../../../src/domain/numbers/Routing.ts"
import { claim, day_ms, facts, mine, number_id, numberIn, origin, t0, terms, theirs } from "./Fixtures.ts"

const late = t0 + 60 * day_ms

const outcome = (state: PhoneNumber, command: NumberCommand, at = late) => {
  const decided = decideNumber(state, command, at)
  if (Result.isFailure(decided)) return { code: decided.failure._tag, state, kinds: [] }
  const after = decided.success.events.reduce(evolveNumber, state)
  let before = state
  const kinds = decided.success.events.flatMap((event) => {
    const told = noticesOf(before.kept, event).map(
      ({ kind, workspace_id }) => `${kind} ${workspace_id === mine ? "mine" : "theirs"}`
    )
    before = evolveNumber(before, event)
    return told
  })
  return { code: undefined, state: after, kinds, reply: decided.success.reply }
}

const brought = { ...facts, source: "byo" as const, series_id: null }

/** What brings each trigger about, on a number that is ready for it, and what it answers where it cannot be. */
const triggers: Record<
  NumberTrigger,
  {
    readonly command: NumberCommand
    readonly change?: Partial<KeptNumber>
    /** Null: nothing happens. */
    readonly refusal: Partial<Record<NumberStatus, string>> | null
  }
> = {
  claim: {
    command: { _tag: "ClaimPaid", entry_id: "entry" },
    change: { claim },
    refusal: {}
  },
  register: {
    command: { _tag: "Register", workspace_id: mine, facts: brought, label: null, change: {}, origin },
    refusal: Object.fromEntries(Object.keys(transitions).map((status) => [status, "numbers.e164_taken"]))
  },
  remove: { command: { _tag: "Remove", workspace_id: mine, origin }, change: { source: "byo" }, refusal: {} },
  paid: { command: { _tag: "Paid", entry_id: "entry" }, change: { charge_id: "entry" }, refusal: null },
  unpaid: {
    command: { _tag: "Unpaid", entry_id: "entry" },
    change: { charge_id: "entry", past_due_since: late, suspended_at: late },
    refusal: null
  },
  grace_over: { command: { _tag: "Unpaid", entry_id: "entry" }, change: { charge_id: "entry" }, refusal: null },
  suspension_over: { command: { _tag: "Unpaid", entry_id: "entry" }, change: { charge_id: "entry" }, refusal: null },
  quarantine_over: { command: { _tag: "QuarantineOver" }, refusal: null },
  release: { command: { _tag: "Release", workspace_id: mine, origin }, refusal: { released: "numbers.not_assigned" } },
  reassign: {
    command: { _tag: "Reassign", workspace_id: theirs, terms, origin },
    refusal: Object.fromEntries(Object.keys(transitions).map((status) => [status, "numbers.not_assigned"]))
  },
  retire: {
    command: { _tag: "Retire", origin },
    refusal: {
      active: "numbers.already_claimed",
      past_due: "numbers.already_claimed",
      suspended: "numbers.already_claimed",
      retired: "numbers.retired",
      removed: "numbers.already_claimed"
    }
  }
}

const statuses = Object.keys(transitions) as ReadonlyArray<NumberStatus>
const pairs = statuses.flatMap((status) =>
  (Object.keys(triggers) as ReadonlyArray<NumberTrigger>).map((trigger) => [status, trigger] as const)
)

describe("a number", () => {
  it.each(pairs)("that is %s, when: %s", (status, trigger) => {
    const { change, command, refusal } = triggers[trigger]
    // A charge or a claim is under way only where there can be one; elsewhere what comes of it comes too late.
    const mayHave =
      !["claim", "paid", "unpaid", "grace_over", "suspension_over"].includes(trigger) ||
      transitions[status][trigger] !== undefined
    const { code, state } = outcome(numberIn(status, mayHave ? change : { charge_id: null }), command)
    const to = transitions[status][trigger]
    if (to !== undefined) {
      assert.deepStrictEqual([code, state.kept?.status], [undefined, to])
    } else {
      assert.strictEqual(state.kept?.status, status)
      const stranger = trigger === "claim" ? "numbers.already_claimed" : "numbers.not_found"
      assert.strictEqual(code, refusal === null ? undefined : (refusal[status] ?? stranger))
    }
  })

  it.each<[NumberStatus, Partial<KeptNumber>, string | undefined]>([
    ["available", {}, undefined],
    ["available", { claim }, "numbers.already_claimed"],
    ["active", {}, "numbers.already_claimed"],
    ["past_due", {}, "numbers.already_claimed"],
    ["suspended", {}, "numbers.already_claimed"],
    ["released", {}, "numbers.already_claimed"],
    ["retired", {}, "numbers.retired"],
    ["active", { source: "byo" }, "numbers.not_found"],
    ["removed", {}, "numbers.not_found"]
  ])("that is %s, with %j, is claimed: %s", (status, change, expected) => {
    const command: NumberCommand = {
      _tag: "Claim",
      workspace_id: theirs,
      terms,
      entry_id: "e",
      origin,
      kept_under: null
    }
    assert.strictEqual(outcome(numberIn(status, change), command).code, expected)
    assert.strictEqual(outcome(noNumber(number_id), command).code, "numbers.not_found")
  })

  it("without a price is not claimed, nor reassigned", () => {
    const command: NumberCommand = {
      _tag: "Claim",
      workspace_id: mine,
      terms: null,
      entry_id: "e",
      origin,
      kept_under: null
    }
    assert.strictEqual(outcome(numberIn("available"), command).code, "numbers.price_missing")
    assert.strictEqual(
      outcome(numberIn("active"), { _tag: "Reassign", workspace_id: theirs, terms: null, origin }).code,
      "numbers.price_missing"
    )
  })

  it("takes the same request for one claim, and another one for another", () => {
    const kept_under = { workspace_id: mine, method: "POST", route: "/r", key: "k", fingerprint: "f" }
    const state = numberIn("available", { claim: { ...claim, kept_under } })
    const command = { _tag: "Claim", workspace_id: mine, terms, entry_id: "another", origin, kept_under } as const
    assert.deepStrictEqual(outcome(state, command).reply, { _tag: "Claiming", entry_id: "entry" })
    assert.strictEqual(
      outcome(state, { ...command, kept_under: { ...kept_under, fingerprint: "g" } }).code,
      "numbers.already_claimed"
    )
    assert.strictEqual(outcome(state, { ...command, kept_under: null }).code, "numbers.already_claimed")
  })

  it("goes back to inventory when its claim is refused, and hears late news of it no more", () => {
    const refused = outcome(numberIn("available", { claim }), {
      _tag: "ClaimRefused",
      entry_id: "entry",
      failure: new WalletInsufficientFunds()
    })
    assert.deepStrictEqual(refused.state, numberIn("available"))
    assert.strictEqual(outcome(refused.state, { _tag: "ClaimPaid", entry_id: "entry" }).code, "numbers.already_claimed")
    assert.strictEqual(
      outcome(numberIn("available", { claim }), { _tag: "ClaimPaid", entry_id: "other" }).code,
      "numbers.already_claimed"
    )
  })

  it("is to another workspace as one that is not there", () => {
    for (const status of ["active", "past_due", "suspended", "released"] as const) {
      for (const command of [
        { _tag: "Release", workspace_id: theirs, origin },
        { _tag: "Route", workspace_id: theirs, change: {}, mode: "merge", origin },
        { _tag: "Remove", workspace_id: theirs, origin }
      ] as const)
        assert.strictEqual(outcome(numberIn(status, { source: "byo" }), command).code, "numbers.not_found")
    }
  })

  it("keeps its rental, its month and its routing where they belong", () => {
    const claimed = outcome(numberIn("available", { claim }), { _tag: "ClaimPaid", entry_id: "entry" }, t0).state.kept!
    assert.deepInclude(claimed, {
      workspace_id: mine,
      claim: null,
      renews_at: Date.parse("2027-02-28T00:00:00Z"),
      ...terms
    })
    const renewed = outcome(
      { id: number_id, kept: { ...claimed, charge_id: "x" } },
      { _tag: "Paid", entry_id: "x" },
      claimed.renews_at!
    ).state.kept!
    assert.deepInclude(renewed, { renews_at: Date.parse("2027-03-31T00:00:00Z"), charge_id: null })
    const missed = outcome(
      { id: number_id, kept: { ...claimed, charge_id: "x" } },
      { _tag: "Paid", entry_id: "x" },
      Date.parse("2027-06-10T00:00:00Z")
    )
    assert.strictEqual(missed.state.kept!.renews_at, Date.parse("2027-06-30T00:00:00Z"))
    const routed = numberIn("active", { routing: { ...default_routing, voice_url: "https://example.com" }, label: "x" })
    const moved = outcome(routed, { _tag: "Reassign", workspace_id: theirs, terms, origin })
    assert.deepInclude(moved.state.kept, { workspace_id: theirs, label: null, routing: default_routing })
    assert.deepStrictEqual(moved.kinds, ["number.released mine", "number.claimed theirs"])
    assert.strictEqual(moved.state.kept!.sequence, 2)
  })

  it("tells of what is news, once", () => {
    const kindsOf = (status: NumberStatus, command: NumberCommand, change: Partial<KeptNumber> = {}) =>
      outcome(numberIn(status, change), command).kinds
    const unpaid = { _tag: "Unpaid", entry_id: "entry" } as const
    assert.deepStrictEqual(kindsOf("active", unpaid, { charge_id: "entry" }), ["number.past_due mine"])
    assert.deepStrictEqual(kindsOf("past_due", unpaid, { past_due_since: late - 1 }), [])
    assert.deepStrictEqual(kindsOf("past_due", unpaid), ["number.suspended mine"])
    assert.deepStrictEqual(kindsOf("suspended", unpaid, { suspended_at: late - 1 }), [])
    assert.deepStrictEqual(kindsOf("suspended", unpaid), ["number.released mine"])
    assert.deepStrictEqual(kindsOf("suspended", { _tag: "Paid", entry_id: "entry" }), ["number.renewed mine"])
    const same = { _tag: "Route", workspace_id: mine, change: {}, mode: "replace", origin } as const
    assert.deepStrictEqual(kindsOf("active", same), [])
    assert.deepStrictEqual(kindsOf("active", { ...same, label: "Desk" }), ["number.routing_changed mine"])
  })

  it("is paid under the first name offered, and only when it is due", () => {
    const named = outcome(numberIn("active"), { _tag: "NameCharge", entry_id: "a" })
    assert.deepStrictEqual(named.reply, { _tag: "Charge", entry_id: "a" })
    assert.deepStrictEqual(outcome(named.state, { _tag: "NameCharge", entry_id: "b" }).reply, {
      _tag: "Charge",
      entry_id: "a"
    })
    assert.deepStrictEqual(outcome(numberIn("active"), { _tag: "NameCharge", entry_id: "a" }, t0).reply, {
      _tag: "Noted"
    })
    assert.deepStrictEqual(
      outcome(numberIn("active", { renews_at: null }), { _tag: "NameCharge", entry_id: "a" }).reply,
      { _tag: "Noted" }
    )
  })
})

describe("in the millisecond in which it is due, and not before,", () => {
  const { renews_at } = numberIn("active").kept!
  const charging = { charge_id: "entry", past_due_since: t0 - 100 * day_ms }
  it.each<[string, PhoneNumber, NumberCommand, number, NumberStatus | "charged"]>([
    ["a month is charged", numberIn("active"), { _tag: "NameCharge", entry_id: "a" }, renews_at!, "charged"],
    [
      "a number that is not paid is suspended",
      numberIn("past_due"),
      { _tag: "Unpaid", entry_id: "entry" },
      t0 + grace_ms,
      "suspended"
    ],
    [
      "a suspended one is let go",
      numberIn("suspended", charging),
      { _tag: "Unpaid", entry_id: "entry" },
      t0 + suspension_ms,
      "released"
    ],
    [
      "one that was let go is to be had again",
      numberIn("released"),
      { _tag: "QuarantineOver" },
      t0 + quarantine_ms,
      "available"
    ]
  ])("%s", (_name, state, command, at, becomes) => {
    const become = (instant: number) => {
      const {
        reply,
        state: { kept }
      } = outcome(state, command, instant)
      return becomes === "charged" ? reply?._tag === "Charge" : kept!.status === becomes
    }
    assert.deepStrictEqual([at - 1, at].map(become), [false, true])
  })
})

it("A number is not retired while somebody pays for it", () => {
  assert.strictEqual(
    outcome(numberIn("available", { claim }), { _tag: "Retire", origin }).code,
    "numbers.already_claimed"
  )
  assert.isUndefined(outcome(numberIn("available"), { _tag: "Retire", origin }).code)
})

describe("the plan of a number", () => {
  const keysOf = (state: PhoneNumber) => planNumber(state).map(({ at, key }) => [key, at] as const)

  it.each<[NumberStatus, Partial<KeptNumber>, Array<readonly [string, number | undefined]>]>([
    ["available", {}, []],
    ["available", { claim }, [["claim:entry", undefined]]],
    ["active", {}, [[`rental:${t0 + 28 * day_ms}`, t0 + 28 * day_ms]]],
    ["active", { renews_at: null, source: "byo" }, []],
    ["past_due", {}, [[`rental:${t0 + day_ms}`, t0 + day_ms]]],
    ["suspended", {}, [[`rental:${t0 + day_ms}`, t0 + day_ms]]],
    ["released", {}, [["quarantine", t0 + 30 * day_ms]]],
    ["retired", {}, []],
    ["removed", {}, []]
  ])("that is %s, with %j", (status, change, expected) =>
    assert.deepStrictEqual(keysOf(numberIn(status, change)), expected)
  )

  it.each<[string, PhoneNumber, NumberCommand]>([
    ["released", numberIn("active"), { _tag: "Release", workspace_id: mine, origin }],
    ["given to another workspace", numberIn("active"), { _tag: "Reassign", workspace_id: theirs, terms, origin }],
    [
      "taken away",
      numberIn("active", { source: "byo", renews_at: null }),
      { _tag: "Remove", workspace_id: mine, origin }
    ]
  ])("that is %s ends the credentials that its workspace had of it, until they have ended", (_, before, command) => {
    const { state } = outcome(before, command, t0)
    assert.include(
      keysOf(state).map(([key]) => key),
      `end_credentials:${mine}:${t0}`
    )
    const ended = outcome(state, { _tag: "CredentialsEnded", left: { workspace_id: mine, at: t0 } }).state
    assert.notInclude(
      keysOf(ended).map(([key]) => key),
      `end_credentials:${mine}:${t0}`
    )
  })

  it("that leaves twice ends the credentials of both times, and that may be brought again meanwhile", () => {
    const number = numberIn("active", { source: "byo", renews_at: null })
    const twice = [
      { _tag: "Remove", workspace_id: mine, origin },
      {
        _tag: "Register",
        workspace_id: mine,
        facts: { ...facts, source: "byo", capabilities: ["voice"] },
        label: null,
        change: {},
        origin
      },
      { _tag: "Remove", workspace_id: mine, origin }
    ] as const
    const { state } = twice.reduce(
      ({ at, state }, command) => ({ at: at + 1, state: outcome(state, command, at).state }),
      { at: t0, state: number }
    )
    assert.deepStrictEqual(
      keysOf(state).map(([key]) => key),
      [`end_credentials:${mine}:${t0}`, `end_credentials:${mine}:${t0 + 2}`]
    )
  })

  it("tells the webhooks where events go, the former workspace first", () => {
    const url = "https://example.com/e"
    const routing = { ...default_routing, events_url: url }
    const owed = (change: Partial<KeptNumber>, status: NumberStatus = "active") =>
      planNumber(numberIn(status, { renews_at: null, routed_at: t0, ...change })).flatMap((work) =>
        work._tag === "Task" && work.work._tag === "TellEvents" ? [work.work.owed] : []
      )
    assert.deepStrictEqual(owed({ routing }), [{ workspace_id: mine, url }])
    assert.deepStrictEqual(owed({ routing, told: { workspace_id: mine, url } }), [])
    assert.deepStrictEqual(owed({ told: { workspace_id: mine, url } }), [{ workspace_id: mine, url: null }])
    assert.deepStrictEqual(owed({ routing, told: { workspace_id: theirs, url } }), [
      { workspace_id: theirs, url: null }
    ])
    assert.deepStrictEqual(owed({ routing, told: { workspace_id: mine, url } }, "released"), [
      { workspace_id: mine, url: null }
    ])
  })
})
