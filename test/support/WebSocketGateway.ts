// An external gateway: the simulated PBX behind the client end of the feed.
import { Clock, Effect, FiberSet } from "effect"
import { WebSocket } from "ws"
import { Timers } from "../../src/actors/runtime/Timers.ts"
import { type DownFrame, eventsMax, type UpFrame } from "../../src/domain/pbx/Frame.ts"
import { type DownCommand, isTenantCommand } from "../../src/domain/pbx/TenantCommand.ts"
import { Ids } from "../../src/domain/ports/engine/Ids.ts"
import { EventOutbox } from "../../src/layers/pbx/EventOutbox.ts"
import { type Phone, phoneOf } from "../../src/layers/pbx/simulator/Phones.ts"
import type { MediaRelay } from "../../src/layers/pbx/MediaRelay.ts"
import type { LeaveAudio } from "../../src/layers/pbx/simulator/Recorders.ts"
import { Registry } from "../../src/layers/pbx/simulator/Registry.ts"
import { SimulatedPbx } from "../../src/layers/pbx/simulator/SimulatedPbx.ts"
import type { GatewayId } from "../../src/domain/BrandedIds.ts"

export const makeWebSocketGateway = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly secret: string
  readonly gateway_id: GatewayId
  readonly phones?: (to: string) => Phone
  /** Puts a recording into the spool. */
  readonly leave?: LeaveAudio
  /** Relays media streams. Absent: it has none. */
  readonly relay?: MediaRelay
  /** Reconnects when the connection breaks, as the protocol requires. */
  readonly returns?: true
  /** Changes a frame on its way to the engine. */
  readonly change?: (frame: string) => string
}) {
  const clock = yield* Clock.Clock
  const { uuid } = yield* Ids
  const run = yield* FiberSet.makeRuntime()
  const timers = new Timers(clock, run)
  const now = () => clock.currentTimeMillisUnsafe()
  let socket: WebSocket | undefined

  const send = (frame: UpFrame) => {
    const text = JSON.stringify(frame)
    socket?.send(options.change === undefined ? text : options.change(text))
  }
  const outbox = new EventOutbox({
    timers,
    now,
    send: (events) => {
      for (let start = 0; start < events.length; start += eventsMax) {
        send({ type: "events", events: events.slice(start, start + eventsMax) })
      }
    }
  })

  const pbx = new SimulatedPbx({
    phones: options.phones ?? phoneOf,
    timers,
    now,
    uuid,
    report: (event) => outbox.add(event),
    ...(options.leave && { leave: options.leave }),
    ...(options.relay && { relay: options.relay }),
    owesEnd: (session_id) => outbox.owesEnd(session_id)
  })

  let told = 0
  const registry = new Registry({
    now,
    report: (tenant_pbx_id, type, data) =>
      outbox.add({
        event_id: uuid(),
        tenant_pbx_id,
        type,
        seq: ++told,
        occurred_at: new Date(now()).toISOString(),
        data
      })
  })

  const takeOn = (commands: ReadonlyArray<DownCommand>) => {
    const taken: Array<string> = []
    for (const command of commands) {
      const reason = isTenantCommand(command) ? registry.carryOut(command) : void pbx.carryOut(command)
      if (reason === undefined) taken.push(command.id)
      else send({ type: "refuse", command_id: command.id, reason })
    }
    send({ type: "ack", command_ids: taken })
  }

  const take = (frame: DownFrame, onWelcome: () => void) => {
    switch (frame.type) {
      case "welcome":
        onWelcome()
        return outbox.release()
      case "commands":
        return takeOn(frame.commands)
      case "ack":
        return outbox.settle(frame.event_ids)
      case "refused":
        return outbox.settle([frame.event_id])
      case "ping":
        return send({ type: "pong", n: frame.n })
    }
  }

  /** Returns once the engine has said welcome. */
  const connect: Effect.Effect<void, Error> = Effect.callback<void, Error>((resume) => {
    const opened = new WebSocket(options.url, { headers: { authorization: `Bearer ${options.secret}` } })
    socket = opened
    opened.on("open", () =>
      send({
        type: "hello",
        protocol: 1,
        gateway_id: options.gateway_id,
        live_sessions: pbx.live,
        capabilities: options.relay === undefined ? ["of.the.future"] : ["stream.v1", "chatapp.v1"]
      })
    )
    opened.on("message", (data) => {
      if (socket === opened) take(JSON.parse(String(data)), () => resume(Effect.void))
    })
    opened.on("error", (error) => resume(Effect.fail(error)))
    opened.on("close", (code) => {
      if (socket !== opened || options.returns !== true || code === 4403 || code === 4409) return
      outbox.hold()
      timers.set(now() + 100, () => run(Effect.ignore(connect)))
    })
  })

  /** Breaks the connection without a close frame; messages in flight are lost. */
  const disconnect = Effect.sync(() => {
    socket?.terminate()
    socket = undefined
    outbox.hold()
  })
  yield* Effect.addFinalizer(() => disconnect)

  return { connect, disconnect, registry }
})
