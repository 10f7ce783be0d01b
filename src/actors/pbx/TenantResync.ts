import { Context, Effect, Layer } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { GatewayTenants } from "../../domain/ports/GatewayTenants.ts"
import { CredentialsActor } from "../credentials/CredentialsActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { TrunkActor } from "../trunks/TrunkActor.ts"

/** How many tenants are told at once. */
const concurrency = 32

/**
 * Tells the tenants of a gateway that it has connected again. A PBX that restarted has lost its registrations and trunks,
 * so every tenant with credentials or a trunk sends them again.
 */
export class TenantResync extends Context.Service<
  TenantResync,
  {
    /** `epoch` numbers the gateway's connections. Repeating an epoch has no effect. */
    readonly resync: (gateway_id: string, epoch: number) => Effect.Effect<void, Failure | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/TenantResync") {
  static readonly layer = Layer.effect(
    TenantResync,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const tenants = yield* GatewayTenants
      return TenantResync.of({
        resync: Effect.fn("TenantResync.resync")(function* (gateway_id, epoch) {
          yield* Effect.forEach(
            yield* tenants.provisioned(gateway_id),
            (workspace_id) =>
              Effect.andThen(
                system.ask(CredentialsActor, workspace_id, { _tag: "GatewayReturned", epoch }),
                system.ask(TrunkActor, workspace_id, { _tag: "GatewayReturned", epoch })
              ),
            { concurrency, discard: true }
          )
        })
      })
    })
  )

  /** For an engine without credentials and trunks. */
  static readonly none = Layer.succeed(TenantResync)({ resync: () => Effect.void })
}
