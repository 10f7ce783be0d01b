// What a PBX holds of tenants, from both sides: who is told when a gateway comes back, and where its reports go.
import { Effect, Layer } from "effect"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { GatewayTenants } from "../../domain/ports/GatewayTenants.ts"
import { Registrations } from "../../domain/ports/Registrations.ts"
import { CredentialsActor } from "../credentials/CredentialsActor.ts"
import { GatewayReturns } from "./GatewayActor.ts"
import { type Outcome, TenantEvents } from "../ingest/PbxIngest.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { TrunkActor } from "../trunks/TrunkActor.ts"

const toldTogether = 32

/** The PBX may have lost its memory: everybody with something in it puts it there again. */
export const resyncTenants = Layer.effect(
  GatewayReturns,
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const tenants = yield* GatewayTenants
    return (gateway_id: string, epoch: number) =>
      Effect.flatMap(tenants.provisioned(gateway_id), (workspace_ids) =>
        Effect.forEach(
          workspace_ids,
          (workspace_id) =>
            Effect.andThen(
              system.ask(CredentialsActor, workspace_id, { _tag: "GatewayReturned", epoch }),
              system.ask(TrunkActor, workspace_id, { _tag: "GatewayReturned", epoch })
            ),
          { concurrency: toldTogether, discard: true }
        )
      )
  })
)

export const tenantEvents = Layer.effect(
  TenantEvents,
  Effect.gen(function* () {
    const directory = yield* Directory
    const system = yield* ActorSystem
    const registrations = yield* Registrations

    const registered = (workspace_id: string, { data, occurred_at }: PbxEvent): Effect.Effect<Outcome> =>
      Effect.gen(function* () {
        const extension = (yield* directory.extensions(workspace_id)).find(({ username }) => username === data.username)
        if (extension === undefined || data.contact === undefined) return "ignored_late" as const
        const at = Date.parse(occurred_at)
        yield* registrations.note({
          workspace_id,
          credential_id: extension.credential_id,
          contact: data.contact,
          user_agent: data.user_agent ?? null,
          transport: data.transport ?? null,
          expires_at: data.registration === "registered" ? Date.parse(data.expires_at ?? occurred_at) : null,
          occurred_at: at
        })
        return "accepted" as const
      }).pipe(Effect.catch(() => Effect.succeed<Outcome>("failed")))

    const trunkState = (workspace_id: string, { data, occurred_at }: PbxEvent): Effect.Effect<Outcome> =>
      data.trunk_id === undefined || data.reachable === undefined
        ? Effect.succeed("ignored_late")
        : system
            .ask(TrunkActor, workspace_id, {
              _tag: "Report",
              pbx_trunk_id: data.trunk_id,
              reachable: data.reachable,
              sip_code: data.sip_code ?? null,
              registered_until: data.registered_until === undefined ? null : Date.parse(data.registered_until),
              at: Date.parse(occurred_at)
            })
            .pipe(
              Effect.as("accepted" as const),
              Effect.catch(() => Effect.succeed<Outcome>("failed"))
            )

    return (workspace_id: string, event: PbxEvent): Effect.Effect<Outcome> =>
      event.type === "registration.changed" ? registered(workspace_id, event) : trunkState(workspace_id, event)
  })
)
