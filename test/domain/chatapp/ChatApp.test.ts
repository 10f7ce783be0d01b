import { assert, describe, it } from "@effect/vitest"
import { changeOf } from "../../../src/domain/Decision.ts"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { absentChatApp, type ChatApp, evolveChatApp } from "../../../src/domain/chatapp/ChatApp.ts"
import type { ChatAppCommand } from "../../../src/domain/chatapp/ChatAppCommand.ts"
import { decideChatApp, planChatApp } from "../../../src/domain/chatapp/DecideChatApp.ts"
import { recordChatApp, restoreChatApp } from "../../../src/domain/chatapp/RecordChatApp.ts"

const now = 1_800_000_000_000
const hour_ms = 3_600_000
const provision: ChatAppCommand = { _tag: "Provision", workspace_id: "w1", number: "+254700000001" }
const retry: ChatAppCommand = { _tag: "Retry", workspace_id: "w1", origin: systemOrigin }
const provisioned: ChatAppCommand = { _tag: "Provisioned", attempt: 1, sip_host: "sip.example.com" }
const ineligible = (attempt: number): ChatAppCommand => ({
  _tag: "ProvisioningFailed",
  attempt,
  reason: "Not yet.",
  provider_code: 138_015
})
const refused: ChatAppCommand = { _tag: "ProvisioningFailed", attempt: 1, reason: "No.", provider_code: 100 }

const after = (state: ChatApp, command: ChatAppCommand, at = now): ChatApp =>
  Result.getOrThrow(decideChatApp(state, command, at)).events.reduce(evolveChatApp, state)

const absent = absentChatApp("n1")
const pending = after(absent, provision)
const active = after(pending, provisioned)
const failed = after(pending, refused)
const states = { absent, pending, active, failed }

const outcome = (state: ChatApp, command: ChatAppCommand): string => {
  const decided = decideChatApp(state, command, now)
  return Result.isFailure(decided)
    ? decided.failure._tag
    : (decided.success.events.reduce(evolveChatApp, state).trunk?.status ?? "absent")
}

describe("a trunk in the chat app", () => {
  it.each([
    ["provision", provision, { absent: "pending", pending: "pending", active: "active", failed: "failed" }],
    [
      "retry",
      retry,
      {
        absent: "chatapp.not_provisioned",
        pending: "chatapp.trunk_not_retryable",
        active: "chatapp.trunk_not_retryable",
        failed: "pending"
      }
    ],
    [
      "the retry's time",
      { _tag: "RetryDue" },
      { absent: "absent", pending: "pending", active: "active", failed: "failed" }
    ],
    ["provisioned", provisioned, { absent: "absent", pending: "active", active: "active", failed: "failed" }],
    ["refused", refused, { absent: "absent", pending: "failed", active: "active", failed: "failed" }],
    [
      "show",
      { _tag: "Show", workspace_id: "w1" },
      { absent: "absent", pending: "pending", active: "active", failed: "failed" }
    ]
  ] as const)("%s", (_, command, expected) => {
    for (const [name, state] of Object.entries(states)) {
      assert.strictEqual(outcome(state, command), expected[name as keyof typeof states], `when ${name}`)
    }
  })

  it("is asked for once while it is pending, and again after each retry", () => {
    assert.deepStrictEqual(planChatApp(absent), [])
    assert.deepStrictEqual(planChatApp(active), [])
    assert.deepStrictEqual(planChatApp(failed), [])
    assert.deepInclude(planChatApp(pending)[0], {
      key: "provision:1",
      work: { _tag: "ProvisionTrunk", attempt: 1, number: "+254700000001" }
    })
    assert.deepInclude(planChatApp(after(failed, retry))[0], { key: "provision:2" })
  })

  const written: ChatAppCommand = {
    _tag: "SettingsWritten",
    workspace_id: "w1",
    number: "+254700000001",
    settings: initialSettings,
    origin: systemOrigin
  }
  const replyTo = (state: ChatApp, command: ChatAppCommand) =>
    Result.getOrThrow(decideChatApp(state, command, now)).reply

  it("is of who used the number, and of nobody else", () => {
    const used = after(active, written)
    assert.deepInclude(replyTo(used, { _tag: "Show", workspace_id: "w1" }), { stored: initialSettings })
    assert.deepStrictEqual(replyTo(used, { _tag: "Show", workspace_id: "w2" }), {
      _tag: "Shown",
      stored: null,
      trunk: null
    })
    assert.strictEqual(
      outcome(failed, { _tag: "Retry", workspace_id: "w2", origin: systemOrigin }),
      "chatapp.not_provisioned"
    )
    const taken = after(used, { _tag: "Provision", workspace_id: "w2", number: "+254700000001" }, now + 1)
    assert.deepInclude(taken, { workspace_id: "w2", since: now + 1, stored: null, sequence: used.sequence })
    assert.deepInclude(taken.trunk, { status: "pending", attempts: 1 })
  })

  it.each([
    ["its workspace, which began before", "w1", now, "gone"],
    ["its workspace, which came back later", "w1", now - 1, "kept"],
    ["another", "w2", now, "kept"]
  ] as const)("when the number leaves %s (%s, %s), is %s", (_, workspace_id, left_at, expected) => {
    const used = after(active, written)
    const next = after(used, { _tag: "Leave", workspace_id, left_at }, now + 5)
    const gone = { ...absent, number: used.number, sequence: used.sequence, turning_off: true }
    assert.deepStrictEqual(next, expected === "kept" ? used : gone)
  })

  it("is turned off at the provider once it has left, until that is done or somebody else has settings there", () => {
    const leave: ChatAppCommand = { _tag: "Leave", workspace_id: "w1", left_at: now }
    const left = after(after(active, written), leave)
    const turnOff = { key: "turn_off", work: { _tag: "TurnOff", number: "+254700000001" } }
    assert.deepInclude(planChatApp(left)[0], turnOff)
    assert.deepStrictEqual(planChatApp(after(left, { _tag: "TurnedOff" })), [])
    assert.deepStrictEqual(planChatApp(after(left, { ...written, workspace_id: "w2" })), [])
    const next = after(left, { _tag: "Provision", workspace_id: "w2", number: "+254700000001" })
    assert.deepStrictEqual(
      planChatApp(next).map(({ key }) => key),
      ["provision:1", "turn_off"]
    )
    assert.deepStrictEqual(planChatApp(after(active, leave)), [], "nothing was written there")
  })

  it("takes no answer to an attempt that is over", () => {
    const again = after(failed, retry)
    assert.deepStrictEqual(after(again, provisioned), again)
    assert.deepStrictEqual(after(again, refused), again)
  })

  it("is tried again by itself after 1, 6 and 24 hours while the number may not call yet, and then left", () => {
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

  it("tells customers when it works and when it failed, and audits who retried", () => {
    const told = (before: ChatApp, command: ChatAppCommand) => {
      const { events } = Result.getOrThrow(decideChatApp(before, command, now))
      const { audit, events: rows } = recordChatApp(changeOf(evolveChatApp, before, events, { uuid: () => "e" }))
      return [
        ...rows.map(({ kind, sequence }) => `${kind} ${sequence}`),
        ...audit.map(({ action_kind }) => action_kind)
      ]
    }
    assert.deepStrictEqual(told(absent, provision), [])
    assert.deepStrictEqual(told(pending, provisioned), ["chatapp.trunk_active 1"])
    assert.deepStrictEqual(told(pending, refused), ["chatapp.trunk_failed 1"])
    assert.deepStrictEqual(told(failed, retry), ["chatapp.trunk_retried"])
    const written: ChatAppCommand = {
      _tag: "SettingsWritten",
      workspace_id: "w1",
      number: "+254700000001",
      settings: initialSettings,
      origin: systemOrigin
    }
    assert.deepStrictEqual(told(active, written), ["chatapp.settings_changed 2", "chatapp.settings_changed"])
    assert.deepStrictEqual(after(active, written).trunk, active.trunk)
  })

  describe("told of a permission", () => {
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
      ["by who uses the number", used, {}, now, 1],
      ["in the second in which it began to", used, { at: now - 999 }, now, 1],
      ["again", after(used, { _tag: "PermissionReplied", reply }), {}, now, 0],
      ["before it used the number", used, { at: now - 1_000 }, now, 0],
      ["six days late", used, {}, now + 6 * day_ms, 1],
      ["seven days late", used, {}, now + 7 * day_ms, 0],
      ["where nobody uses the number", absent, {}, now, 0],
      ["where nobody uses it any more", after(used, { _tag: "Leave", workspace_id: "w1", left_at: now }), {}, now, 0]
    ] as const)("%s", (_, state, more, at, expected) => assert.strictEqual(changes(state, more, at), expected))

    it("remembers the latest, and a state that was stored before there were any is one", () => {
      let state = used
      for (let n = 0; n < 300; n++)
        state = after(state, { _tag: "PermissionReplied", reply: { ...reply, id: `m${n}` } })
      assert.lengthOf(state.heard, 200)
      assert.strictEqual(state.sequence, used.sequence + 300)
      const { heard: _, ...old } = used
      assert.deepStrictEqual(
        restoreChatApp(
          { version: 1, state: JSON.stringify(old) } as unknown as Parameters<typeof restoreChatApp>[0],
          "n1"
        ),
        used
      )
    })
  })
})
