import { Effect } from "effect"
import { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import type { DeviceStatus } from "../../domain/credentials/CredentialRecord.ts"
import type { Credential } from "../../domain/credentials/Credentials.ts"
import { registrarCommand } from "../../domain/credentials/RegistrarCommands.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { SipConfigUnavailable, SipProvisioningFailed } from "../../domain/errors/SipCredentialErrors.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { dispatchTenantCommandNow, TenantCommandFailed } from "../pbx/DispatchCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { sealContext } from "../shared/SealedResponse.ts"
import { passwordPlace } from "./CredentialSecrets.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

const failureOf = (error: TenantCommandFailed): SipConfigUnavailable | SipProvisioningFailed =>
  error.reason === "no_gateway" ? new SipConfigUnavailable() : new SipProvisioningFailed({ cause: error })

/**
 * Provisions a proposed credential or rotation on the PBX, then confirms it. If the PBX does not accept it, the
 * proposal is abandoned, so that everything is as it was before.
 */
export const makeProvisionProposal = Effect.gen(function* () {
  const directory = yield* Directory
  const system = yield* ActorSystem
  const vault = yield* Vault

  return Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    proposed: Credential,
    context: RequestContext,
    seen: DeviceStatus
  ) {
    const workspace = yield* directory.workspace(workspace_id)
    if (workspace === undefined) return yield* new ServiceUnavailable()
    const { id, revision } = proposed
    const open = (sealed: string) => vault.open(sealed, sealContext(passwordPlace, id, workspace_id))
    const command = registrarCommand(proposed, workspace.tenant_pbx_id, open, "proposal")
    if (command === undefined) return yield* new SipProvisioningFailed()
    const abandon = (reached: boolean) =>
      system.ask(CredentialsCommands.Abandon, workspace_id, { id, revision, reached })
    yield* dispatchTenantCommandNow(system, workspace.gateway_id, command).pipe(
      Effect.catch((error) => {
        const isRefusal = error instanceof TenantCommandFailed
        const reached = !isRefusal || error.reason === "refused" || error.reason === "timeout"
        return Effect.andThen(abandon(reached), Effect.fail(isRefusal ? failureOf(error) : error))
      })
    )
    const { record } = yield* system.ask(CredentialsCommands.Confirm, workspace_id, { id, revision, seen, ...context })
    return record
  })
})
