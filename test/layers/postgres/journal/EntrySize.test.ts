// Every text that an entry stores counts, or a backlog of them would look small.
import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "../../../../src/domain/journal/Rows.ts"
import { charactersOf } from "../../../../src/layers/postgres/journal/EntrySize.ts"
import { counter } from "../../../contract/JournalProbe.ts"
import { callId, workspaceId } from "../../../support/Ids.ts"

const workspace_id = workspaceId("0190f5fe-7c00-7a00-8000-00000000000a")
const call_id = callId("0190f5fe-7c00-7a00-8000-00000000000b")
const text = "x".repeat(10_000)

const trail = { workspace_id, call_id, key: "k", kind: "k", at: 0 }
const delivery = {
  id: "d",
  created_at: 0,
  status: "pending",
  attempts: 0,
  next_attempt_at: 0,
  finished_at: null
} as const
const ledger = {
  id: "l",
  workspace_id,
  sequence: 1,
  kind: "manual_credit",
  amount_minor: 1,
  balance_after_minor: 1,
  currency: "KES",
  reference_type: "adjustment",
  reference_id: "r",
  created_at: 0,
  lines: []
}
const audit = {
  workspace_id,
  action_kind: "call.terminated",
  target_type: "call",
  target_id: "c",
  ip: null,
  request_id: null,
  created_at: 0
} as const

const { snapshot: _, ...bare } = counter("a", 1)

describe("charactersOf", () => {
  const cases: ReadonlyArray<readonly [what: string, more: Partial<Entry>]> = [
    ["the state", { snapshot: { version: 1, state: text, columns: {} } }],
    ["a line of the timeline", { trail: [{ ...trail, detail: text }] }],
    ["the attempts of a delivery", { deliveries: [{ ...delivery, last_error: null, attempt_log: text }] }],
    ["the error of a delivery", { deliveries: [{ ...delivery, last_error: text, attempt_log: "[]" }] }],
    ["the description of money", { ledger: [{ ...ledger, description: text, actor: "{}", metadata: "{}" }] }],
    ["the metadata of money", { ledger: [{ ...ledger, description: "", actor: "{}", metadata: text }] }],
    [
      "what an audited change was before",
      { audit: [{ ...audit, user_agent: null, actor: "{}", before: text, after: null }] }
    ],
    ["what it was after", { audit: [{ ...audit, user_agent: null, actor: "{}", before: null, after: text }] }],
    ["who changed it", { audit: [{ ...audit, user_agent: text, actor: "{}", before: null, after: null }] }]
  ]
  it.each(cases)("counts %s", (_what, more) => {
    const size = charactersOf({ ...bare, ...more })
    assert.isAtLeast(size, text.length)
    assert.isAtMost(size, text.length + 300)
  })

  it("counts rows that have no text", () => {
    const lines = Array.from({ length: 10 }, () => ({ account: "a", amount_minor: 0 }))
    assert.isAbove(
      charactersOf({ ...bare, ledger: [{ ...ledger, description: "", actor: "", metadata: "", lines }] }),
      1_000
    )
  })

  it("takes what is no text, which is refused when it is sent", () => {
    const state: unknown = { an: "object" }
    assert.isAbove(charactersOf({ ...bare, snapshot: { version: 1, state: state as string, columns: {} } }), 0)
  })
})
