import { Context, Effect, Layer } from "effect"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { GatewayTenants } from "../../domain/ports/pbx/GatewayTenants.ts"
import { TrunkCommands } from "../../domain/trunks/TrunkCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { traced } from "../../domain/Traced.ts"
import type { GatewayId } from "../../domain/BrandedIds.ts"

/** How many tenants are notified at a time. */
const concurrency = 32

/**
 * Tells the tenants of a gateway that it has connected again. A PBX that restarted has lost its registrations and
 * trunks, so every tenant with credentials or a trunk sends them again.
 */
export class TenantResync extends Context.Service<
  TenantResync,
  {
    /** `epoch` numbers the gateway's connections. Repeating an epoch has no effect. */
    readonly resync: (gateway_id: GatewayId, epoch: number) => Effect.Effect<void, NotCommitted | ReadFailed>
  }
>()("trunkline/actors/TenantResync") {
  static readonly layer = Layer.effect(
    TenantResync,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const tenants = yield* GatewayTenants
      return TenantResync.of({
        resync: traced("TenantResync.resync")(function* (gateway_id, epoch) {
          yield* Effect.forEach(
            yield* tenants.provisioned(gateway_id),
            (workspace_id) =>
              Effect.andThen(
                system.ask(CredentialsCommands.BeginResync, workspace_id, { epoch }),
                system.ask(TrunkCommands.BeginResync, workspace_id, { epoch })
              ),
            { concurrency, discard: true }
          )
          yield* Effect.forEach(
            yield* tenants.chatAppNumbers(gateway_id),
            (number_id) => system.ask(ChatAppCommands.BeginResync, number_id, { epoch }),
            { concurrency, discard: true }
          )
        })
      })
    })
  )

  /** For an engine without credentials and trunks. */
  static readonly none = Layer.succeed(TenantResync)({ resync: () => Effect.void })
}
