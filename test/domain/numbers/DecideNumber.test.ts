import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { WalletInsufficientFunds } from "../../../src/domain/errors/WalletErrors.ts"
import { changeOf } from "../../../src/domain/Decision.ts"
import { decideNumber } from "../../../src/domain/numbers/DecideNumber.ts"
import type { NumberMessage } from "../../../src/domain/numbers/NumberCommand.ts"
import { evolveNumber, noticesOf } from "../../../src/domain/numbers/EvolveNumber.ts"
import {
  grace_ms,
  type NumberStatus,
  type NumberTrigger,
  quarantine_ms,
  suspension_ms,
  transitions
} from "../../../src/domain/numbers/NumberStatus.ts"
import { absentNumber, type NumberData, type PhoneNumber } from "../../../src/domain/numbers/PhoneNumber.ts"
import { planNumber } from "../../../src/domain/numbers/PlanNumber.ts"
import { defaultRouting } from "../../../src/domain/numbers/Routing.ts"
import { claim, day_ms, facts, mine, number_id, numberIn, origin, t0, terms, theirs } from "./Fixtures.ts"

const late = t0 + 60 * day_ms

/** The refusal's code, or the reply; the state afterwards; and the webhook events, each with whose they are. */
const outcome = (state: PhoneNumber, command: NumberMessage, at = late) => {
  const decided = decideNumber(state, command, at)
  const events = Result.isSuccess(decided) ? decided.success.events : []
  const { after, steps } = changeOf(evolveNumber, state, events)
  return {
    code: Result.isFailure(decided) ? decided.failure._tag : undefined,
    reply: Result.isSuccess(decided) ? decided.success.reply : undefined,
    state: after,
    data: after._tag === "Present" ? after.data : undefined,
    kinds: steps.flatMap(({ before, event }) =>
      noticesOf(before, event).map(({ kind, workspace_id }) => `${kind} ${workspace_id === mine ? "mine" : "theirs"}`)
    )
  }
}

const byoFacts = { ...facts, source: "byo" as const, series_id: null }

/** The command behind each trigger, the state it needs, and its refusal in a status that does not allow it. */
const triggers: Record<
  NumberTrigger,
  {
    readonly command: NumberMessage
    readonly change?: Partial<NumberData>
    /** Null: the command changes nothing. */
    readonly refusal: Partial<Record<NumberStatus, string>> | null
  }
> = {
  claim: {
    command: { _tag: "ClaimPaid", entry_id: "entry" },
    change: { claim },
    refusal: {}
  },
  register: {
    command: { _tag: "Register", workspace_id: mine, facts: byoFacts, label: null, change: {}, origin },
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
  release: {
    command: { _tag: "Release", workspace_id: mine, origin },
    change: { charge_id: null },
    refusal: { released: "numbers.not_assigned" }
  },
  reassign: {
    command: { _tag: "Reassign", workspace_id: theirs, terms, origin },
    change: { charge_id: null },
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
  it.each(pairs)("in status %s, trigger %s", (status, trigger) => {
    const { change, command, refusal } = triggers[trigger]
    // A charge or a claim exists only in a status that allows it. In others its result is outdated.
    const mayHave =
      !["claim", "paid", "unpaid", "grace_over", "suspension_over"].includes(trigger) ||
      transitions[status][trigger] !== undefined
    const { code, data } = outcome(numberIn(status, mayHave ? change : { charge_id: null }), command)
    const to = transitions[status][trigger]
    if (to !== undefined) {
      assert.deepStrictEqual([code, data?.status], [undefined, to])
    } else {
      assert.strictEqual(data?.status, status)
      const stranger = trigger === "claim" ? "numbers.already_claimed" : "numbers.not_found"
      assert.strictEqual(code, refusal === null ? undefined : (refusal[status] ?? stranger))
    }
  })

  it.each<[NumberStatus, Partial<NumberData>, string | undefined]>([
    ["available", {}, undefined],
    ["available", { claim }, "numbers.already_claimed"],
    ["active", {}, "numbers.already_claimed"],
    ["past_due", {}, "numbers.already_claimed"],
    ["suspended", {}, "numbers.already_claimed"],
    ["released", {}, "numbers.already_claimed"],
    ["retired", {}, "numbers.retired"],
    ["active", { source: "byo" }, "numbers.not_found"],
    ["removed", {}, "numbers.not_found"]
  ])("in status %s, with %j, answers a claim with: %s", (status, change, expected) => {
    const command: NumberMessage<"Claim"> = {
      _tag: "Claim",
      workspace_id: theirs,
      terms,
      entry_id: "e",
      origin,
      kept_under: null
    }
    assert.strictEqual(outcome(numberIn(status, change), command).code, expected)
    assert.strictEqual(outcome(absentNumber(number_id), command).code, "numbers.not_found")
  })

  it("is neither claimed nor reassigned without a price", () => {
    const command: NumberMessage<"Claim"> = {
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

  it("treats a repeated request as the same claim and refuses another request", () => {
    const kept_under = { workspace_id: mine, method: "POST", route: "/r", key: "k", fingerprint: "f" }
    const state = numberIn("available", { claim: { ...claim, kept_under } })
    const command = { _tag: "Claim", workspace_id: mine, terms, entry_id: "another", origin, kept_under } as const
    assert.deepStrictEqual(outcome(state, command).reply, { entry_id: "entry" })
    assert.strictEqual(
      outcome(state, { ...command, kept_under: { ...kept_under, fingerprint: "g" } }).code,
      "numbers.already_claimed"
    )
    assert.strictEqual(outcome(state, { ...command, kept_under: null }).code, "numbers.already_claimed")
    // Without a key, the ledger entry tells that it is the same claim.
    assert.deepStrictEqual(outcome(state, { ...command, entry_id: "entry", kept_under: null }).reply, {
      entry_id: "entry"
    })
  })

  it("returns to inventory when its claim is refused, and ignores later results of that claim", () => {
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

  it("stays with its workspace while its month may be in the ledger already", () => {
    const paying = numberIn("active", { charge_id: "entry" })
    const leaves = [
      { _tag: "Release", workspace_id: mine, origin },
      { _tag: "Reassign", workspace_id: theirs, terms, origin }
    ] as const
    for (const leave of leaves) {
      assert.strictEqual(outcome(paying, leave).code, "service_unavailable")
      for (const _tag of ["Paid", "Unpaid"] as const) {
        const { data } = outcome(paying, { _tag, entry_id: "entry" })
        assert.isUndefined(outcome({ _tag: "Present", id: number_id, data: data! }, leave).code)
      }
      // Older engines kept the id of a refused charge until the next attempt.
      assert.isUndefined(outcome(numberIn("past_due"), leave, t0).code)
    }
  })

  it("is not found by another workspace", () => {
    for (const status of ["active", "past_due", "suspended", "released"] as const) {
      for (const command of [
        { _tag: "Release", workspace_id: theirs, origin },
        { _tag: "Route", workspace_id: theirs, change: {}, mode: "merge", origin },
        { _tag: "Remove", workspace_id: theirs, origin }
      ] as const)
        assert.strictEqual(outcome(numberIn(status, { source: "byo" }), command).code, "numbers.not_found")
    }
  })

  it("renews on the day of its claim, and starts with the default routing in another workspace", () => {
    const claimed = outcome(numberIn("available", { claim }), { _tag: "ClaimPaid", entry_id: "entry" }, t0).data!
    assert.deepInclude(claimed, {
      workspace_id: mine,
      claim: null,
      renews_at: Date.parse("2027-02-28T00:00:00Z"),
      ...terms
    })
    const renewed = outcome(
      { _tag: "Present", id: number_id, data: { ...claimed, charge_id: "x" } },
      { _tag: "Paid", entry_id: "x" },
      claimed.renews_at!
    ).data!
    assert.deepInclude(renewed, { renews_at: Date.parse("2027-03-31T00:00:00Z"), charge_id: null })
    const missed = outcome(
      { _tag: "Present", id: number_id, data: { ...claimed, charge_id: "x" } },
      { _tag: "Paid", entry_id: "x" },
      Date.parse("2027-06-10T00:00:00Z")
    )
    assert.strictEqual(missed.data?.renews_at, Date.parse("2027-06-30T00:00:00Z"))
    const routed = numberIn("active", { routing: { ...defaultRouting, voice_url: "https://example.com" }, label: "x" })
    const moved = outcome(routed, { _tag: "Reassign", workspace_id: theirs, terms, origin })
    assert.deepInclude(moved.data, { workspace_id: theirs, label: null, routing: defaultRouting })
    assert.deepStrictEqual(moved.kinds, ["number.released mine", "number.claimed theirs"])
    assert.strictEqual(moved.data?.sequence, 2)
  })

  it("makes one webhook event per change of status or routing", () => {
    const kindsOf = (status: NumberStatus, command: NumberMessage, change: Partial<NumberData> = {}) =>
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

  it("uses the first ledger entry that is offered, and only when a month is due", () => {
    const named = outcome(numberIn("active"), { _tag: "NameCharge", entry_id: "a" })
    assert.strictEqual(named.reply, "a")
    assert.strictEqual(outcome(named.state, { _tag: "NameCharge", entry_id: "b" }).reply, "a")
    assert.isNull(outcome(numberIn("active"), { _tag: "NameCharge", entry_id: "a" }, t0).reply)
    assert.isNull(outcome(numberIn("active", { renews_at: null }), { _tag: "NameCharge", entry_id: "a" }).reply)
  })
})

describe("in the millisecond in which it is due, and not earlier,", () => {
  const { renews_at } = numberIn("active").data
  const charging = { charge_id: "entry", past_due_since: t0 - 100 * day_ms }
  it.each<[string, PhoneNumber, NumberMessage, number, NumberStatus | "charged"]>([
    ["a month is charged", numberIn("active"), { _tag: "NameCharge", entry_id: "a" }, renews_at!, "charged"],
    [
      "an unpaid number is suspended",
      numberIn("past_due"),
      { _tag: "Unpaid", entry_id: "entry" },
      t0 + grace_ms,
      "suspended"
    ],
    [
      "a suspended number is released",
      numberIn("suspended", charging),
      { _tag: "Unpaid", entry_id: "entry" },
      t0 + suspension_ms,
      "released"
    ],
    [
      "a released number returns to inventory",
      numberIn("released"),
      { _tag: "QuarantineOver" },
      t0 + quarantine_ms,
      "available"
    ]
  ])("%s", (_name, state, command, at, becomes) => {
    const become = (instant: number) => {
      const { data, reply } = outcome(state, command, instant)
      return becomes === "charged" ? reply === "a" : data?.status === becomes
    }
    assert.deepStrictEqual([at - 1, at].map(become), [false, true])
  })
})

it("a number is not retired while a claim is running", () => {
  assert.strictEqual(
    outcome(numberIn("available", { claim }), { _tag: "Retire", origin }).code,
    "numbers.already_claimed"
  )
  assert.isUndefined(outcome(numberIn("available"), { _tag: "Retire", origin }).code)
})

describe("the plan of a number", () => {
  const keysOf = (state: PhoneNumber) => planNumber(state).map(({ at, key }) => [key, at] as const)

  it.each<[NumberStatus, Partial<NumberData>, Array<readonly [string, number | undefined]>]>([
    ["available", {}, []],
    ["available", { claim }, [["claim:entry", undefined]]],
    ["active", {}, [[`rental:${t0 + 28 * day_ms}`, t0 + 28 * day_ms]]],
    ["active", { renews_at: null, source: "byo" }, []],
    ["past_due", {}, [[`rental:${t0 + day_ms}`, t0 + day_ms]]],
    ["suspended", {}, [[`rental:${t0 + day_ms}`, t0 + day_ms]]],
    ["released", {}, [["quarantine", t0 + 30 * day_ms]]],
    ["retired", {}, []],
    ["removed", {}, []]
  ])("in status %s, with %j", (status, change, expected) =>
    assert.deepStrictEqual(keysOf(numberIn(status, change)), expected)
  )

  it.each<[string, PhoneNumber, NumberMessage]>([
    ["released", numberIn("active"), { _tag: "Release", workspace_id: mine, origin }],
    ["reassigned", numberIn("active"), { _tag: "Reassign", workspace_id: theirs, terms, origin }],
    ["removed", numberIn("active", { source: "byo", renews_at: null }), { _tag: "Remove", workspace_id: mine, origin }]
  ])("that is %s ends the credentials of its former workspace until they have ended", (_, before, command) => {
    const { state } = outcome(before, command, t0)
    assert.include(
      keysOf(state).map(([key]) => key),
      `end_credentials:${mine}:${t0}`
    )
    const ended = outcome(state, { _tag: "CredentialsEnded", leaving: { workspace_id: mine, at: t0 } }).state
    assert.notInclude(
      keysOf(ended).map(([key]) => key),
      `end_credentials:${mine}:${t0}`
    )
  })

  it("that is removed twice ends the credentials of both times", () => {
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
    const { state } = twice.reduce<{ readonly at: number; readonly state: PhoneNumber }>(
      ({ at, state }, command) => ({ at: at + 1, state: outcome(state, command, at).state }),
      { at: t0, state: number }
    )
    assert.deepStrictEqual(
      keysOf(state).map(([key]) => key),
      [`end_credentials:${mine}:${t0}`, `end_credentials:${mine}:${t0 + 2}`]
    )
  })

  it("syncs the events_url with the webhooks, for a former workspace first", () => {
    const url = "https://example.com/e"
    const routing = { ...defaultRouting, events_url: url }
    const pending = (change: Partial<NumberData>, status: NumberStatus = "active") =>
      planNumber(numberIn(status, { renews_at: null, routed_at: t0, ...change })).flatMap((work) =>
        work._tag === "Task" && work.work._tag === "SyncEventsUrl" ? [work.work.change] : []
      )
    assert.deepStrictEqual(pending({ routing }), [{ workspace_id: mine, url }])
    assert.deepStrictEqual(pending({ routing, told: { workspace_id: mine, url } }), [])
    assert.deepStrictEqual(pending({ told: { workspace_id: mine, url } }), [{ workspace_id: mine, url: null }])
    assert.deepStrictEqual(pending({ routing, told: { workspace_id: theirs, url } }), [
      { workspace_id: theirs, url: null }
    ])
    assert.deepStrictEqual(pending({ routing, told: { workspace_id: mine, url } }, "released"), [
      { workspace_id: mine, url: null }
    ])
  })
})
