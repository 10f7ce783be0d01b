import { Context, Effect, Layer } from "effect"
import { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Registrations } from "../../domain/ports/pbx/Registrations.ts"
import { registersTooOften } from "../../domain/trunks/RegistrationRate.ts"
import { TrunkCommands } from "../../domain/trunks/TrunkCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { IngestOutcome } from "./IngestOutcome.ts"
import { numberOfTrunk } from "../../domain/chatapp/ChatApp.ts"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

/** Finds the extension of a device user. */
const makeExtensionOf =
  (directory: Directory["Service"]) =>
  (workspace_id: WorkspaceId, username = "") =>
    Effect.map(directory.extensions(workspace_id), ({ byUsername }) => byUsername.get(username))

const failed = () => Effect.succeed<IngestOutcome>("failed")

/** The state of a trunk: the workspace's own, or that of the chat app's provider. */
const reportTrunks =
  (system: ActorSystem["Service"]) =>
  (workspace_id: WorkspaceId, { data, occurred_at }: PbxEvent): Effect.Effect<IngestOutcome> => {
    const { reachable, reason, trunk_id } = data
    if (trunk_id === undefined || reachable === undefined) return Effect.succeed("ignored_late")
    const number_id = numberOfTrunk(trunk_id)
    const told =
      number_id === undefined
        ? system.ask(TrunkCommands.Report, workspace_id, {
            pbx_trunk_id: trunk_id,
            reachable,
            sip_code: data.sip_code ?? null,
            registered_until: data.registered_until === undefined ? null : Date.parse(data.registered_until),
            ...(reason === registersTooOften && { withdrawn: reason }),
            at: Date.parse(occurred_at)
          })
        : system.ask(ChatAppCommands.Report, number_id, {
            workspace_id,
            trunk_id,
            reachable,
            ...(reason !== undefined && { reason })
          })
    return told.pipe(Effect.as("accepted" as const), Effect.catch(failed))
  }

/** Handles the PBX events about a tenant as a whole: the state of its trunk, registrations of its devices, attacks. */
export class TenantEvents extends Context.Service<
  TenantEvents,
  {
    /** Returns once the event is stored. */
    readonly handle: (workspace_id: WorkspaceId, event: PbxEvent) => Effect.Effect<IngestOutcome>
  }
>()("trunkline/actors/TenantEvents") {
  static readonly layer = Layer.effect(
    TenantEvents,
    Effect.gen(function* () {
      const extensionOf = makeExtensionOf(yield* Directory)
      const system = yield* ActorSystem
      const registrations = yield* Registrations

      const trunkState = reportTrunks(system)

      const registrationChanged = Effect.fnUntraced(function* (
        workspace_id: WorkspaceId,
        { data, occurred_at }: PbxEvent
      ): Effect.fn.Return<IngestOutcome> {
        const extension = yield* extensionOf(workspace_id, data.username)
        if (extension === undefined || data.contact === undefined) return "ignored_late"
        const report = {
          workspace_id,
          credential_id: extension.credential_id,
          contact: data.contact,
          user_agent: data.user_agent ?? null,
          transport: data.transport ?? null,
          expires_at: data.registration === "registered" ? Date.parse(data.expires_at ?? occurred_at) : null,
          occurred_at: Date.parse(occurred_at)
        }
        return yield* registrations.note(report).pipe(Effect.as("accepted" as const), Effect.catch(failed))
      })

      const registrationAttacked = Effect.fnUntraced(function* (
        workspace_id: WorkspaceId,
        { data, occurred_at }: PbxEvent
      ): Effect.fn.Return<IngestOutcome> {
        const { addresses = [], attempts, since, username } = data
        const extension = yield* extensionOf(workspace_id, username)
        if (extension === undefined || attempts === undefined || since === undefined) return "ignored_late"
        const report = {
          id: extension.credential_id,
          attempts,
          since: Date.parse(since),
          addresses,
          at: Date.parse(occurred_at)
        }
        return yield* system
          .ask(CredentialsCommands.ReportAttack, workspace_id, report)
          .pipe(Effect.as("accepted" as const), Effect.catch(failed))
      })

      return TenantEvents.of({
        handle: (workspace_id, event) => {
          switch (event.type) {
            case "registration.changed":
              return registrationChanged(workspace_id, event)
            case "registration.attacked":
              return registrationAttacked(workspace_id, event)
            default:
              return trunkState(workspace_id, event)
          }
        }
      })
    })
  )

  /** For an engine without credentials and trunks: their events are ignored. */
  static readonly none = Layer.succeed(TenantEvents)({ handle: () => Effect.succeed("ignored_late") })
}
