// Having a gateway carry out a command about a tenant, and hearing whether it did.
import { Data, Effect } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { TenantCommand } from "../../domain/pbx/TenantCommand.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { GatewayActor } from "./GatewayActor.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"

/**
 * no_gateway: none has ever connected under the name. offline: it is not connected now; nothing was sent.
 * refused: it cannot. silent: it did not say in time, and may have carried it out.
 */
export class TenantCommandFailed extends Data.TaggedError("Unprovisioned")<{
  readonly why: "no_gateway" | "offline" | "refused" | "silent"
  /** In the gateway's own words, where it refused. */
  readonly detail?: string
}> {}

const firstLook_ms = 5
const mostLook_ms = 500

/** Asks until the gateway has carried the command out. It lasts as long as that takes. */
export const dispatchTenantCommand = (
  system: ActorSystem["Service"],
  gateway_id: string,
  command: TenantCommand
): Effect.Effect<void, TenantCommandFailed | Failure | NotCommitted> => {
  const look = (pause_ms: number): Effect.Effect<void, TenantCommandFailed | Failure | NotCommitted> =>
    Effect.flatMap(system.ask(GatewayActor, gateway_id, { _tag: "Dispatch", command }), ({ reason, status }) => {
      if (status === "acknowledged") return Effect.void
      if (status === "refused")
        return new TenantCommandFailed({ why: "refused", ...(reason !== undefined && { detail: reason }) })
      return Effect.andThen(Effect.sleep(pause_ms), look(Math.min(pause_ms * 2, mostLook_ms)))
    })
  return look(firstLook_ms)
}

/** The same for somebody who waits for it: at once or within five seconds, or not at all. */
export const dispatchTenantCommandNow = (
  system: ActorSystem["Service"],
  gateway_id: string,
  command: TenantCommand
): Effect.Effect<void, TenantCommandFailed | Failure | NotCommitted> =>
  Effect.flatMap(system.ask(GatewayActor, gateway_id, { _tag: "AskPresence" }), ({ epoch, status }) =>
    status === "offline"
      ? new TenantCommandFailed({ why: epoch === 0 ? "no_gateway" : "offline" })
      : Effect.timeoutOrElse(dispatchTenantCommand(system, gateway_id, command), {
          duration: "5 seconds",
          orElse: () => new TenantCommandFailed({ why: "silent" })
        })
  )
