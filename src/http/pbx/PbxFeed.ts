// `GET /v1/pbx/feed`: the WebSocket of a PBX gateway, with commands down and events up (docs/pbx-protocol.md).
import { Clock, Deferred, Effect, FiberSet, Result, type Scope, Semaphore } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Socket } from "effect/socket"
import { acknowledge, connectGateway, refuse } from "../../actors/pbx/GatewayLink.ts"
import { PbxIngest } from "../../actors/ingest/PbxIngest.ts"
import type { ActorSystem } from "../../actors/runtime/ActorSystem.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { knownCapabilities } from "../../domain/pbx/Capabilities.ts"
import type { DownFrame, ReceivedFrame } from "../../domain/pbx/Frame.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import type { DownCommand } from "../../domain/pbx/TenantCommand.ts"
import { type GatewayIdentity, mayActFor } from "../../domain/pbx/GatewayIdentity.ts"
import type { Ids } from "../../domain/ports/engine/Ids.ts"
import { PbxAuth } from "../../domain/ports/pbx/PbxAuth.ts"
import { GatewayTenants } from "../../domain/ports/pbx/GatewayTenants.ts"
import { Draining } from "../request/Draining.ts"
import { answerFailure } from "../request/AnswerFailure.ts"
import { decodeEvent, notAdmitted } from "./PbxIngressAuth.ts"
import { closed, makeOutlet, type Outlet, parseFrame } from "./PbxFeedFrames.ts"
import type { GatewayId } from "../../domain/BrandedIds.ts"

const helloTimeout = "5 seconds"
const commandsPerFrame = 100
/** The most event frames that are being stored at once. Further frames wait in the socket. */
const eventFramesMax = 64

type Hello = Extract<ReceivedFrame, { readonly type: "hello" }>

const sendCommands = (outlet: Outlet, commands: ReadonlyArray<DownCommand>): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let start = 0; start < commands.length; start += commandsPerFrame) {
      yield* outlet.send({ type: "commands", commands: commands.slice(start, start + commandsPerFrame) })
    }
  })

const refused = (event_id: string, { _tag: code, details, message }: Failure): DownFrame => {
  const faults = details?.map((detail) => ` ${detail.field}: ${detail.message}`).join(";") ?? ""
  return { type: "refused", event_id, code, message: message + faults }
}

const idOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "event_id" in value && typeof value.event_id === "string"
    ? value.event_id
    : undefined

/** Ingests the events of a frame and acknowledges or refuses each: an invalid event does not affect the others. */
const takeEvents = (outlet: Outlet, gateway_id: GatewayId, values: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const events: Array<PbxEvent> = []
    for (const value of values) {
      const decoded = decodeEvent(value, "")
      if (Result.isSuccess(decoded)) events.push(decoded.success)
      else yield* outlet.send(refused(idOf(value) ?? "", decoded.failure))
    }
    if (events.length === 0) return
    const ingested = yield* (yield* PbxIngest).ingest(gateway_id, events)
    if (ingested.taken.length > 0) yield* outlet.send({ type: "ack", event_ids: ingested.taken })
    for (const { event_id, failure } of ingested.refused) yield* outlet.send(refused(event_id, failure))
  })

const endWithoutHello = (hello: Deferred.Deferred<Hello>, ended: Deferred.Deferred<Socket.CloseEvent>) =>
  Effect.timeoutOrElse(Deferred.await(hello), {
    duration: helloTimeout,
    orElse: () => Deferred.succeed(ended, closed.helloOverdue)
  })

/** How many workspaces the gateway carries, which is logged, too: with none, it would be connected and idle. */
const countTenants = (tenants: GatewayTenants["Service"], gateway_id: GatewayId) =>
  Effect.gen(function* () {
    const count = yield* tenants.carried(gateway_id)
    yield* count === 0
      ? Effect.logWarning(
          `Gateway ${gateway_id} is connected and carries no workspace: PUT /v1/admin/workspaces/{id}/gateway assigns one.`
        )
      : Effect.logInfo(`Gateway ${gateway_id} is connected and carries ${count} workspaces.`)
    return { tenants: count }
  }).pipe(
    Effect.timeout("2 seconds"),
    Effect.orElseSucceed(() => ({}))
  )

/** Passes the gateway its commands. Returns when a newer connection has replaced this one. */
const carryCommands = (outlet: Outlet, { capabilities = [], gateway_id }: Hello) =>
  connectGateway(gateway_id, (commands) => sendCommands(outlet, commands), knownCapabilities(capabilities))

/** Serves the connection and returns the reason to close it. */
const converse = (
  socket: Socket.Socket,
  identity: GatewayIdentity,
  tenants: GatewayTenants["Service"]
): Effect.Effect<Socket.CloseEvent, Socket.SocketError, ActorSystem | Draining | Ids | PbxIngest | Scope.Scope> =>
  Effect.gen(function* () {
    const draining = yield* Draining
    const ingest = yield* PbxIngest
    const writer = yield* socket.writer
    const read = yield* Socket.readerString(socket)
    const ended = yield* Deferred.make<Socket.CloseEvent>()
    const hello = yield* Deferred.make<Hello>()
    const close = (reason: Socket.CloseEvent) => Deferred.doneUnsafe(ended, Effect.succeed(reason))
    const outlet = makeOutlet(writer, yield* Clock.Clock, close)
    const run = yield* FiberSet.makeRuntime<ActorSystem | PbxIngest>()
    const permits = yield* Semaphore.make(eventFramesMax)
    let gateway_id: GatewayId | undefined

    const take = (frame: ReceivedFrame): Effect.Effect<unknown, Socket.CloseEvent> => {
      if (gateway_id === undefined) {
        if (frame.type !== "hello") return Effect.fail(closed.helloExpected)
        if (!mayActFor(identity, frame.gateway_id)) return Effect.fail(closed.notYours)
        gateway_id = frame.gateway_id
        return Deferred.succeed(hello, frame)
      }
      const gateway = gateway_id
      switch (frame.type) {
        case "hello":
          return Effect.fail(closed.helloTwice)
        case "events":
          return Effect.map(permits.take(1), () =>
            run(Effect.ensuring(takeEvents(outlet, gateway, frame.events), permits.release(1)))
          )
        case "ack":
          return Effect.sync(() => run(acknowledge(gateway, frame.command_ids)))
        case "refuse":
          return Effect.sync(() => run(refuse(gateway, frame.command_id, frame.reason)))
        case "pong":
          return Effect.sync(() => outlet.pong(frame.n))
      }
    }

    const reading = Effect.gen(function* () {
      while (true) {
        for (const text of yield* read) {
          outlet.received()
          yield* take(yield* Effect.fromResult(parseFrame(text)))
        }
      }
    }).pipe(Effect.catch((reason) => Effect.succeed(Socket.isCloseEvent(reason) ? reason : closed.byPeer)))

    const serving = Effect.gen(function* () {
      const greeting = yield* Deferred.await(hello)
      const { gateway_id: gateway, live_sessions } = greeting
      yield* outlet.send({ type: "welcome", protocol: 1, ...(yield* countTenants(tenants, gateway)) })
      if (live_sessions !== undefined) run(ingest.reconcile(gateway, live_sessions))
      return yield* Effect.raceFirst(Effect.as(carryCommands(outlet, greeting), closed.replaced), outlet.pinging)
    })
    yield* Effect.forkScoped(endWithoutHello(hello, ended))
    return yield* Effect.raceAllFirst([
      reading,
      serving,
      Deferred.await(ended),
      Effect.as(draining.wait, closed.draining)
    ])
  })

const serve = Effect.fnUntraced(function* (tenants: GatewayTenants["Service"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { authorization, upgrade } = request.headers
  const bearer = (yield* PbxAuth).admit(authorization)
  if (bearer === undefined) return yield* answerFailure(notAdmitted(authorization))
  if (upgrade?.toLowerCase() !== "websocket") {
    return yield* answerFailure(new BadRequest({ message: "This path speaks WebSocket." }))
  }
  const socket = yield* request.upgrade
  const writer = yield* socket.writer
  yield* Effect.flatMap(converse(socket, bearer.identity, tenants), writer.write).pipe(
    Effect.catchTag("SocketError", ({ reason }) => Effect.logDebug("PBX feed closed", reason._tag))
  )
  return HttpServerResponse.empty()
}, Effect.scoped)

export const servePbxFeed = Effect.map(GatewayTenants, (tenants) => serve(tenants))
