// How the work of SIP credentials is done. Every piece can be done twice: its PBX commands have stable ids.
import { Effect, Layer } from "effect"
import type { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import type { Credential, Credentials } from "../../domain/credentials/Credentials.ts"
import type { CredentialsWork } from "../../domain/credentials/PlanCredentials.ts"
import { registrarCommand } from "../../domain/credentials/RegistrarCommands.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import { dispatchTenantCommand, TenantCommandFailed } from "../pbx/DispatchCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { sealContext } from "../shared/SealedResponse.ts"
import { CredentialsActor } from "./CredentialsActor.ts"
import { passwordPlace } from "./CredentialSecrets.ts"
import { traced } from "../../domain/Traced.ts"
import type { CredentialId } from "../../domain/BrandedIds.ts"

/** How many credentials are sent at once to a PBX that has come back. */
const resyncConcurrency = 32

type CredentialsSelf = Self<Credentials, CredentialsCommands>

/** Credentials that are being proposed or synced are sent to the PBX by that work instead. */
const isSettled = ({ revision, rotation, status, synced }: Credential) =>
  status === "active" && rotation === null && synced === revision

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const directory = yield* Directory
    const system = yield* ActorSystem
    const vault = yield* Vault

    const current = (self: CredentialsSelf, id: CredentialId) =>
      self.state().credentials.find((credential) => credential.id === id)

    const workspaceOf = (self: CredentialsSelf): Effect.Effect<Workspace> =>
      Effect.flatMap(directory.workspace(self.id), (workspace) =>
        workspace === undefined
          ? Effect.die(new Error(`Workspace ${self.id} has SIP credentials but is not in the directory.`))
          : Effect.succeed(workspace)
      )

    /** Brings the PBX to the current revision. A refusal is logged for the operator and not retried. */
    const provision = (
      self: CredentialsSelf,
      { gateway_id, tenant_pbx_id }: Workspace,
      id: CredentialId,
      occasion: string
    ) =>
      Effect.suspend(() => {
        const credential = current(self, id)
        const open = (sealed: string) => vault.open(sealed, sealContext(passwordPlace, id, self.id))
        const command = credential && registrarCommand(credential, tenant_pbx_id, open, occasion)
        return command === undefined ? Effect.void : dispatchTenantCommand(system, gateway_id, command)
      }).pipe(
        Effect.catch((error) => {
          if (!(error instanceof TenantCommandFailed)) return Effect.fail(error)
          return error.detail === "superseded"
            ? Effect.void
            : Effect.logWarning(`The PBX refused SIP credential ${id}: ${error.detail}`)
        })
      )

    const sync = traced("PerformCredentials.sync")(function* (
      self: CredentialsSelf,
      id: CredentialId,
      revision: number
    ) {
      yield* provision(self, yield* workspaceOf(self), id, "sync")
      yield* self.tell({ _tag: "ConfirmSync", id, revision })
    })

    const resync = traced("PerformCredentials.resync")(function* (self: CredentialsSelf, epoch: number) {
      const workspace = yield* workspaceOf(self)
      yield* Effect.forEach(
        self.state().credentials.map(({ id }) => id),
        (id) =>
          Effect.suspend(() => {
            const credential = current(self, id)
            return credential !== undefined && isSettled(credential)
              ? provision(self, workspace, id, `e${epoch}`)
              : Effect.void
          }),
        { concurrency: resyncConcurrency, discard: true }
      )
      yield* self.tell({ _tag: "FinishResync", epoch })
    })

    const perform: Perform<Credentials, CredentialsCommands, CredentialsWork> = (work, self) =>
      retryWithBackoff(work._tag === "Sync" ? sync(self, work.id, work.revision) : resync(self, work.epoch))

    yield* system.register(CredentialsActor, perform)
  })
)
