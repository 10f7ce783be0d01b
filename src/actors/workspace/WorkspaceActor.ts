// A workspace: its facts, its members and its choices. Its id is the workspace's. What it has under way is in PerformWorkspace.ts.
import { Schema } from "effect"
import { decideWorkspace } from "../../domain/workspace/DecideWorkspace.ts"
import { planWorkspace, type WorkspaceWork } from "../../domain/workspace/PlanWorkspace.ts"
import { recordWorkspace, restoreWorkspace } from "../../domain/workspace/RecordWorkspace.ts"
import { voiceSecretPlace } from "../../domain/workspace/VoiceSecret.ts"
import {
  evolveWorkspace,
  noWorkspace,
  type WorkspaceEvent,
  type WorkspaceState
} from "../../domain/workspace/Workspace.ts"
import { WorkspaceCommand, WorkspaceReply } from "../../domain/workspace/WorkspaceCommand.ts"
import { madeRecord } from "../../domain/workspace/WorkspaceRecord.ts"
import { resealable } from "../runtime/Resealable.ts"
import type { Answer, Definition } from "../runtime/Definition.ts"
import { sealedIn } from "../shared/SealedResponse.ts"

/** The kept answers of a new workspace, of invitations, and of a new voice secret, which stays sealed in it. */
const answer = (command: WorkspaceCommand, reply: WorkspaceReply): Answer => {
  if (command._tag === "RotateVoiceSecret" && reply._tag === "VoiceSecretRotated") {
    return {
      status: 200,
      body: JSON.stringify(reply.rotation),
      headers: sealedIn(voiceSecretPlace, command.voice_secret)
    }
  }
  if (reply._tag === "Shown") return { status: 201, body: JSON.stringify(madeRecord(reply.record)), headers: {} }
  const body = JSON.stringify(reply._tag === "Invitation" ? reply.invitation : {})
  return { status: command._tag === "Invite" ? 201 : 202, body, headers: {} }
}

export const WorkspaceActor: Definition<
  WorkspaceState,
  WorkspaceCommand,
  WorkspaceEvent,
  WorkspaceReply,
  WorkspaceWork
> = resealable({
  type: "Workspace",
  initial: noWorkspace,
  restore: restoreWorkspace,
  decide: decideWorkspace,
  evolve: evolveWorkspace,
  plan: planWorkspace,
  record: recordWorkspace,
  answer,
  wire: { command: WorkspaceCommand, reply: WorkspaceReply, notice: Schema.Never }
})

/** What the tokens of invitations are signed for. */
export const invitation_purpose = "invitation"
