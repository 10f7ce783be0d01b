// A workspace: its facts, its members and its choices. Its id is the workspace's. What it has under way is in WorkspaceWorks.ts.
import { Schema } from "effect"
import { decideWorkspace } from "../domain/workspace/DecideWorkspace.ts"
import { planWorkspace, type WorkspaceWork } from "../domain/workspace/PlanWorkspace.ts"
import { recordWorkspace, restoreWorkspace } from "../domain/workspace/RecordWorkspace.ts"
import { evolveWorkspace, noWorkspace, type WorkspaceEvent, type WorkspaceState } from "../domain/workspace/Workspace.ts"
import { WorkspaceCommand, WorkspaceReply } from "../domain/workspace/WorkspaceCommand.ts"
import type { Definition } from "./runtime/Definition.ts"

export const WorkspaceActor: Definition<WorkspaceState, WorkspaceCommand, WorkspaceEvent, WorkspaceReply, WorkspaceWork> = {
  type: "Workspace",
  initial: noWorkspace,
  restore: restoreWorkspace,
  decide: decideWorkspace,
  evolve: evolveWorkspace,
  plan: planWorkspace,
  record: recordWorkspace,
  answer: (command, reply) => ({
    status: command._tag === "Invite" ? 201 : 202,
    body: JSON.stringify(reply._tag === "Invitation" ? reply.invitation : {}),
    headers: {}
  }),
  wire: { command: WorkspaceCommand, reply: WorkspaceReply, notice: Schema.Never }
}

/** What the tokens of invitations are signed for. */
export const invitation_purpose = "invitation"
