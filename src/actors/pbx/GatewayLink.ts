// One connection of a gateway to its actor, wherever the connection ends and wherever the actor lives.
import { type Cause, Effect, Queue, Schedule } from "effect"
import type { GatewayCommand, GatewayNotice } from "../../domain/pbx/GatewayCommand.ts"
import type { DownCommand } from "../../domain/pbx/TenantCommand.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import { GatewayActor } from "./GatewayActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** How often a quiet connection makes sure that the actor still knows it. */
const renewal = "15 seconds"
const patience = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/**
 * Connects a gateway and hands its commands to `send`, in the order in which they were asked, until a newer connection
 * replaces this one: then it ends. A command is handed over again until `acknowledge` is told of it. Interruption
 * disconnects.
 */
export const connectGateway = <R>(
  gateway_id: string,
  send: (commands: ReadonlyArray<DownCommand>) => Effect.Effect<void, never, R>
): Effect.Effect<void, never, ActorSystem | Ids | R> =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const connection_id = (yield* Ids).uuid()
    const tell = (command: GatewayCommand) => system.ask(GatewayActor, gateway_id, command)
    const insist = (command: GatewayCommand) => Effect.orDie(Effect.retry(tell(command), patience))

    /** False once the connection is replaced; true when the subscription was cut: unread, or gone with its node. */
    const follow = (notices: Queue.Dequeue<GatewayNotice, Cause.Done>): Effect.Effect<boolean, never, R> =>
      Effect.gen(function* () {
        while (true) {
          const notice = yield* Queue.take(notices)
          if (notice.connection_id !== connection_id) continue
          if (notice._tag === "Replaced") return false
          yield* send(notice.commands)
          yield* insist({ _tag: "Ready", connection_id })
        }
      }).pipe(Effect.catch(() => Effect.succeed(true)))

    const untilReplaced = (renew: GatewayCommand): Effect.Effect<boolean> =>
      Effect.gen(function* () {
        do yield* Effect.sleep(renewal)
        while ((yield* insist(renew)).status !== "replaced")
        return false
      })

    // It listens before it says hello, so that nothing sent because of the hello is missed.
    const session = (hello: GatewayCommand): Effect.Effect<GatewayCommand | undefined, never, R> =>
      Effect.scoped(
        Effect.gen(function* () {
          const notices = yield* system.subscribe(GatewayActor, gateway_id)
          const { epoch, status } = yield* insist(hello)
          if (status === "replaced") return undefined
          const renew: GatewayCommand = { _tag: "Renew", connection_id, epoch }
          return (yield* Effect.raceFirst(follow(notices), untilReplaced(renew))) ? renew : undefined
        })
      )

    let hello: GatewayCommand | undefined = { _tag: "Attach", connection_id }
    yield* Effect.gen(function* () {
      while (hello !== undefined) hello = yield* session(hello)
    }).pipe(Effect.ensuring(Effect.ignore(Effect.timeout(tell({ _tag: "Detach", connection_id }), "1 second"))))
  })

/** Tells the actor what the gateway has taken on. Losing this does no harm: the gateway is asked again. */
export const acknowledge = (
  gateway_id: string,
  command_ids: ReadonlyArray<string>
): Effect.Effect<void, never, ActorSystem> =>
  Effect.flatMap(ActorSystem, ({ ask }) =>
    Effect.ignore(ask(GatewayActor, gateway_id, { _tag: "Acknowledged", command_ids }))
  )

/** Tells the actor that the gateway cannot carry out a command about a tenant. */
export const refuse = (
  gateway_id: string,
  command_id: string,
  reason: string
): Effect.Effect<void, never, ActorSystem> =>
  Effect.flatMap(ActorSystem, ({ ask }) =>
    Effect.ignore(ask(GatewayActor, gateway_id, { _tag: "Refused", command_id, reason }))
  )
