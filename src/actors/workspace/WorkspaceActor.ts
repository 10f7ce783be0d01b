// A workspace. Its id is the id of the workspace. PerformWorkspace.ts performs its work.
import { decideWorkspace } from "../../domain/workspace/DecideWorkspace.ts"
import { planWorkspace, type WorkspaceWork } from "../../domain/workspace/PlanWorkspace.ts"
import { recordWorkspace } from "../../domain/workspace/RecordWorkspace.ts"
import { restoreWorkspace } from "../../domain/workspace/StoredWorkspace.ts"
import { voiceSecretPlace } from "../../domain/workspace/VoiceSecret.ts"
import {
  evolveWorkspace,
  noWorkspace,
  type WorkspaceEvent,
  type WorkspaceState
} from "../../domain/workspace/Workspace.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import { createdRecord } from "../../domain/workspace/WorkspaceRecord.ts"
import { actor } from "../runtime/Definition.ts"
import { resealable } from "../runtime/Resealable.ts"
import { sealedIn } from "../shared/SealedResponse.ts"

const json = (status: number, value: unknown) => ({ status, body: JSON.stringify(value), headers: {} })

export const WorkspaceActor = resealable(
  actor<WorkspaceState, WorkspaceCommands, WorkspaceEvent, WorkspaceWork>({
    type: "Workspace",
    commands: WorkspaceCommands,
    initial: noWorkspace,
    restore: restoreWorkspace,
    decide: decideWorkspace,
    evolve: evolveWorkspace,
    plan: planWorkspace,
    record: recordWorkspace,
    answers: {
      Onboard: (record) => json(201, createdRecord(record)),
      RotateVoiceSecret: (rotation, { voice_secret }) => ({
        ...json(200, rotation),
        headers: sealedIn(voiceSecretPlace, voice_secret)
      }),
      Invite: (invitation) => json(201, invitation),
      ResendInvitation: (invitation) => json(202, invitation)
    }
  })
)

/** What the tokens of invitations are signed for. */
export const invitationPurpose = "invitation"
