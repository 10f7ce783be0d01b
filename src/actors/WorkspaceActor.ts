// A workspace: its facts, its members and its choices. Its id is the workspace's.
import { Effect, Layer, Schema } from "effect"
import { decideWorkspace } from "../domain/workspace/DecideWorkspace.ts"
import { planWorkspace, type WorkspaceWork } from "../domain/workspace/PlanWorkspace.ts"
import { recordWorkspace, restoreWorkspace } from "../domain/workspace/RecordWorkspace.ts"
import { evolveWorkspace, noWorkspace, type WorkspaceEvent, type WorkspaceState } from "../domain/workspace/Workspace.ts"
import { WorkspaceCommand, WorkspaceReply } from "../domain/workspace/WorkspaceCommand.ts"
import { ActorSystem } from "./runtime/ActorSystem.ts"
import { retrying } from "./Retrying.ts"
import type { Definition, Perform } from "./runtime/Definition.ts"
import { WalletActor } from "./WalletActor.ts"

export const WorkspaceActor: Definition<WorkspaceState, WorkspaceCommand, WorkspaceEvent, WorkspaceReply, WorkspaceWork> = {
  type: "Workspace",
  initial: noWorkspace,
  restore: restoreWorkspace,
  decide: decideWorkspace,
  evolve: evolveWorkspace,
  plan: planWorkspace,
  record: recordWorkspace,
  wire: { command: WorkspaceCommand, reply: WorkspaceReply, notice: Schema.Never }
}

export const layer = Layer.effectDiscard(Effect.gen(function*() {
  const system = yield* ActorSystem
  const perform: Perform<WorkspaceState, WorkspaceCommand, WorkspaceReply, WorkspaceWork> = ({ currency }, self) =>
    retrying(Effect.andThen(
      system.ask(WalletActor, self.id, { _tag: "Open", currency }),
      self.tell({ _tag: "WalletOpened" })
    )).pipe(Effect.asVoid)
  yield* system.register(WorkspaceActor, perform)
}))
