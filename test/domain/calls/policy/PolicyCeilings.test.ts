import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../../src/domain/access/Origin.ts"
import type { CallingPolicyChange } from "../../../../src/domain/calls/policy/CallingPolicy.ts"
import { default_policy, policyOf } from "../../../../src/domain/calls/policy/CallingPolicy.ts"
import {
  beyondCeilings,
  ceilingsOf,
  ceilingsOfNewWorkspace,
  type PolicyCeilingsChange,
  withinCeilings
} from "../../../../src/domain/calls/policy/PolicyCeilings.ts"
import { policyOfNewWorkspace, defaultDailySpend_minor } from "../../../../src/domain/calls/policy/SpendCeiling.ts"
import { changeOf } from "../../../../src/domain/Decision.ts"
import { Currency } from "../../../../src/domain/wallet/Currency.ts"
import { decideWorkspace } from "../../../../src/domain/workspace/DecideWorkspace.ts"
import { recordWorkspace } from "../../../../src/domain/workspace/RecordWorkspace.ts"
import { restoreWorkspace } from "../../../../src/domain/workspace/StoredWorkspace.ts"
import { evolveWorkspace, noWorkspace, type WorkspaceState } from "../../../../src/domain/workspace/Workspace.ts"
import type { WorkspaceCommand } from "../../../../src/domain/workspace/WorkspaceCommand.ts"
import { gatewayId, userId, workspaceId } from "../../../support/Ids.ts"

const id = workspaceId("0199a000-0000-7000-8000-000000000001")
const now = Date.UTC(2026, 10, 20)
const ops = { ...systemOrigin, actor: { type: "ops", id: "o", label: "ops@example.com" } } as const
const ann = { ...systemOrigin, actor: { type: "user", id: "u1", label: "ann@example.com" } } as const

const some: PolicyCeilingsChange = { daily_spend_limit_minor: 900, max_concurrent_calls: 5, calls_per_second: null }

describe("a change of the policy", () => {
  it.each([
    ["up to the ceilings is allowed", { daily_spend_limit_minor: 900, max_concurrent_calls: 5 }, []],
    ["beyond one is refused", { daily_spend_limit_minor: 901, max_concurrent_calls: 5 }, ["daily_spend_limit_minor"]],
    ["to no limit is refused", { daily_spend_limit_minor: null }, ["daily_spend_limit_minor"]],
    [
      "beyond several names each",
      { daily_spend_limit_minor: null, max_concurrent_calls: 6 },
      ["daily_spend_limit_minor", "max_concurrent_calls"]
    ],
    ["of members without a ceiling is allowed", { calls_per_second: 1_000_000, max_calls_to_new_country: null }, []],
    ["of other members is allowed", { allow_high_risk: true, sip_allowlist: ["a.example.com"] }, []]
  ] as ReadonlyArray<readonly [string, CallingPolicyChange, ReadonlyArray<string>]>)("%s", (_, change, expected) => {
    assert.deepStrictEqual(
      beyondCeilings(some, change).map(({ member }) => member),
      expected
    )
  })
})

describe("a policy under new ceilings", () => {
  it.each([
    ["keeps what is below them", { max_concurrent_calls: 4 }, { daily_spend_limit_minor: 900 }],
    [
      "is lowered where it is above",
      { daily_spend_limit_minor: 1_000, max_concurrent_calls: 9 },
      { daily_spend_limit_minor: 900, max_concurrent_calls: 5 }
    ],
    ["is lowered where it has the default", { daily_spend_limit_minor: 1 }, { max_concurrent_calls: 5 }]
  ] as ReadonlyArray<readonly [string, CallingPolicyChange, CallingPolicyChange]>)("%s", (_, stored, expected) => {
    assert.deepStrictEqual(withinCeilings(some, { ...default_policy, ...stored }), expected)
  })
})

describe("the ceilings of a new workspace", () => {
  it("leave no limit open, and are not below what it begins with, in every currency", () => {
    for (const currency of Currency.literals) {
      const policy = policyOf(
        policyOfNewWorkspace(currency, { daily_spend_minor: defaultDailySpend_minor, ceilings: new Map() })
      )
      const ceilings = ceilingsOfNewWorkspace(policy)
      assert.notInclude(Object.values(ceilingsOf(ceilings)), null)
      assert.deepStrictEqual(withinCeilings(ceilings, policy), {})
      assert.strictEqual(ceilings.daily_spend_limit_minor, policy.daily_spend_limit_minor)
    }
  })
})

const after = (state: WorkspaceState, ...commands: ReadonlyArray<WorkspaceCommand>): WorkspaceState =>
  commands.reduce(
    (state, command) => Result.getOrThrow(decideWorkspace(state, command, now)).events.reduce(evolveWorkspace, state),
    state
  )
const founded = after(
  noWorkspace(id),
  {
    _tag: "Onboard",
    name: "Acme",
    currency: "KES",
    tenant_pbx_id: "acme",
    gateway_id: gatewayId("default"),
    voice_secret: "sealed",
    calling_policy: { daily_spend_limit_minor: 500 },
    policy_ceilings: { daily_spend_limit_minor: 500, max_concurrent_calls: 20 },
    owner: { user_id: userId("u1"), email: "ann@example.com" }
  },
  { _tag: "WalletOpened" }
)
const changePolicy = (policy: CallingPolicyChange): WorkspaceCommand => ({ _tag: "ChangePolicy", policy, origin: ann })
const changeCeilings = (ceilings: PolicyCeilingsChange): WorkspaceCommand => ({
  _tag: "ChangeCeilings",
  ceilings,
  origin: ops
})

describe("the ceilings of a workspace", () => {
  it("hold its own admins until an operator lifts them", () => {
    const asked = changePolicy({ daily_spend_limit_minor: 501 })
    const refused = decideWorkspace(founded, asked, now)
    assert.isTrue(Result.isFailure(refused))
    if (Result.isFailure(refused)) {
      assert.strictEqual(refused.failure._tag, "validation.bad_request")
      assert.strictEqual(refused.failure.details?.[0]?.field, "/daily_spend_limit_minor")
      assert.include(refused.failure.message, "500")
    }
    const lifted = after(founded, changeCeilings({ daily_spend_limit_minor: null }), asked)
    assert.strictEqual(lifted.facts?.calling_policy.daily_spend_limit_minor, 501)
    assert.isTrue(Result.isFailure(decideWorkspace(lifted, changePolicy({ max_concurrent_calls: 21 }), now)))
  })

  it("lower the policy at once, and both are in the audit log", () => {
    const command = changeCeilings({ daily_spend_limit_minor: 100, calls_per_second: 1 })
    const { events, reply } = Result.getOrThrow(decideWorkspace(founded, command, now))
    assert.deepInclude(reply, { daily_spend_limit_minor: 100, calls_per_second: 1, max_concurrent_calls: 20 })
    assert.deepInclude(reply, { max_calls_to_new_country: null })
    const { audit, state, workspace_id } = recordWorkspace(
      changeOf(evolveWorkspace, founded, events, { uuid: () => "event" })
    )
    assert.deepStrictEqual(
      audit.map(({ action_kind, after: text }) => [action_kind, JSON.parse(text ?? "").daily_spend_limit_minor]),
      [
        ["calling_policy.ceilings_changed", 100],
        ["calling_policy.changed", 100]
      ]
    )
    const lowered = after(founded, command)
    assert.deepInclude(lowered.facts?.calling_policy, { daily_spend_limit_minor: 100, calls_per_second: 1 })
    assert.deepStrictEqual(restoreWorkspace({ version: 1, workspace_id, state, alarm: null, holds: [] }, id), lowered)
  })

  it("do not change by being asked for, and are none in a workspace from before", () => {
    const { events, reply } = Result.getOrThrow(decideWorkspace(founded, changeCeilings({}), now))
    assert.deepStrictEqual(events, [])
    assert.deepInclude(reply, { daily_spend_limit_minor: 500 })
    assert.deepStrictEqual(beyondCeilings({}, { daily_spend_limit_minor: null, max_concurrent_calls: 1_000_000 }), [])
  })
})
