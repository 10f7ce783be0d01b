// The PBX gateways, for operators.
import { Context, Effect, Layer } from "effect"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { GatewayCommands } from "../../domain/pbx/GatewayCommand.ts"
import { gatewayRecord, type GatewayRecord } from "../../domain/pbx/GatewayRecord.ts"
import { GatewayTenants } from "../../domain/ports/pbx/GatewayTenants.ts"
import { traced } from "../../domain/Traced.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

export class Gateways extends Context.Service<
  Gateways,
  {
    /** Every gateway that carries a workspace or has ever connected, by its id. */
    readonly list: () => Effect.Effect<ReadonlyArray<GatewayRecord>, ReadFailed | NotCommitted>
  }
>()("trunkline/actors/Gateways") {
  static readonly layer = Layer.effect(
    Gateways,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const tenants = yield* GatewayTenants
      return Gateways.of({
        list: traced("Gateways.list")(function* () {
          return yield* Effect.forEach(
            yield* tenants.all,
            (gateway) =>
              Effect.map(system.ask(GatewayCommands.GetPresence, gateway.gateway_id, {}), (presence) =>
                gatewayRecord(gateway, presence)
              ),
            { concurrency: 16 }
          )
        })
      })
    })
  )
}
