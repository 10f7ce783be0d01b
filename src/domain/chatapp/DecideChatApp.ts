// What a number in the chat app allows.
import { Result } from "effect"
import { decideBy, type Rules } from "../Command.ts"
import { ChatAppNotProvisioned, ChatAppTrunkNotRetryable } from "../errors/ChatAppErrors.ts"
import { type ChatApp, type ChatAppEvent, notEligibleCode, seenBy, type Trunk, trunkRecord } from "./ChatApp.ts"
import type { ChatAppCommands } from "./ChatAppCommand.ts"
import { pendingTrunk } from "./EvolveChatApp.ts"

type ChatAppRules = Rules<ChatApp, ChatAppCommands, ChatAppEvent>

const second_ms = 1_000
const hour_ms = 3_600_000

/** Pauses before the automatic retries of a number that is not eligible yet. */
const eligibilityPauses_ms = [hour_ms, 6 * hour_ms, 24 * hour_ms] as const

/** How long the provider repeats a reply, which is also how long a temporary permission lasts. */
const replyLife_ms = 7 * 24 * hour_ms

const happened = <Reply>(event: ChatAppEvent, reply: Reply) => Result.succeed({ events: [event], reply })
const replied = <Reply>(reply: Reply) => Result.succeed({ events: [], reply })
const unchanged = replied(undefined)

const show: ChatAppRules["Show"] = (state, { workspace_id }) => {
  const { stored, trunk } = seenBy(state, workspace_id)
  return replied({ stored, trunk: trunk && trunkRecord(trunk) })
}

const provision: ChatAppRules["Provision"] = (state, { number, workspace_id }, at) => {
  const { trunk } = seenBy(state, workspace_id)
  return trunk === null
    ? happened({ _tag: "Provisioning", at, workspace_id, number }, trunkRecord(pendingTrunk(1, at)))
    : replied(trunkRecord(trunk))
}

const retry: ChatAppRules["Retry"] = (state, { origin, workspace_id }, at) => {
  const { trunk } = seenBy(state, workspace_id)
  if (trunk === null) return Result.fail(new ChatAppNotProvisioned())
  if (trunk.status === "failed")
    return happened({ _tag: "Retried", at, origin }, trunkRecord(pendingTrunk(trunk.attempts + 1, at)))
  const message = `The chat-app trunk is ${trunk.status}: only a failed one can be retried.`
  return Result.fail(new ChatAppTrunkNotRetryable({ message }))
}

const retryDue: ChatAppRules["RetryDue"] = ({ trunk }, _command, now) =>
  trunk?.status === "failed" && trunk.next_retry_at !== null && trunk.next_retry_at <= now
    ? happened({ _tag: "Retried", at: now, origin: null }, undefined)
    : unchanged

/** The result of an earlier attempt is ignored. */
const isRunning = (trunk: Trunk | null, attempt: number): boolean =>
  trunk?.status === "pending" && trunk.attempts === attempt

const provisioned: ChatAppRules["Provisioned"] = ({ trunk }, { attempt, sip_host }, at) =>
  isRunning(trunk, attempt) ? happened({ _tag: "TrunkActive", at, sip_host }, undefined) : unchanged

const failed: ChatAppRules["ProvisioningFailed"] = (state, { attempt, provider_code, reason }, at) => {
  if (!isRunning(state.trunk, attempt)) return unchanged
  const pause_ms = provider_code === notEligibleCode ? eligibilityPauses_ms[state.ineligible] : undefined
  const next_retry_at = pause_ms === undefined ? null : at + pause_ms
  return happened({ _tag: "TrunkFailed", at, reason, provider_code, next_retry_at }, undefined)
}

/**
 * Each reply counts once, and only for the workspace that used the number at that time. The provider's times are in
 * whole seconds, so a reply may seem up to a second older than it is.
 */
const permissionReplied: ChatAppRules["PermissionReplied"] = (state, { reply }, at) => {
  const isCurrent = reply.at + second_ms > state.since && reply.at > at - replyLife_ms
  return state.workspace_id !== null && isCurrent && !state.heard.includes(reply.id)
    ? happened({ _tag: "PermissionChanged", at, reply }, undefined)
    : unchanged
}

const rules: ChatAppRules = {
  Show: show,
  Provision: provision,
  Retry: retry,
  RetryDue: retryDue,
  Provisioned: provisioned,
  ProvisioningFailed: failed,
  SettingsWritten: (_state, { number, origin, settings, workspace_id }, at) =>
    happened({ _tag: "SettingsWritten", at, workspace_id, number, settings, origin }, undefined),
  PermissionReplied: permissionReplied,
  TurnedOff: ({ turning_off }, _command, at) =>
    turning_off ? happened({ _tag: "TurnedOff", at }, undefined) : unchanged,
  // The command may come late. Whoever has used the number since then keeps it, even the same workspace.
  Leave: ({ since, workspace_id }, command, at) =>
    workspace_id === command.workspace_id && since <= command.left_at
      ? happened({ _tag: "Left", at }, undefined)
      : unchanged
}

export const decideChatApp = decideBy<ChatApp, ChatAppCommands, ChatAppEvent>(() => rules)
