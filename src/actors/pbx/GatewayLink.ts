// The link between one connection of a gateway and the gateway's actor, wherever each of them runs.
import { type Cause, Effect, Queue, Schedule } from "effect"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { GatewayCommands, type GatewayNotice } from "../../domain/pbx/GatewayCommand.ts"
import type { Capability } from "../../domain/pbx/Capabilities.ts"
import type { DownCommand } from "../../domain/pbx/TenantCommand.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { GatewayActor } from "./GatewayActor.ts"
import type { GatewayId } from "../../domain/BrandedIds.ts"

/** How often a quiet connection checks that the actor still knows it. */
const renewalInterval = "15 seconds"
const retrySchedule = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Retries without end: a connection outlives any outage of the database. */
const persistently = <A>(effect: Effect.Effect<A, NotCommitted>): Effect.Effect<A> =>
  effect.pipe(
    Effect.tapError((error) => Effect.logDebug("The gateway's actor did not store a command; retrying", error)),
    Effect.retry(retrySchedule),
    Effect.orDie
  )

/**
 * Connects a gateway, and passes its commands to `send` in the order in which they were dispatched. Commands that are
 * not acknowledged (see `acknowledge`) are passed again. Returns when a newer connection has replaced this one.
 * Interruption disconnects. `capabilities`: what the gateway can do.
 */
export const connectGateway = <R>(
  gateway_id: GatewayId,
  send: (commands: ReadonlyArray<DownCommand>) => Effect.Effect<void, never, R>,
  capabilities: ReadonlyArray<Capability> = []
): Effect.Effect<void, never, ActorSystem | Ids | R> =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const connection_id = (yield* Ids).uuid()
    const attach = persistently(system.ask(GatewayCommands.Attach, gateway_id, { connection_id, capabilities }))
    const renew = (epoch: number) =>
      persistently(system.ask(GatewayCommands.Renew, gateway_id, { connection_id, epoch }))
    const ready = persistently(system.ask(GatewayCommands.Ready, gateway_id, { connection_id }))
    const detach = system.ask(GatewayCommands.Detach, gateway_id, { connection_id })

    /** `cut`: the subscription ended, because it was read too slowly or the actor's node is gone. */
    const follow = (notices: Queue.Dequeue<GatewayNotice, Cause.Done>): Effect.Effect<"replaced" | "cut", never, R> =>
      Effect.gen(function* () {
        while (true) {
          const notice = yield* Queue.take(notices)
          if (notice.connection_id !== connection_id) continue
          if (notice._tag === "Replaced") return "replaced" as const
          yield* send(notice.commands)
          yield* ready
        }
      }).pipe(Effect.catch(() => Effect.succeed("cut" as const)))

    const untilReplaced = (epoch: number) =>
      Effect.gen(function* () {
        do yield* Effect.sleep(renewalInterval)
        while ((yield* renew(epoch)) === "attached")
        return "replaced" as const
      })

    /**
     * One subscription to the actor's notices. It begins before the actor learns of the connection, so that no notice
     * is missed. `known_epoch` is undefined for the first one. Returns the epoch to continue with, or undefined if
     * replaced.
     */
    const subscription = (known_epoch: number | undefined): Effect.Effect<number | undefined, never, R> =>
      Effect.scoped(
        Effect.gen(function* () {
          const notices = yield* system.subscribe(GatewayActor, gateway_id)
          if (known_epoch !== undefined && (yield* renew(known_epoch)) === "replaced") return undefined
          const epoch = known_epoch ?? (yield* attach).epoch
          return (yield* Effect.raceFirst(follow(notices), untilReplaced(epoch))) === "cut" ? epoch : undefined
        })
      )

    yield* Effect.gen(function* () {
      let epoch = yield* subscription(undefined)
      while (epoch !== undefined) epoch = yield* subscription(epoch)
    }).pipe(Effect.ensuring(Effect.ignore(Effect.timeout(detach, "1 second"))))
  })

/**
 * Records that the gateway has received these commands. A lost acknowledgement is harmless: the gateway is sent them
 * again.
 */
export const acknowledge = (
  gateway_id: GatewayId,
  command_ids: ReadonlyArray<string>
): Effect.Effect<void, never, ActorSystem> =>
  Effect.flatMap(ActorSystem, ({ ask }) => Effect.ignore(ask(GatewayCommands.Acknowledge, gateway_id, { command_ids })))

/** Records that the gateway cannot carry out a command about a tenant. `reason` is in the gateway's own words. */
export const refuse = (
  gateway_id: GatewayId,
  command_id: string,
  reason: string
): Effect.Effect<void, never, ActorSystem> =>
  Effect.flatMap(ActorSystem, ({ ask }) =>
    Effect.ignore(ask(GatewayCommands.Refuse, gateway_id, { command_id, reason }))
  )
