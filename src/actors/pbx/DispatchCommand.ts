// Sends a command to a gateway and waits until the gateway has acknowledged it. Each is a span, `PbxCommand.<kind>`.
import { Data, Effect } from "effect"
import type { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { GatewayCommands } from "../../domain/pbx/GatewayCommand.ts"
import type { PbxCommand } from "../../domain/pbx/PbxCommand.ts"
import type { DownCommand, TenantCommand } from "../../domain/pbx/TenantCommand.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { withSpan } from "../../domain/Traced.ts"
import type { GatewayId } from "../../domain/BrandedIds.ts"

/**
 * `no_gateway`: no gateway has ever connected under the id. `offline`: it is not connected; nothing was sent.
 * `refused`: it cannot carry out the command. `timeout`: it did not reply in time, and may have carried it out.
 */
export class TenantCommandFailed extends Data.TaggedError("TenantCommandFailed")<{
  readonly reason: "no_gateway" | "offline" | "refused" | "timeout"
  /** The gateway's own words, if it refused; `superseded`: a newer command about the same object took its place. */
  readonly detail?: string
}> {}

/** How often a session command without acknowledgement is dispatched again. */
const sessionPoll = "2 seconds"
/** The same for tenant commands, which API requests wait for: at first, and at most. Doubles in between. */
const firstTenantPoll_ms = 5
const lastTenantPoll_ms = 500
const timeout = "5 seconds"

const span = (gateway_id: GatewayId, command: DownCommand) =>
  [
    `PbxCommand.${command.action.kind}`,
    {
      attributes: {
        gateway_id,
        command_id: command.id,
        ...("session_id" in command && { session_id: command.session_id })
      }
    }
  ] as const

/** Repeats a session command until the gateway has acknowledged it, however long that takes. */
export const dispatchSessionCommand = (
  system: ActorSystem["Service"],
  gateway_id: GatewayId,
  command: PbxCommand
): Effect.Effect<void, ServiceUnavailable | NotCommitted> => {
  const dispatch: Effect.Effect<void, ServiceUnavailable | NotCommitted> = Effect.flatMap(
    system.ask(GatewayCommands.Dispatch, gateway_id, { command }),
    ({ status }) => (status === "acknowledged" ? Effect.void : Effect.andThen(Effect.sleep(sessionPoll), dispatch))
  )
  return withSpan(dispatch, ...span(gateway_id, command))
}

/** Repeats a tenant command until the gateway has carried it out, however long that takes, or has refused it. */
export const dispatchTenantCommand = (
  system: ActorSystem["Service"],
  gateway_id: GatewayId,
  command: TenantCommand
): Effect.Effect<void, TenantCommandFailed | ServiceUnavailable | NotCommitted> => {
  const dispatch = (pause_ms: number): Effect.Effect<void, TenantCommandFailed | ServiceUnavailable | NotCommitted> =>
    Effect.flatMap(system.ask(GatewayCommands.Dispatch, gateway_id, { command }), (reply) => {
      if (reply.status === "acknowledged") return Effect.void
      if (reply.status === "refused") return new TenantCommandFailed({ reason: "refused", detail: reply.reason })
      return Effect.andThen(Effect.sleep(pause_ms), dispatch(Math.min(pause_ms * 2, lastTenantPoll_ms)))
    })
  return withSpan(dispatch(firstTenantPoll_ms), ...span(gateway_id, command))
}

/** The same within five seconds, or not at all: for API requests that wait for the result. */
export const dispatchTenantCommandNow = (
  system: ActorSystem["Service"],
  gateway_id: GatewayId,
  command: TenantCommand
): Effect.Effect<void, TenantCommandFailed | ServiceUnavailable | NotCommitted> =>
  Effect.flatMap(system.ask(GatewayCommands.GetPresence, gateway_id, {}), ({ connected, epoch }) =>
    connected
      ? Effect.timeoutOrElse(dispatchTenantCommand(system, gateway_id, command), {
          duration: timeout,
          orElse: () => new TenantCommandFailed({ reason: "timeout" })
        })
      : new TenantCommandFailed({ reason: epoch === 0 ? "no_gateway" : "offline" })
  )
