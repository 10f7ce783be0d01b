// What both gateways in process share: the link to the engine, with commands down and events up.
import { Clock, Effect, FiberSet } from "effect"
import { acknowledge, connectGateway, refuse } from "../../actors/pbx/GatewayLink.ts"
import { PbxIngest } from "../../actors/ingest/PbxIngest.ts"
import type { ActorSystem } from "../../actors/runtime/ActorSystem.ts"
import { SteadyTimers } from "./SteadyTimers.ts"
import type { Capability } from "../../domain/pbx/Capabilities.ts"
import type { DownCommand } from "../../domain/pbx/TenantCommand.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { EventOutbox } from "./EventOutbox.ts"
import type { GatewayId, SessionId } from "../../domain/BrandedIds.ts"

/**
 * The session of a gateway in process with the engine. Events go into its outbox, which sends them until the engine has
 * taken or refused them. It must be made within the scope of the gateway: `run` forks into it.
 */
export const makePbxSession = Effect.fnUntraced(function* (gateway_id: GatewayId) {
  const clock = yield* Clock.Clock
  const ingest = yield* PbxIngest
  const { uuid } = yield* Ids
  const run = yield* FiberSet.makeRuntime<ActorSystem | Ids>()
  const timers = new SteadyTimers(clock, run)
  /** Epoch milliseconds. */
  const now = () => clock.currentTimeMillisUnsafe()

  const outbox: EventOutbox = new EventOutbox({
    timers,
    now,
    send: (events) =>
      run(
        Effect.map(ingest.ingest(gateway_id, events), ({ refused, taken }) =>
          outbox.settle([...taken, ...refused.map(({ event_id }) => event_id)])
        )
      )
  })

  return {
    now,
    outbox,
    run,
    timers,
    uuid,
    acknowledge: (command_ids: ReadonlyArray<string>) => acknowledge(gateway_id, command_ids),
    /** Refuses a tenant command. */
    refuse: (command_id: string, reason: string) => refuse(gateway_id, command_id, reason),
    /** Opens a connection that passes commands to `take`, and returns its fiber. Interrupting it disconnects. */
    connect: <R extends ActorSystem | Ids>(
      take: (commands: ReadonlyArray<DownCommand>) => Effect.Effect<void, never, R>,
      capabilities: ReadonlyArray<Capability> = []
    ) => run(connectGateway(gateway_id, take, capabilities)),
    /** Tells the engine which sessions are live. */
    reconcile: (live_sessions: ReadonlyArray<SessionId>) => ingest.reconcile(gateway_id, live_sessions)
  }
})
