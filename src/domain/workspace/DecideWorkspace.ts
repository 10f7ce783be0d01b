// What a workspace allows. One owner decides in order, so of two that cross only one can win.
import { Result } from "effect"
import { policyOf } from "../calls/CallingPolicy.ts"
import type { Decided } from "../Decision.ts"
import type { Failure } from "../errors/Failure.ts"
import { AccountSuspended } from "../errors/AccountErrors.ts"
import { NotFound } from "../errors/GeneralErrors.ts"
import { WorkspaceLockedToByoc, WorkspaceLockedToPlatformNumbers } from "../errors/TrunkErrors.ts"
import { decideMembers } from "./DecideMembers.ts"
import { evolveWorkspace, isShut, type Kept, type WorkspaceEvent, type WorkspaceState } from "./Workspace.ts"
import type { WorkspaceCommand, WorkspaceReply } from "./WorkspaceCommand.ts"
import { recordOfWorkspace } from "./WorkspaceRecord.ts"

type Answer = Decided<WorkspaceEvent, WorkspaceReply>
type CommandOf<Tag extends WorkspaceCommand["_tag"]> = Extract<WorkspaceCommand, { readonly _tag: Tag }>

const granted: Answer = Result.succeed({ events: [], reply: { _tag: "Granted" } })
const refused = (failure: Failure): Answer => Result.fail(failure)

/** The events, and the workspace as it is after them. */
const shown = (state: WorkspaceState, ...events: ReadonlyArray<WorkspaceEvent>): Answer => {
  const { id, kept } = events.reduce(evolveWorkspace, state)
  return Result.succeed({ events, reply: { _tag: "Shown", record: recordOfWorkspace(id, kept!) } })
}

const changePolicy = (state: WorkspaceState, { origin, policy }: CommandOf<"ChangePolicy">, at: number): Answer => {
  const events: ReadonlyArray<WorkspaceEvent> =
    Object.keys(policy).length === 0 ? [] : [{ _tag: "PolicyChanged", at, change: policy, origin }]
  const { kept } = events.reduce(evolveWorkspace, state)
  return Result.succeed({ events, reply: { _tag: "Policy", policy: policyOf(kept!.calling_policy) } })
}

const closedRefusal = new AccountSuspended({ message: "The workspace is closed." })

/** Nothing begins in a workspace that has been closed: what is asked for here comes before a number or a trunk. */
const chooseNumberMode = ({ number_mode, status }: Kept, { mode }: CommandOf<"ChooseNumberMode">): Answer => {
  if (status === "closed") return refused(closedRefusal)
  if (number_mode === mode) return granted
  if (number_mode === "byoc") return refused(new WorkspaceLockedToByoc())
  if (number_mode === "platform") return refused(new WorkspaceLockedToPlatformNumbers())
  return Result.succeed({ events: [{ _tag: "NumberModeChosen", mode }], reply: { _tag: "Granted" } })
}

const rotateVoiceSecret = ({ id }: WorkspaceState, command: CommandOf<"RotateVoiceSecret">, at: number): Answer => {
  const { origin, previous_valid_seconds, voice_secret } = command
  const previous_expires_at = previous_valid_seconds === 0 ? null : at + previous_valid_seconds * 1_000
  const rotation = {
    id,
    previous_expires_at: previous_expires_at === null ? null : new Date(previous_expires_at).toISOString()
  }
  return Result.succeed({
    events: [{ _tag: "VoiceSecretRotated", at, voice_secret, previous_expires_at, origin }],
    reply: { _tag: "VoiceSecretRotated", rotation }
  })
}

const suspend = (
  state: WorkspaceState,
  { status }: Kept,
  { origin, reason }: CommandOf<"Suspend">,
  at: number
): Answer => {
  if (status === "closed") return refused(closedRefusal)
  return status === "suspended" ? shown(state) : shown(state, { _tag: "Suspended", at, reason, origin })
}

export const decideWorkspace = (state: WorkspaceState, command: WorkspaceCommand, now: number): Answer => {
  const { kept } = state
  if (kept === null) {
    if (command._tag !== "Onboard") return refused(new NotFound({ message: "There is no such workspace." }))
    const { _tag, idempotency: _, ...founding } = command
    return shown(state, { _tag: "Founded", at: now, founding })
  }
  switch (command._tag) {
    case "Onboard":
      return shown(state)
    case "WalletOpened":
      return kept.status === "onboarding" || kept.status_before === "onboarding"
        ? shown(state, { _tag: "WalletOpened" })
        : shown(state)
    case "Rename":
      return command.name === kept.name ? shown(state) : shown(state, { _tag: "Renamed", name: command.name })
    case "SetRetention": {
      const { retention_days } = command
      return retention_days === kept.retention_days
        ? shown(state)
        : shown(state, { _tag: "RetentionSet", retention_days })
    }
    case "ChangePolicy":
      return changePolicy(state, command, now)
    case "ChooseNumberMode":
      return chooseNumberMode(kept, command)
    case "RotateVoiceSecret":
      return rotateVoiceSecret(state, command, now)
    case "Suspend":
      return suspend(state, kept, command, now)
    case "Reinstate":
      return kept.status === "suspended"
        ? shown(state, { _tag: "Reinstated", at: now, origin: command.origin })
        : shown(state)
    case "Close":
      return kept.status === "closed" ? shown(state) : shown(state, { _tag: "Closed", at: now, origin: command.origin })
    case "WoundUp":
      return kept.status === "closed" && !kept.wound_up ? shown(state, { _tag: "WoundUp" }) : shown(state)
    case "AcceptInvitation":
      // Who accepts is not of the workspace yet, so nobody has looked at its status.
      return isShut(kept.status) ? refused(new AccountSuspended()) : decideMembers(kept, command, now)
    default:
      return decideMembers(kept, command, now)
  }
}
