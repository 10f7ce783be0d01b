// A credential on its way to the PBX: there when the PBX has taken it on, and as it was before when it has not.
import { Effect } from "effect"
import type { Seen } from "../../domain/credentials/CredentialRecord.ts"
import type { Credential } from "../../domain/credentials/Credentials.ts"
import { registrarCommand } from "../../domain/credentials/RegistrarCommands.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { SipConfigUnavailable, SipProvisioningFailed } from "../../domain/errors/SipCredentialErrors.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { CredentialsActor, passwordPlace } from "./CredentialsActor.ts"
import { dispatchTenantCommandNow, TenantCommandFailed } from "../pbx/DispatchCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { boundTo } from "../shared/SealedResponse.ts"

const failureOf = (error: TenantCommandFailed): Failure =>
  error.reason === "no_gateway" ? new SipConfigUnavailable() : new SipProvisioningFailed({ cause: error })

/** Has the PBX take on what is proposed, and then confirms or abandons it. */
export const makeSettle = Effect.gen(function* () {
  const directory = yield* Directory
  const system = yield* ActorSystem
  const vault = yield* Vault

  return (workspace_id: string, proposed: Credential, context: RequestContext, seen: Seen) =>
    Effect.gen(function* () {
      const workspace = yield* directory.workspace(workspace_id)
      if (workspace === undefined) return yield* new ServiceUnavailable()
      const { id, revision } = proposed
      const open = (sealed: string) => vault.open(sealed, boundTo(passwordPlace, id, workspace_id))
      const command = registrarCommand(proposed, workspace.tenant_pbx_id, open, "proposal")
      if (command === undefined) return yield* new SipProvisioningFailed()
      const abandon = (reached: boolean) =>
        system.ask(CredentialsActor, workspace_id, { _tag: "Abandon", id, revision, reached })
      yield* dispatchTenantCommandNow(system, workspace.gateway_id, command).pipe(
        Effect.catch((error) => {
          if (!(error instanceof TenantCommandFailed)) return Effect.andThen(abandon(true), Effect.fail(error))
          const reached = error.reason === "refused" || error.reason === "timeout"
          return Effect.andThen(abandon(reached), Effect.fail(failureOf(error)))
        })
      )
      const reply = yield* system.ask(CredentialsActor, workspace_id, {
        _tag: "Confirm",
        id,
        revision,
        seen,
        ...context
      })
      return reply._tag === "Shown" ? reply.record : yield* new SipProvisioningFailed()
    })
})
