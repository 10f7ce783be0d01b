import { assert, describe, it } from "@effect/vitest"
import { changeOf } from "../../../src/domain/Decision.ts"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { type ChatApp, unusedChatApp } from "../../../src/domain/chatapp/ChatApp.ts"
import type { ChatAppMessage } from "../../../src/domain/chatapp/ChatAppCommand.ts"
import { decideChatApp } from "../../../src/domain/chatapp/DecideChatApp.ts"
import { evolveChatApp } from "../../../src/domain/chatapp/EvolveChatApp.ts"
import { planChatApp } from "../../../src/domain/chatapp/PlanChatApp.ts"
import { recordChatApp } from "../../../src/domain/chatapp/RecordChatApp.ts"
import { restoreChatApp } from "../../../src/domain/chatapp/StoredChatApp.ts"
import { toPbxTrunkId, type WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { numberId, workspaceId } from "../../support/Ids.ts"

const now = 1_800_000_000_000
const hour_ms = 3_600_000
const provision: ChatAppMessage = { _tag: "Provision", workspace_id: workspaceId("w1"), number: "+254700000001" }
const find: ChatAppMessage<"FindRoute"> = { _tag: "FindRoute", workspace_id: workspaceId("w1") }
const retry: ChatAppMessage = { _tag: "Retry", workspace_id: workspaceId("w1"), origin: systemOrigin }
const provisioned: ChatAppMessage<"Provisioned"> = { _tag: "Provisioned", attempt: 1, sip_host: "sip.example.com" }
const ineligible = (attempt: number): ChatAppMessage => ({
  _tag: "ProvisioningFailed",
  attempt,
  reason: "Not yet.",
  provider_code: 138_015
})
const refused: ChatAppMessage = { _tag: "ProvisioningFailed", attempt: 1, reason: "No.", provider_code: 100 }

const after = (state: ChatApp, command: ChatAppMessage, at = now): ChatApp =>
  Result.getOrThrow(decideChatApp(state, command, at)).events.reduce(evolveChatApp, state)

const absent = unusedChatApp(numberId("n1"))
const pending = after(absent, provision)
const settingUp = after(pending, provisioned)
const probing = after(settingUp, { _tag: "ConfirmSetUp", generation: 1 })
const trunk_id = toPbxTrunkId("chatapp-n1.1")
const reported = { _tag: "Report", workspace_id: workspaceId("w1"), trunk_id, reachable: false } as const
const answers: ChatAppMessage<"Report"> = { ...reported, reachable: true }
const active = after(probing, answers)
const failed = after(pending, refused)
const states = { absent, pending, probing, active, failed }

const outcome = (state: ChatApp, command: ChatAppMessage): string => {
  const decided = decideChatApp(state, command, now)
  return Result.isFailure(decided)
    ? decided.failure._tag
    : (decided.success.events.reduce(evolveChatApp, state).trunk?.status ?? "absent")
}

describe("a trunk in the chat app", () => {
  it.each([
    [
      "provision",
      provision,
      { absent: "pending", pending: "pending", probing: "pending", active: "active", failed: "failed" }
    ],
    [
      "retry",
      retry,
      {
        absent: "chatapp.not_provisioned",
        pending: "chatapp.trunk_not_retryable",
        probing: "chatapp.trunk_not_retryable",
        active: "chatapp.trunk_not_retryable",
        failed: "pending"
      }
    ],
    [
      "automatic retry",
      { _tag: "RetryDue" },
      { absent: "absent", pending: "pending", probing: "pending", active: "active", failed: "failed" }
    ],
    [
      "provisioned",
      provisioned,
      { absent: "absent", pending: "pending", probing: "pending", active: "active", failed: "failed" }
    ],
    [
      "refused",
      refused,
      { absent: "absent", pending: "failed", probing: "pending", active: "active", failed: "failed" }
    ],
    [
      "probe answered",
      answers,
      { absent: "absent", pending: "pending", probing: "active", active: "active", failed: "failed" }
    ],
    [
      "probe of another trunk answered",
      { ...answers, trunk_id: toPbxTrunkId("chatapp-n1.2") },
      { absent: "absent", pending: "pending", probing: "pending", active: "active", failed: "failed" }
    ],
    [
      "host away",
      reported,
      { absent: "absent", pending: "pending", probing: "pending", active: "active", failed: "failed" }
    ],
    [
      "trunk reported by the gateway of another workspace",
      { ...answers, workspace_id: workspaceId("w2") },
      { absent: "absent", pending: "pending", probing: "pending", active: "active", failed: "failed" }
    ],
    [
      "host with a certificate of another name",
      { ...reported, reason: "certificate_name" },
      { absent: "absent", pending: "pending", probing: "failed", active: "active", failed: "failed" }
    ],
    [
      "host away for a reason that is not known",
      { ...reported, reason: "toString" },
      { absent: "absent", pending: "pending", probing: "pending", active: "active", failed: "failed" }
    ],
    [
      "show",
      { _tag: "Show", workspace_id: workspaceId("w1") },
      { absent: "absent", pending: "pending", probing: "pending", active: "active", failed: "failed" }
    ]
  ] as const)("%s", (_, command, expected) => {
    for (const [name, state] of Object.entries(states)) {
      assert.strictEqual(outcome(state, command), expected[name as keyof typeof states], `when ${name}`)
    }
  })

  it("is requested once while it is pending, and again after each retry", () => {
    assert.deepStrictEqual(planChatApp(absent), [])
    assert.deepStrictEqual(planChatApp(active), [])
    assert.deepStrictEqual(planChatApp(failed), [])
    assert.deepInclude(planChatApp(pending)[0], {
      key: "provision:1",
      work: { _tag: "ProvisionTrunk", attempt: 1, number: "+254700000001" }
    })
    assert.deepInclude(planChatApp(after(failed, retry))[0], { key: "provision:2" })
  })

  const keysOf = (state: ChatApp) => planChatApp(state).map(({ key }) => key)

  it("is set up on the PBX once the provider has accepted it, then probed, and only then active", () => {
    assert.deepStrictEqual(keysOf(settingUp), ["set_up:1"])
    assert.deepStrictEqual(after(settingUp, answers), settingUp, "before it is set up")
    assert.deepStrictEqual(keysOf(probing), ["probe:1:1", "probe_over:1:1"])
    assert.strictEqual(active.trunk?.sip_host, "sip.example.com")
    assert.deepStrictEqual(Result.getOrThrow(decideChatApp(active, find, now)).reply, {
      trunk_id,
      settings: null,
      since: now
    })
    for (const state of [absent, pending, settingUp, probing, failed])
      assert.deepInclude(Result.getOrThrow(decideChatApp(state, find, now)).reply, { trunk_id: null })
  })

  it("fails after three probes, leaves the PBX, and is retried after 5, 30 and 120 minutes", () => {
    let state = probing
    for (const [index, minutes] of [5, 30, 120, undefined].entries()) {
      const generation = index + 1
      for (let probe = 1; probe <= 3; probe++) {
        assert.deepStrictEqual(after(state, { _tag: "EndProbe", generation, probe: probe + 1 }), state)
        state = after(state, { _tag: "EndProbe", generation, probe })
      }
      const next_retry_at = minutes === undefined ? null : now + minutes * 60_000
      assert.deepInclude(state.trunk, { status: "failed", provider_code: null, next_retry_at, generation: 0 })
      assert.include(keysOf(state), `remove:chatapp-n1.${generation}`)
      state = after(state, { _tag: "ConfirmRemoval", trunk_id: toPbxTrunkId(`chatapp-n1.${generation}`) })
      assert.deepStrictEqual(state.removing, [])
      if (minutes === undefined) continue
      state = after(state, { _tag: "RetryDue" }, now + minutes * 60_000)
      state = after(state, { ...provisioned, attempt: generation + 1 })
      state = after(state, { _tag: "ConfirmSetUp", generation: generation + 1 })
    }
  })

  it("fails with the reason if the PBX refuses it", () => {
    const state = after(settingUp, { _tag: "FailSetUp", generation: 1, reason: "It cannot." })
    assert.deepInclude(state.trunk, { status: "failed", status_reason: "It cannot." })
    assert.deepStrictEqual(after(probing, { _tag: "FailSetUp", generation: 1, reason: "It cannot." }), probing)
  })

  it("is put on a PBX again that has come back, and taken down when the number leaves", () => {
    const back = after(active, { _tag: "BeginResync", epoch: 7 })
    assert.deepStrictEqual(keysOf(back), ["resync:7"])
    assert.deepStrictEqual(keysOf(after(back, { _tag: "FinishResync", epoch: 7 })), [])
    const left = after(active, { _tag: "Leave", workspace_id: workspaceId("w1"), left_at: now })
    assert.deepStrictEqual(planChatApp(left), [
      {
        _tag: "Task",
        key: `remove:${trunk_id}`,
        work: { _tag: "RemoveTrunk", workspace_id: workspaceId("w1"), trunk_id }
      }
    ])
    const next = after(left, { _tag: "Provision", workspace_id: workspaceId("w2"), number: "+254700000001" })
    assert.strictEqual(after(next, provisioned).trunk?.generation, 2, "no id on the PBX is used twice")
    const w2 = { ...provision, workspace_id: workspaceId("w2") } as const
    assert.deepStrictEqual(after(active, w2).removing, left.removing, "also if the next workspace comes first")
  })

  const written: ChatAppMessage<"SettingsWritten"> = {
    _tag: "SettingsWritten",
    workspace_id: workspaceId("w1"),
    number: "+254700000001",
    settings: initialSettings,
    origin: systemOrigin
  }
  const shownTo = (state: ChatApp, workspace_id: WorkspaceId) =>
    Result.getOrThrow(decideChatApp(state, { _tag: "Show", workspace_id }, now)).reply

  it("belongs to the workspace that uses the number, and to no other", () => {
    const used = after(active, written)
    assert.deepInclude(shownTo(used, workspaceId("w1")), { stored: initialSettings })
    assert.deepStrictEqual(shownTo(used, workspaceId("w2")), {
      stored: null,
      trunk: null
    })
    assert.strictEqual(
      outcome(failed, { _tag: "Retry", workspace_id: workspaceId("w2"), origin: systemOrigin }),
      "chatapp.not_provisioned"
    )
    const taken = after(used, { _tag: "Provision", workspace_id: workspaceId("w2"), number: "+254700000001" }, now + 1)
    assert.deepInclude(taken, {
      workspace_id: workspaceId("w2"),
      since: now + 1,
      stored: null,
      sequence: used.sequence
    })
    assert.deepInclude(taken.trunk, { status: "pending", attempts: 1 })
  })

  it.each([
    ["its workspace", "w1", now, "reset"],
    ["its workspace, which has used it again since", "w1", now - 1, "unchanged"],
    ["another workspace", "w2", now, "unchanged"]
  ] as const)("when the number leaves %s (%s, %s), the state is %s", (_, workspace_id, left_at, expected) => {
    const used = after(active, written)
    const next = after(used, { _tag: "Leave", workspace_id: workspaceId(workspace_id), left_at }, now + 5)
    const reset = {
      ...absent,
      number: used.number,
      sequence: used.sequence,
      turning_off: true,
      generation: 1,
      removing: [{ workspace_id: workspaceId("w1"), trunk_id }]
    }
    assert.deepStrictEqual(next, expected === "unchanged" ? used : reset)
  })

  it("is reset at the provider after the number has left, until that succeeds or another workspace writes settings", () => {
    const leave: ChatAppMessage = { _tag: "Leave", workspace_id: workspaceId("w1"), left_at: now }
    const left = after(after(pending, written), leave)
    const turnOff = { key: "turn_off", work: { _tag: "TurnOff", number: "+254700000001" } }
    assert.deepInclude(planChatApp(left)[0], turnOff)
    assert.deepStrictEqual(planChatApp(after(left, { _tag: "TurnedOff" })), [])
    assert.deepStrictEqual(planChatApp(after(left, { ...written, workspace_id: workspaceId("w2") })), [])
    const next = after(left, { _tag: "Provision", workspace_id: workspaceId("w2"), number: "+254700000001" })
    assert.deepStrictEqual(
      planChatApp(next).map(({ key }) => key),
      ["provision:1", "turn_off"]
    )
    assert.deepStrictEqual(planChatApp(after(pending, leave)), [], "nothing was written there")
  })

  it("ignores the result of an earlier attempt", () => {
    const again = after(failed, retry)
    assert.deepStrictEqual(after(again, provisioned), again)
    assert.deepStrictEqual(after(again, refused), again)
  })

  it("is retried after 1, 6 and 24 hours while the number is not eligible, and then no longer", () => {
    let state = pending
    for (const [index, pause_ms] of [hour_ms, 6 * hour_ms, 24 * hour_ms].entries()) {
      state = after(state, ineligible(index + 1))
      assert.strictEqual(state.trunk?.next_retry_at, now + pause_ms)
      const due = planChatApp(state)[0]
      assert.deepInclude(due, { at: now + pause_ms, command: { _tag: "RetryDue" } })
      assert.deepStrictEqual(after(state, { _tag: "RetryDue" }, now + pause_ms - 1), state)
      state = after(state, { _tag: "RetryDue" }, now + pause_ms)
      assert.strictEqual(state.trunk?.status, "pending")
    }
    state = after(state, ineligible(4))
    assert.deepInclude(state.trunk, { status: "failed", next_retry_at: null, provider_code: 138_015, attempts: 4 })
    assert.deepStrictEqual(planChatApp(state), [])
  })

  it("publishes when the trunk is active or has failed, and audits manual retries", () => {
    const published = (before: ChatApp, command: ChatAppMessage) => {
      const { events } = Result.getOrThrow(decideChatApp(before, command, now))
      const { audit, events: rows } = recordChatApp(changeOf(evolveChatApp, before, events, { uuid: () => "e" }))
      return [
        ...rows.map(({ kind, sequence }) => `${kind} ${sequence}`),
        ...audit.map(({ action_kind }) => action_kind)
      ]
    }
    assert.deepStrictEqual(published(absent, provision), [])
    assert.deepStrictEqual(published(pending, provisioned), [])
    assert.deepStrictEqual(published(probing, answers), ["chatapp.trunk_active 1"])
    assert.deepStrictEqual(published(pending, refused), ["chatapp.trunk_failed 1"])
    assert.deepStrictEqual(published(failed, retry), ["chatapp.trunk_retried"])
    assert.deepStrictEqual(published(active, written), ["chatapp.settings_changed 2", "chatapp.settings_changed"])
    assert.deepStrictEqual(after(active, written).trunk, active.trunk)
  })

  describe("a permission reply", () => {
    const reply = {
      id: "m1",
      provider_number_id: "1065",
      user: "+254711000001",
      status: "granted",
      permanent: false,
      expires_at: null,
      source: "user",
      at: now
    } as const
    const day_ms = 24 * hour_ms
    const used = after(absent, written)
    const changes = (state: ChatApp, more: Partial<typeof reply> | { readonly at: number } = {}, at = now) =>
      Result.getOrThrow(decideChatApp(state, { _tag: "PermissionReplied", reply: { ...reply, ...more } }, at)).events
        .length
    it.each([
      ["counts for the workspace that uses the number", used, {}, now, 1],
      ["counts in the second in which the workspace began to use it", used, { at: now - 999 }, now, 1],
      ["is ignored when it is repeated", after(used, { _tag: "PermissionReplied", reply }), {}, now, 0],
      ["is ignored from before that", used, { at: now - 1_000 }, now, 0],
      ["counts when it is six days late", used, {}, now + 6 * day_ms, 1],
      ["is ignored when it is seven days late", used, {}, now + 7 * day_ms, 0],
      ["is ignored while no workspace uses the number", absent, {}, now, 0],
      [
        "is ignored after the workspace has left",
        after(used, { _tag: "Leave", workspace_id: workspaceId("w1"), left_at: now }),
        {},
        now,
        0
      ]
    ] as const)("%s", (_, state, more, at, expected) => assert.strictEqual(changes(state, more, at), expected))

    it("is remembered among the latest 200, and a state that was stored without them can be restored", () => {
      let state = used
      for (let n = 0; n < 300; n++)
        state = after(state, { _tag: "PermissionReplied", reply: { ...reply, id: `m${n}` } })
      assert.lengthOf(state.heard, 200)
      assert.strictEqual(state.sequence, used.sequence + 300)
      const { heard: _, ...old } = used
      assert.deepStrictEqual(
        restoreChatApp(
          { version: 1, state: JSON.stringify(old) } as unknown as Parameters<typeof restoreChatApp>[0],
          numberId("n1")
        ),
        used
      )
    })
  })
})
