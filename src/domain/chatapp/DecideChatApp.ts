// What a number in the chat app allows.
import { Result } from "effect"
import { decideBy, type Rules } from "../Command.ts"
import { ChatAppNotProvisioned, ChatAppTrunkNotRetryable } from "../errors/ChatAppErrors.ts"
import {
  type ChatApp,
  type ChatAppEvent,
  chatAppTrunkId,
  notEligibleCode,
  seenBy,
  type Trunk,
  trunkRecord
} from "./ChatApp.ts"
import type { ChatAppCommands } from "./ChatAppCommand.ts"
import { certificateFaultOf } from "./CertificateFault.ts"
import { pendingTrunk } from "./EvolveChatApp.ts"
import { isSince, type PermissionReply } from "./PermissionReply.ts"

type ChatAppRules = Rules<ChatApp, ChatAppCommands, ChatAppEvent>

const hour_ms = 3_600_000

/** Pauses before the automatic retries of a number that is not eligible yet. */
const eligibilityPauses_ms = [hour_ms, 6 * hour_ms, 24 * hour_ms] as const

/** Pauses before the automatic retries of a trunk that the PBX could not set up, or that did not answer. */
const unansweredPauses_ms = [hour_ms / 12, hour_ms / 2, 2 * hour_ms] as const

/** How often a trunk is probed before it counts as failed. */
const maxProbes = 3

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
  isRunning(trunk, attempt) && trunk?.stage === "provider"
    ? happened({ _tag: "TrunkAccepted", at, sip_host }, undefined)
    : unchanged

const failed: ChatAppRules["ProvisioningFailed"] = (state, { attempt, provider_code, reason }, at) => {
  if (!isRunning(state.trunk, attempt) || state.trunk?.stage !== "provider") return unchanged
  const pause_ms = provider_code === notEligibleCode ? eligibilityPauses_ms[state.ineligible] : undefined
  const next_retry_at = pause_ms === undefined ? null : at + pause_ms
  return happened({ _tag: "TrunkFailed", at, reason, provider_code, next_retry_at, unanswered: false }, undefined)
}

const isAt = ({ trunk }: ChatApp, stage: Trunk["stage"], generation: number): boolean =>
  trunk?.stage === stage && trunk.generation === generation

const unanswered = ({ unanswered }: ChatApp, reason: string, at: number) => {
  const pause_ms = unansweredPauses_ms[unanswered]
  const next_retry_at = pause_ms === undefined ? null : at + pause_ms
  return happened({ _tag: "TrunkFailed", at, reason, provider_code: null, next_retry_at, unanswered: true }, undefined)
}

const notReached = (state: ChatApp, at: number) =>
  state.trunk !== null && state.trunk.probe < maxProbes
    ? happened({ _tag: "ProbeRepeated", at }, undefined)
    : unanswered(state, "The SIP host of the chat-app provider did not answer.", at)

const report: ChatAppRules["Report"] = (state, { reachable, reason, trunk_id, workspace_id }, at) => {
  const { number_id, trunk } = seenBy(state, workspace_id)
  if (trunk?.stage !== "probing" || trunk_id !== chatAppTrunkId(number_id, trunk.generation)) return unchanged
  if (reachable) return happened({ _tag: "TrunkActive", at }, undefined)
  const fault = certificateFaultOf(reason)
  // A host that does not answer now may do so until the probe is over.
  return fault === undefined ? unchanged : unanswered(state, fault, at)
}

const findRoute: ChatAppRules["FindRoute"] = (state, { workspace_id }) => {
  const { number_id, since, stored, trunk } = seenBy(state, workspace_id)
  const trunk_id = trunk?.status === "active" ? chatAppTrunkId(number_id, trunk.generation) : null
  return replied({ trunk_id, settings: stored, since })
}

const trunkOnPbx: Pick<
  ChatAppRules,
  "ConfirmSetUp" | "FailSetUp" | "Report" | "EndProbe" | "ConfirmRemoval" | "BeginResync" | "FinishResync"
> = {
  ConfirmSetUp: (state, { generation }, at) =>
    isAt(state, "setting_up", generation) ? happened({ _tag: "TrunkSetUp", at }, undefined) : unchanged,
  FailSetUp: (state, { generation, reason }, at) =>
    isAt(state, "setting_up", generation) ? unanswered(state, reason, at) : unchanged,
  Report: report,
  EndProbe: (state, { generation, probe }, at) =>
    isAt(state, "probing", generation) && state.trunk?.probe === probe ? notReached(state, at) : unchanged,
  ConfirmRemoval: ({ removing }, { trunk_id }) =>
    removing.some((each) => each.trunk_id === trunk_id)
      ? happened({ _tag: "Removed", trunk_id }, undefined)
      : unchanged,
  // Not "greater": another gateway, whose epochs are its own, may carry the workspace now.
  BeginResync: ({ returned_epoch, trunk }, { epoch }) =>
    epoch !== returned_epoch && trunk !== null ? happened({ _tag: "ResyncBegan", epoch }, undefined) : unchanged,
  FinishResync: ({ returned_epoch }, { epoch }) =>
    epoch === returned_epoch ? happened({ _tag: "ResyncFinished", epoch }, undefined) : unchanged
}

/** Each reply counts once, and only for the workspace that used the number at that time. */
const permissionReplied: ChatAppRules["PermissionReplied"] = (state, { reply }, at) =>
  permittedBy(state, reply, at) !== null && !state.heard.includes(reply.id)
    ? happened({ _tag: "PermissionChanged", at, reply }, undefined)
    : unchanged

const permittedBy = ({ since, workspace_id }: ChatApp, reply: PermissionReply, at: number) =>
  isSince(reply.at, since) && reply.at > at - replyLife_ms ? workspace_id : null

const rules: ChatAppRules = {
  Show: show,
  Provision: provision,
  Retry: retry,
  RetryDue: retryDue,
  FindRoute: findRoute,
  Provisioned: provisioned,
  ProvisioningFailed: failed,
  ...trunkOnPbx,
  FindPermitted: (state, { reply }, at) => replied(permittedBy(state, reply, at)),
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
