import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { messageSchema } from "../../../src/domain/Command.ts"
import { changeOf } from "../../../src/domain/Decision.ts"
import { decideWorkspace } from "../../../src/domain/workspace/DecideWorkspace.ts"
import { planWorkspace } from "../../../src/domain/workspace/PlanWorkspace.ts"
import { recordWorkspace } from "../../../src/domain/workspace/RecordWorkspace.ts"
import { restoreWorkspace } from "../../../src/domain/workspace/StoredWorkspace.ts"
import { evolveWorkspace, noWorkspace, type WorkspaceState } from "../../../src/domain/workspace/Workspace.ts"
import { type WorkspaceCommand, WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { gatewayId, userId, workspaceId } from "../../support/Ids.ts"

const id = workspaceId("0199a000-0000-7000-8000-000000000001")
const now = Date.UTC(2026, 10, 20)
const origin = { ...systemOrigin, actor: { type: "ops", id: "o", label: "ops@example.com" } } as const

const onboard: WorkspaceCommand = {
  _tag: "Onboard",
  name: "Acme",
  currency: "KES",
  tenant_pbx_id: "acme",
  gateway_id: gatewayId("default"),
  voice_secret: "sealed",
  owner: { user_id: userId("u1"), email: "ann@example.com" }
}

const after = (state: WorkspaceState, ...commands: ReadonlyArray<WorkspaceCommand>): WorkspaceState =>
  commands.reduce(
    (state, command) => Result.getOrThrow(decideWorkspace(state, command, now)).events.reduce(evolveWorkspace, state),
    state
  )

const absent = noWorkspace(id)
const onboarding = after(absent, onboard)
const active = after(onboarding, { _tag: "WalletOpened" })
const suspended = after(active, { _tag: "Suspend", reason: "fraud", origin })
const closed = after(active, { _tag: "Close", origin })
const finished = after(closed, { _tag: "ClosingFinished" })
const platform = after(active, { _tag: "ChooseNumberMode", mode: "platform" })
const byoc = after(active, { _tag: "ChooseNumberMode", mode: "byoc" })

const states: Readonly<Record<string, WorkspaceState>> = {
  absent,
  onboarding,
  active,
  suspended,
  closed,
  finished,
  platform,
  byoc
}

const commands: Readonly<Record<string, WorkspaceCommand>> = {
  Onboard: onboard,
  WalletOpened: { _tag: "WalletOpened" },
  Rename: { _tag: "Rename", name: "Ajax" },
  "Rename same": { _tag: "Rename", name: "Acme" },
  SetRetention: { _tag: "SetRetention", retention_days: 30 },
  "SetRetention same": { _tag: "SetRetention", retention_days: 90 },
  ChangePolicy: { _tag: "ChangePolicy", policy: { allow_high_risk: true }, origin },
  "ChangePolicy nothing": { _tag: "ChangePolicy", policy: {}, origin },
  ChangeCeilings: { _tag: "ChangeCeilings", ceilings: { max_concurrent_calls: 20 }, origin },
  "ChangeCeilings nothing": { _tag: "ChangeCeilings", ceilings: {}, origin },
  "Choose platform": { _tag: "ChooseNumberMode", mode: "platform" },
  "Choose byoc": { _tag: "ChooseNumberMode", mode: "byoc" },
  Suspend: { _tag: "Suspend", reason: "fraud", origin },
  Reinstate: { _tag: "Reinstate", origin },
  Close: { _tag: "Close", origin },
  ClosingFinished: { _tag: "ClosingFinished" }
}

/** The events of the command (`-` for none), or the code of its error. */
const outcome = (state: WorkspaceState, command: WorkspaceCommand): string =>
  Result.match(decideWorkspace(state, command, now), {
    onFailure: ({ _tag }) => _tag,
    onSuccess: ({ events }) => events.map(({ _tag }) => _tag).join(" ") || "-"
  })

const locked_to_byoc = "workspace.locked_to_byoc"
const locked_to_platform = "workspace.locked_to_platform_numbers"
const shut = { closed: "account.suspended", finished: "account.suspended" }
const everywhere = (text: string, but: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.keys(states).map((state) => [state, state === "absent" ? "not_found" : (but[state] ?? text)])
  )

const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Onboard: { ...everywhere("-"), absent: "Founded" },
  WalletOpened: everywhere("-", { onboarding: "WalletOpened" }),
  Rename: everywhere("Renamed"),
  "Rename same": everywhere("-"),
  SetRetention: everywhere("RetentionSet"),
  "SetRetention same": everywhere("-"),
  ChangePolicy: everywhere("PolicyChanged"),
  "ChangePolicy nothing": everywhere("-"),
  ChangeCeilings: everywhere("CeilingsChanged"),
  "ChangeCeilings nothing": everywhere("-"),
  "Choose platform": everywhere("NumberModeChosen", { ...shut, platform: "-", byoc: locked_to_byoc }),
  "Choose byoc": everywhere("NumberModeChosen", { ...shut, platform: locked_to_platform, byoc: "-" }),
  Suspend: everywhere("Suspended", { ...shut, suspended: "-" }),
  Reinstate: everywhere("-", { suspended: "Reinstated" }),
  Close: everywhere("Closed", { closed: "-", finished: "-" }),
  ClosingFinished: everywhere("-", { closed: "ClosingFinished" })
}

describe("a workspace", () => {
  it("decides every command in every state as the table states", () => {
    const found = Object.fromEntries(
      Object.entries(commands).map(([name, command]) => [
        name,
        Object.fromEntries(Object.entries(states).map(([state, value]) => [state, outcome(value, command)]))
      ])
    )
    assert.deepStrictEqual(found, expected)
  })

  it("is onboarding until its wallet is open, even if it is suspended in between", () => {
    assert.deepStrictEqual(planWorkspace(absent), [])
    assert.deepStrictEqual(
      planWorkspace(onboarding).map((work) => "work" in work && work.work),
      [{ _tag: "OpenWallet", currency: "KES" }]
    )
    assert.deepStrictEqual(planWorkspace(active), [])
    const early = after(onboarding, { _tag: "Suspend", reason: null, origin })
    assert.lengthOf(planWorkspace(early), 1)
    const late = after(early, { _tag: "WalletOpened" }, { _tag: "Reinstate", origin })
    assert.strictEqual(late.facts?.status, "active")
    assert.strictEqual(after(suspended, { _tag: "Reinstate", origin }).facts?.status, "active")
  })

  it("plans only the closing work once it is closed, until that work is finished", () => {
    assert.deepStrictEqual(
      planWorkspace(closed).map((work) => "work" in work && work.work),
      [{ _tag: "CloseWorkspace" }]
    )
    assert.lengthOf(planWorkspace(after(onboarding, { _tag: "Close", origin })), 1)
    assert.deepStrictEqual(planWorkspace(finished), [])
  })

  it("begins with the calling policy that it is founded with", () => {
    const { facts } = after(absent, { ...onboard, calling_policy: { daily_spend_limit_minor: 7 } })
    assert.deepStrictEqual(facts?.calling_policy, { daily_spend_limit_minor: 7 })
  })

  it.each([
    ["the ceiling", 900, "PolicyChanged"],
    ["more than the ceiling", 901, "validation.bad_request"],
    ["no limit at all", null, "validation.bad_request"]
  ])("decides whether the daily spend may be %s of the operator", (_, daily_spend_limit_minor, expected) => {
    const policy = { daily_spend_limit_minor }
    const change = { _tag: "ChangePolicy", policy, max_daily_spend_minor: { KES: 900, UGX: 5 }, origin } as const
    assert.strictEqual(outcome(active, change), expected)
  })

  it("keeps the members of a policy that a change leaves out", () => {
    const changed = after(
      active,
      { _tag: "ChangePolicy", policy: { max_concurrent_calls: 3 }, origin },
      commands["ChangePolicy"]!
    )
    assert.deepStrictEqual(changed.facts?.calling_policy, { max_concurrent_calls: 3, allow_high_risk: true })
    const { reply } = Result.getOrThrow(decideWorkspace(changed, { _tag: "ChangePolicy", policy: {}, origin }, now))
    assert.strictEqual(reply.max_concurrent_calls, 3)
    assert.strictEqual(reply.allowed_countries.length, 7)
  })
})

describe("the stored state of a workspace", () => {
  const record = (before: WorkspaceState, command: WorkspaceCommand) => {
    const { events } = Result.getOrThrow(decideWorkspace(before, command, now))
    return recordWorkspace(changeOf(evolveWorkspace, before, events, { uuid: () => "event" }))
  }

  it("is restored as it was", () => {
    const { columns, state, workspace_id } = record(absent, onboard)
    assert.deepStrictEqual(
      restoreWorkspace({ version: 1, workspace_id, state, alarm: null, holds: [] }, id),
      onboarding
    )
    assert.deepInclude(columns, {
      name: "Acme",
      status: "onboarding",
      number_mode: "unset",
      member_ids: ["u1"],
      calling_policy: "{}"
    })
  })

  it("comes with webhook events and audit entries that name who made the change", () => {
    const { audit, events } = record(active, commands["Suspend"]!)
    assert.deepStrictEqual(
      events.map(({ kind, sequence, subject_id }) => ({ kind, sequence, subject_id })),
      [{ kind: "workspace.suspended", sequence: 1, subject_id: id }]
    )
    assert.deepInclude(audit[0], {
      action_kind: "workspace.suspended",
      before: `{"status":"active"}`,
      after: `{"status":"suspended","reason":"fraud"}`,
      actor: JSON.stringify(origin.actor)
    })
    const again = record(suspended, commands["Reinstate"]!)
    assert.deepStrictEqual(
      again.events.map(({ kind, sequence }) => [kind, sequence]),
      [["workspace.reinstated", 2]]
    )
    assert.deepStrictEqual(
      again.audit.map(({ action_kind }) => action_kind),
      ["workspace.reinstated"]
    )
    assert.deepStrictEqual(
      record(active, commands["Close"]!).audit.map(({ action_kind }) => action_kind),
      ["workspace.closed"]
    )
    const policy = record(active, commands["ChangePolicy"]!).audit[0]
    assert.strictEqual(policy?.action_kind, "calling_policy.changed")
    assert.isFalse(JSON.parse(policy?.before ?? "").allow_high_risk)
    assert.isTrue(JSON.parse(policy?.after ?? "").allow_high_risk)
    assert.deepStrictEqual([record(active, commands["Rename"]!).audit, record(absent, onboard).audit], [[], []])
  })

  it("is encoded and decoded without loss between processes", () => {
    const schema = Schema.fromJsonString(messageSchema(WorkspaceCommands))
    for (const command of Object.values(commands)) {
      const text = Schema.encodeUnknownSync(schema)(command)
      assert.deepStrictEqual(Schema.decodeUnknownSync(schema)(text), command)
    }
    const { reply } = Result.getOrThrow(decideWorkspace(active, { _tag: "Rename", name: "Ajax" }, now))
    const decoded = Schema.decodeUnknownSync(WorkspaceCommands.Rename.reply)(JSON.parse(JSON.stringify(reply)))
    assert.deepStrictEqual(decoded, reply)
  })
})
