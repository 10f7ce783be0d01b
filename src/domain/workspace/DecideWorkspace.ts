// What a workspace allows. One actor decides all commands in order, so of two conflicting ones only the first succeeds.
import { Result } from "effect"
import type { Origin } from "../access/Origin.ts"
import { policyOf } from "../calls/policy/CallingPolicy.ts"
import { beyondCeilings, ceilingsOf, withinCeilings } from "../calls/policy/PolicyCeilings.ts"
import { exceedsCeiling } from "../calls/policy/SpendCeiling.ts"
import { allBut, decideByPresence, refuse, type Rules } from "../Command.ts"
import { AccountSuspended } from "../errors/AccountErrors.ts"
import { BadRequest, NotFound } from "../errors/GeneralErrors.ts"
import { WorkspaceLockedToByoc, WorkspaceLockedToPlatformNumbers } from "../errors/TrunkErrors.ts"
import { memberRules } from "./DecideMembers.ts"
import {
  type AbsentWorkspace,
  type ChangeEvent,
  changeFacts,
  founded,
  isPresent,
  isShut,
  type PresentWorkspace,
  type WorkspaceEvent
} from "./Workspace.ts"
import { instantOrNull } from "../kit/Instants.ts"
import { sandboxGatewayId } from "../kit/Sandbox.ts"
import { WorkspaceCommands } from "./WorkspaceCommand.ts"
import { recordOfWorkspace } from "./WorkspaceRecord.ts"

type AbsentRules = Rules<AbsentWorkspace, WorkspaceCommands, WorkspaceEvent>
type PresentRules = Rules<PresentWorkspace, WorkspaceCommands, WorkspaceEvent>

const closed = () => refuse(new AccountSuspended({ message: "The workspace is closed." }))

const onboard: AbsentRules["Onboard"] = ({ id }, { _tag, idempotency: _, ...founding }, at) =>
  Result.succeed({
    events: [{ _tag: "Founded", at, founding }],
    reply: recordOfWorkspace(id, founded(founding, at))
  })

/** The events, and the workspace after them as the reply. */
const shown = ({ facts, id }: PresentWorkspace, ...events: ReadonlyArray<ChangeEvent>) =>
  Result.succeed({ events, reply: recordOfWorkspace(id, events.reduce(changeFacts, facts)) })

const done = (...events: ReadonlyArray<ChangeEvent>) => Result.succeed({ events, reply: undefined })

const walletOpened: PresentRules["WalletOpened"] = ({ facts: { status, status_before } }) =>
  status === "onboarding" || status_before === "onboarding" ? done({ _tag: "WalletOpened" }) : done()

/** `who` sets the ceilings. */
const aboveCeilings = (who: string, beyond: ReturnType<typeof beyondCeilings>) => {
  const details = beyond.map(({ ceiling, member }) => ({
    field: `/${member}`,
    code: "out_of_range",
    message: `${who} allows a ${member} of at most ${ceiling}.`
  }))
  return new BadRequest({
    message: details.map(({ message }) => message).join(" "),
    details,
    resolution: "Send a lower value, or ask the operator of the platform for more."
  })
}

const changePolicy: PresentRules["ChangePolicy"] = ({ facts }, { max_daily_spend_minor = {}, origin, policy }, at) => {
  const ceiling_minor = max_daily_spend_minor[facts.currency]
  if (ceiling_minor !== undefined && exceedsCeiling(policy, ceiling_minor))
    return refuse(aboveCeilings("The platform", [{ member: "daily_spend_limit_minor", ceiling: ceiling_minor }]))
  const beyond = beyondCeilings(facts.policy_ceilings ?? {}, policy)
  if (beyond.length > 0) return refuse(aboveCeilings("The operator", beyond))
  const events: ReadonlyArray<ChangeEvent> =
    Object.keys(policy).length === 0 ? [] : [{ _tag: "PolicyChanged", at, change: policy, origin }]
  return Result.succeed({ events, reply: policyOf(events.reduce(changeFacts, facts).calling_policy) })
}

const changeCeilings: PresentRules["ChangeCeilings"] = ({ facts }, { ceilings: change, origin }, at) => {
  const ceilings = { ...facts.policy_ceilings, ...change }
  const policy = withinCeilings(ceilings, policyOf(facts.calling_policy))
  const events: ReadonlyArray<ChangeEvent> =
    Object.keys(change).length === 0 ? [] : [{ _tag: "CeilingsChanged", at, change, policy, origin }]
  return Result.succeed({ events, reply: ceilingsOf(ceilings) })
}

/** Asked before a number or a trunk begins, so a closed workspace refuses it. */
const chooseNumberMode: PresentRules["ChooseNumberMode"] = ({ facts: { number_mode, status } }, { mode }) => {
  if (status === "closed") return closed()
  if (number_mode === mode) return done()
  if (number_mode === "byoc") return refuse(new WorkspaceLockedToByoc())
  if (number_mode === "platform") return refuse(new WorkspaceLockedToPlatformNumbers())
  return done({ _tag: "NumberModeChosen", mode })
}

const rotateVoiceSecret: PresentRules["RotateVoiceSecret"] = ({ id }, command, at) => {
  const { origin, previous_valid_seconds, voice_secret } = command
  const previous_expires_at = previous_valid_seconds === 0 ? null : at + previous_valid_seconds * 1_000
  return Result.succeed({
    events: [{ _tag: "VoiceSecretRotated", at, voice_secret, previous_expires_at, origin }],
    reply: {
      id,
      previous_expires_at: instantOrNull(previous_expires_at)
    }
  })
}

/** A sandbox has a network of its own, and nothing else is on it. */
const assignGateway: PresentRules["AssignGateway"] = (workspace, { gateway_id, origin }, at) => {
  const { facts } = workspace
  if (facts.status === "closed") return closed()
  if (facts.sandbox_of !== null || gateway_id === sandboxGatewayId)
    return refuse(new NotFound({ message: "A sandbox stays on the simulated network, and nothing else is on it." }))
  return facts.gateway_id === gateway_id
    ? shown(workspace)
    : shown(workspace, { _tag: "GatewayAssigned", at, gateway_id, origin })
}

const suspend: PresentRules["Suspend"] = (workspace, { origin, reason }, at) => {
  const { status } = workspace.facts
  const fault = governed(workspace, origin)
  if (fault !== undefined) return refuse(fault)
  if (status === "closed") return closed()
  return status === "suspended" ? shown(workspace) : shown(workspace, { _tag: "Suspended", at, reason, origin })
}

/** Only the workspace itself changes the status of its sandbox. */
const governed = ({ facts: { sandbox_of } }: PresentWorkspace, { actor }: Origin) =>
  sandbox_of !== null && actor.type !== "system"
    ? new AccountSuspended({ message: "A sandbox has the status of its workspace. Change that of the workspace." })
    : undefined

const wantSandbox: PresentRules["WantSandbox"] = (workspace) => {
  const { sandbox, sandbox_of, status } = workspace.facts
  if (sandbox_of !== null) return refuse(new NotFound({ message: "A sandbox has no sandbox." }))
  if (sandbox !== null) return shown(workspace)
  return status === "closed" ? closed() : shown(workspace, { _tag: "SandboxWanted" })
}

const present: PresentRules = {
  Onboard: (workspace) => shown(workspace),
  WalletOpened: walletOpened,
  Rename: (workspace, { name }) =>
    name === workspace.facts.name ? shown(workspace) : shown(workspace, { _tag: "Renamed", name }),
  SetRetention: (workspace, { retention_days }) =>
    retention_days === workspace.facts.retention_days
      ? shown(workspace)
      : shown(workspace, { _tag: "RetentionSet", retention_days }),
  ChangePolicy: changePolicy,
  ChangeCeilings: changeCeilings,
  ChooseNumberMode: chooseNumberMode,
  RotateVoiceSecret: rotateVoiceSecret,
  AssignGateway: assignGateway,
  Suspend: suspend,
  Reinstate: (workspace, { origin }, at) => {
    const fault = governed(workspace, origin)
    if (fault !== undefined) return refuse(fault)
    return workspace.facts.status === "suspended"
      ? shown(workspace, { _tag: "Reinstated", at, origin })
      : shown(workspace)
  },
  Close: (workspace, { origin }, at) => {
    const fault = governed(workspace, origin)
    if (fault !== undefined) return refuse(fault)
    return workspace.facts.status === "closed" ? shown(workspace) : shown(workspace, { _tag: "Closed", at, origin })
  },
  WantSandbox: wantSandbox,
  SandboxGoverned: ({ facts: { sandbox } }, { name, status }) =>
    sandbox === null || (sandbox.status === status && sandbox.name === name)
      ? done()
      : done({ _tag: "SandboxGoverned", status, name }),
  ClosingFinished: ({ facts: { status, wound_up } }) =>
    status === "closed" && !wound_up ? done({ _tag: "ClosingFinished" }) : done(),
  ChangeMember: ({ facts }, command, at) => memberRules.ChangeMember(facts, command, at),
  RemoveMember: ({ facts }, command, at) => memberRules.RemoveMember(facts, command, at),
  Invite: ({ facts }, command, at) => memberRules.Invite(facts, command, at),
  RevokeInvitation: ({ facts }, command, at) => memberRules.RevokeInvitation(facts, command, at),
  ResendInvitation: ({ facts }, command, at) => memberRules.ResendInvitation(facts, command, at),
  InvitationMailed: ({ facts }, command, at) => memberRules.InvitationMailed(facts, command, at),
  // The person is not a member yet, so no middleware has checked the status of the workspace.
  AcceptInvitation: ({ facts }, command, at) =>
    isShut(facts.status) ? refuse(new AccountSuspended()) : memberRules.AcceptInvitation(facts, command, at)
}

const notFound = () => refuse(new NotFound({ message: "There is no such workspace." }))

export const decideWorkspace = decideByPresence<AbsentWorkspace, PresentWorkspace, WorkspaceCommands, WorkspaceEvent>({
  isPresent,
  absent: { Onboard: onboard, ...allBut(WorkspaceCommands, ["Onboard"], notFound) },
  present
})
