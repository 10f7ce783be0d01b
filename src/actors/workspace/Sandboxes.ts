// The sandboxes of workspaces: made when they are first needed, and by the plan of the workspace after a crash.
import { Context, Effect, Layer, Schedule } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { NoWorkspace } from "../../domain/errors/AuthErrors.ts"
import { type NotFound, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { traced } from "../../domain/Traced.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { sandboxGatewayId, sandboxIdOf } from "../../domain/kit/Sandbox.ts"
import { voiceSecretBound } from "../../domain/workspace/VoiceSecret.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** Makes a sandbox, whose plan opens its wallet, and returns its id. A repetition changes nothing. */
export const makeFoundSandbox = Effect.gen(function* () {
  const ids = yield* Ids
  const system = yield* ActorSystem
  const vault = yield* Vault
  return traced("Sandboxes.found")(function* (
    sandbox_of: WorkspaceId,
    { currency, name }: { readonly name: string; readonly currency: Currency }
  ) {
    const id = sandboxIdOf(ids.named, sandbox_of)
    yield* system.ask(WorkspaceCommands.Onboard, id, {
      name,
      currency,
      tenant_pbx_id: id,
      gateway_id: sandboxGatewayId,
      voice_secret: vault.seal(vault.newSecret(), voiceSecretBound(id)),
      sandbox_of
    })
    return id
  })
})

export class Sandboxes extends Context.Service<
  Sandboxes,
  {
    /** The sandbox of a live workspace. It is made if it does not exist; then this returns once it can be used. */
    readonly of: (
      workspace_id: WorkspaceId
    ) => Effect.Effect<WorkspaceId, NoWorkspace | NotFound | AccountSuspended | ServiceUnavailable | NotCommitted>
  }
>()("trunkline/actors/Sandboxes") {
  static readonly layer = Layer.effect(
    Sandboxes,
    Effect.gen(function* () {
      const directory = yield* Directory
      const ids = yield* Ids
      const system = yield* ActorSystem
      const found = yield* makeFoundSandbox

      /** Before its onboarding ends, it may have no wallet, no money and no number. */
      const isUsable = (sandbox: Workspace | undefined) => sandbox !== undefined && sandbox.status !== "onboarding"

      /** Its plan needs a moment, and the directory learns of a workspace a moment after it was stored. */
      const isListed = (id: WorkspaceId) =>
        Effect.filterOrFail(directory.workspace(id), isUsable, () => new ServiceUnavailable()).pipe(
          Effect.retry(Schedule.spaced("20 millis").pipe(Schedule.upTo({ duration: "10 seconds" })))
        )

      const make = traced("Sandboxes.make")(function* (workspace_id: WorkspaceId) {
        const { currency, name } = yield* system.ask(WorkspaceCommands.WantSandbox, workspace_id, {})
        // Its onboarding has not ended: it has no wallet, and neither can its sandbox.
        if (currency === null) return yield* new NoWorkspace({ message: "The workspace has no currency yet." })
        const id = yield* found(workspace_id, { name, currency })
        yield* isListed(id)
        return id
      })

      return Sandboxes.of({
        of: (workspace_id) => {
          const id = sandboxIdOf(ids.named, workspace_id)
          return Effect.flatMap(directory.workspace(id), (sandbox) =>
            isUsable(sandbox) ? Effect.succeed(id) : make(workspace_id)
          )
        }
      })
    })
  )
}
