import { assert, describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { decideTopUp } from "../../../src/domain/topups/DecideTopUp.ts"
import { planTopUp } from "../../../src/domain/topups/PlanTopUp.ts"
import {
  evolveTopUp,
  initialTopUp,
  statusOf,
  type TopUp,
  type TopUpEvent,
  type TopUpFacts
} from "../../../src/domain/topups/TopUp.ts"
import { TopUpCommands, type TopUpMessage } from "../../../src/domain/topups/TopUpCommand.ts"
import { topUpId, workspaceId } from "../../support/Ids.ts"

const now = Date.UTC(2026, 10, 20)
const facts: TopUpFacts = {
  workspace_id: workspaceId("w"),
  provider: "mobilemoney",
  amount_minor: 500,
  currency: "KES",
  phone_e164: "+254700000000",
  account_ref: "0000000000",
  created_at: now
}
const became = (topup: TopUp, ...events: ReadonlyArray<TopUpEvent>): TopUp => events.reduce(evolveTopUp, topup)
const proof = { receipt: "R", amount_minor: 500, from_suspense: false }

const absent = initialTopUp(topUpId("t"))
const started = became(absent, { _tag: "Started", facts, proof: null, origin: systemOrigin })
const pushing = became(started, { _tag: "PushBegun" })
const waiting = became(pushing, { _tag: "PushAccepted", request_id: "ws" })
const refused = became(pushing, { _tag: "PushRefused", at: now, code: "provider_error", message: "" })
const confirmed = became(waiting, { _tag: "Confirmed", at: now })
const proved = became(waiting, { _tag: "Proved", proof })
const succeeded = became(proved, { _tag: "Credited", at: now })
const failed = became(waiting, { _tag: "Failed", at: now, code: "wrong_pin", message: "" })
const expired = became(waiting, { _tag: "Expired", at: now })
const reversing = became(
  succeeded,
  { _tag: "TakenBack", taken_back_minor: 500, by_hand: true },
  { _tag: "ReversalRequested", entry_id: "e", amount_minor: 500, note: "", origin: systemOrigin }
)

const conditions: Readonly<Record<string, TopUp>> = {
  absent,
  started,
  pushing,
  waiting,
  refused,
  confirmed,
  proved,
  succeeded,
  failed,
  expired,
  reversing
}

const later = 400_000
const paid = { _tag: "Paid", amount_minor: 500, currency: "KES", taken_back_minor: 200 } as const
const commands: Readonly<Record<string, readonly [TopUpMessage, number?]>> = {
  Start: [{ _tag: "Start", facts, proof: null, origin: systemOrigin }],
  Show: [{ _tag: "Show" }],
  BeginPush: [{ _tag: "BeginPush" }],
  PushAccepted: [{ _tag: "PushAccepted", request_id: "ws" }],
  PushRefused: [{ _tag: "PushRefused", code: "provider_error", message: "" }],
  StillPending: [{ _tag: "StillPending", query: 1 }],
  Confirm: [{ _tag: "Confirm" }],
  Prove: [{ _tag: "Prove", proof }],
  "Prove other": [{ _tag: "Prove", proof: { ...proof, receipt: "S" } }],
  Credited: [{ _tag: "Credited" }],
  Fail: [{ _tag: "Fail", code: "wrong_pin", message: "" }],
  Expire: [{ _tag: "Expire" }],
  "Expire in time": [{ _tag: "Expire" }, later],
  Reverse: [{ _tag: "Reverse", entry_id: "e", note: "", origin: systemOrigin }],
  Debited: [{ _tag: "Debited" }],
  Notified: [{ _tag: "Notified", request_id: "cs" }],
  Checked: [{ _tag: "Checked", check: 1, standing: { ...paid, receipt: "R" } }],
  "Checked late": [{ _tag: "Checked", check: 0, standing: { ...paid, receipt: "R" } }],
  "Checked other": [{ _tag: "Checked", check: 1, standing: { ...paid, receipt: "S" } }],
  "Checked unpaid": [{ _tag: "Checked", check: 1, standing: { _tag: "Failed", code: "expired", message: "" } }],
  BeginReversal: [{ _tag: "BeginReversal", entry_id: "e" }]
}

/** The event, or the refusal; `-` where nothing happens; `yes` and `no` where the answer is the point. */
const table = `
               | absent          | started   | pushing      | waiting   | refused | confirmed | proved  | succeeded     | failed | expired | reversing
Start          | Started         | -         | -            | -         | Started | -         | -       | -             | -      | -       | -
Show           | topup.not_found | -         | -            | -         | -       | -         | -       | -             | -      | -       | -
BeginPush      | topup.not_found | PushBegun yes | no       | no        | no      | no        | no      | no            | no     | no      | no
PushAccepted   | topup.not_found | -         | PushAccepted | -         | -       | -         | -       | -             | -      | -       | -
PushRefused    | topup.not_found | -         | PushRefused  | -         | -       | -         | -       | -             | -      | -       | -
StillPending   | topup.not_found | Queried   | Queried      | Queried   | -       | Queried   | -       | -             | -      | -       | -
Confirm        | topup.not_found | Confirmed | Confirmed    | Confirmed | -       | -         | -       | -             | -      | -       | -
Prove          | topup.not_found | Proved yes | Proved yes  | Proved yes | no     | Proved yes | yes    | yes           | no     | Proved yes | yes
Prove other    | topup.not_found | Proved yes | Proved yes  | Proved yes | no     | Proved yes | no     | no            | no     | Proved yes | no
Credited       | topup.not_found | -         | -            | -         | -       | -         | Credited | -            | -      | -       | -
Fail           | topup.not_found | Failed    | Failed       | Failed    | -       | -         | -       | -             | -      | -       | -
Expire         | topup.not_found | -         | -            | -         | -       | -         | -       | -             | -      | -       | -
Expire in time | topup.not_found | Expired   | Expired      | Expired   | -       | -         | -       | -             | -      | -       | -
Reverse        | topup.not_found | topup.not_found | topup.not_found | topup.not_found | topup.not_found | topup.not_found | topup.not_found | TakenBack ReversalRequested | topup.not_found | topup.not_found | -
Debited        | topup.not_found | -         | -            | -         | -       | -         | -       | -             | -      | -       | Reversed
Notified       | topup.not_found | Notified  | Notified     | Notified  | Notified | Notified | Notified | Notified     | Notified | Notified | Notified
Checked        | topup.not_found | Proved TakenBack Checked | Proved TakenBack Checked | Proved TakenBack Checked | Checked | Proved TakenBack Checked | TakenBack Checked | TakenBack Checked | Checked | Proved TakenBack Checked | TakenBack Checked
Checked late   | topup.not_found | -         | -            | -         | -       | -         | -       | -             | -      | -       | -
Checked other  | topup.not_found | Proved TakenBack Checked | Proved TakenBack Checked | Proved TakenBack Checked | Checked | Proved TakenBack Checked | Checked | Checked | Checked | Proved TakenBack Checked | Checked
Checked unpaid | topup.not_found | Failed Checked | Failed Checked | Failed Checked | Checked | Checked | Checked | Checked | Checked | Checked | Checked
BeginReversal  | topup.not_found | -         | -            | -         | -       | -         | -       | -             | -      | -       | -
`
const outcome = (topup: TopUp, [command, after = 0]: readonly [TopUpMessage, number?]): string => {
  const decided = decideTopUp(topup, command, now + after)
  if (Result.isFailure(decided)) return decided.failure._tag
  const { events, reply } = decided.success
  const yes = typeof reply === "object" && "taken" in reply ? reply.taken : reply
  const answer = typeof yes === "boolean" ? [yes ? "yes" : "no"] : []
  return [...events.map(({ _tag }) => _tag), ...answer].join(" ") || "-"
}

const [head, ...rows] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
const columns = head!.slice(1)

describe("The table of a top-up", () => {
  it("has every command and every condition", () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(commands))
    expect(new Set(Object.values(commands).map(([{ _tag }]) => _tag))).toEqual(new Set(Object.keys(TopUpCommands)))
    expect(columns).toEqual(Object.keys(conditions))
  })
  for (const [name, ...cells] of rows) {
    it(`${name}`, () => {
      const is = Object.fromEntries(columns.map((column) => [column, outcome(conditions[column]!, commands[name!]!)]))
      expect(is).toEqual(Object.fromEntries(columns.map((column, index) => [column, cells[index]])))
    })
  }
})

describe("A status query that was made before", () => {
  it("is not counted again", () => {
    const asked = became(waiting, { _tag: "Queried", queries: 2 })
    expect([1, 2, 3].map((query) => outcome(asked, [{ _tag: "StillPending", query }]))).toEqual(["-", "-", "Queried"])
  })
})

describe("The planned work", () => {
  const works = (topup: TopUp) =>
    planTopUp(topup).map(({ at, key }) => (at === undefined ? key : `${key} +${(at - now) / 1000}`))
  it.each([
    ["absent", []],
    ["started", ["push", "expire +300"]],
    ["pushing", ["push", "expire +300"]],
    ["waiting", ["query:1 +15", "expire +300"]],
    ["refused", []],
    ["confirmed", ["find-receipt", "expire +172800"]],
    ["proved", ["credit"]],
    ["succeeded", []],
    ["failed", []],
    ["expired", []],
    ["reversing", ["debit:e"]]
  ] as const)("while it is %s: %j", (name, keys) => assert.deepStrictEqual(works(conditions[name]!), [...keys]))

  it("is the next of four status queries", () => {
    const asked = [1, 2, 3, 4].map((queries) => works(became(waiting, { _tag: "Queried", queries }))[0])
    assert.deepStrictEqual(asked, ["query:2 +30", "query:3 +60", "query:4 +120", "expire +300"])
  })
})

it("A confirmed payment without a receipt fails after two days as provider_error", () => {
  const over = decideTopUp(confirmed, { _tag: "Expire" }, now + 48 * 3_600_000)
  assert.deepInclude(Result.getOrThrow(over).events[0], { _tag: "Failed", code: "provider_error" })
})

it("Statuses", () => {
  const statuses = Object.entries(conditions).map(
    ([name, topup]) => `${name} ${topup._tag === "Absent" ? "-" : statusOf(topup)}`
  )
  assert.deepStrictEqual(statuses, [
    "absent -",
    "started pending",
    "pushing pending",
    "waiting pending",
    "refused failed",
    "confirmed pending",
    "proved pending",
    "succeeded succeeded",
    "failed failed",
    "expired expired",
    "reversing succeeded"
  ])
})
