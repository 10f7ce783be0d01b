// `GET /v1/webrtc/sip`: the WebSocket between browsers and the PBX, carrying SIP (docs/webrtc.md).
import { type Cause, Clock, Deferred, Effect, Queue, Redacted, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Socket } from "effect/socket"
import { Webrtc } from "../../actors/webrtc/Webrtc.ts"
import { MagicLinkInvalid } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import { type SipLine, type SipUnreachable, SipUpstream } from "../../domain/ports/SipUpstream.ts"
import { authenticated, fromPbx } from "../../domain/webrtc/GatePbx.ts"
import { gateLimits, type GateState, openGate } from "../../domain/webrtc/GateState.ts"
import { atExpiry, type GateAction, type GateStep } from "../../domain/webrtc/GateStep.ts"
import { fromBrowser } from "../../domain/webrtc/SipGate.ts"
import { keepAlive } from "../../domain/webrtc/SipLexer.ts"
import type { WebrtcClaims } from "../../domain/webrtc/WebrtcSession.ts"
import { Draining } from "../server/Draining.ts"
import { answerFailure } from "../request/AnswerFailure.ts"
import { makeStreamLimit } from "../stream/StreamLimit.ts"

/** Clients answer a keep-alive (RFC 5626, section 4.4.1). It keeps the connection open through proxies. */
const pingEvery = "30 seconds"
const socketsMax = 10
const beginning = /^(?:REGISTER|INVITE|OPTIONS) /

const closed = {
  byPeer: new Socket.CloseEvent(1000),
  draining: new Socket.CloseEvent(1001, "the engine is shutting down"),
  pbxGone: new Socket.CloseEvent(1013, "the PBX has gone"),
  pbxBusy: new Socket.CloseEvent(1013, "the PBX does not read"),
  over: new Socket.CloseEvent(4401, "the token has ended")
}

/** Runs the gate of one connection. */
const makeGate = Effect.fnUntraced(function* (
  claims: WebrtcClaims,
  line: Effect.Effect<SipLine, SipUnreachable>,
  writer: Socket.Writer,
  ended: Deferred.Deferred<Socket.CloseEvent>
) {
  const { hash } = yield* SipUpstream
  const { uuid } = yield* Ids
  const webrtc = yield* Webrtc
  const { allow, exp, sub } = claims
  let state: GateState = openGate({
    username: sub,
    ...allow,
    expires_at: exp * 1000,
    domain: webrtc.domain,
    connection: uuid()
  })
  const end = (event: Socket.CloseEvent) => Deferred.succeed(ended, event)

  const act = (action: GateAction): Effect.Effect<unknown> => {
    switch (action._tag) {
      case "ToPbx":
        return Effect.matchEffect(line, {
          onFailure: () => end(closed.pbxGone),
          onSuccess: ({ send }) => (send(action.text) ? Effect.void : end(closed.pbxBusy))
        })
      case "ToBrowser":
        return Effect.ignore(writer.write(action.text))
      case "Close":
        return end(new Socket.CloseEvent(action.code, action.reason))
      case "Authenticate":
        return Effect.flatMap(
          Effect.orElseSucceed(webrtc.secret(claims), () => undefined),
          (secret) => follow((now) => authenticated(state, action, secret, uuid(), hash, now))
        )
    }
  }
  const follow = (next: (now: number) => GateStep): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const step = next(now)
      state = step.state
      return Effect.forEach(step.actions, act, { discard: true })
    })

  /** Only a request that begins something asks whether the credential is still active. */
  const isActiveFor = (text: string): Effect.Effect<boolean> =>
    beginning.test(text) ? webrtc.isActive(claims) : Effect.succeed(true)

  return {
    fromBrowser: (text: string) =>
      Effect.flatMap(isActiveFor(text), (active) => follow((now) => fromBrowser(state, text, now, active))),
    fromPbx: (text: string) =>
      Effect.flatMap(isActiveFor(text), (active) => follow((now) => fromPbx(state, text, now, active))),
    /** Ends when no call can be live any more after the token has expired. */
    expiring: Effect.gen(function* () {
      const lasts_ms = Math.max(0, exp * 1000 - (yield* Clock.currentTimeMillis))
      yield* Effect.sleep(lasts_ms)
      yield* follow((now) => atExpiry(state, Math.max(now, exp * 1000)))
      yield* Effect.sleep(gateLimits.call_ms)
      return closed.over
    })
  }
})

/** Each frame is a message of its own. Bytes that are not UTF-8 become U+FFFD. */
const textOf = (frame: string | Uint8Array): string =>
  typeof frame === "string" ? frame : new TextDecoder("utf-8", { ignoreBOM: true }).decode(frame)

const converse = (
  socket: Socket.Socket,
  claims: WebrtcClaims
): Effect.Effect<Socket.CloseEvent, Socket.SocketError, Draining | Ids | Scope.Scope | SipUpstream | Webrtc> =>
  Effect.gen(function* () {
    const draining = yield* Draining
    const upstream = yield* SipUpstream
    const writer = yield* socket.writer
    const { pull } = yield* socket.reader
    const opened = yield* Deferred.make<SipLine>()
    // Connects with the first message: a PBX may close connections that send nothing.
    const connect = Effect.tap(upstream.connect, (line) => Deferred.succeed(opened, line))
    const line = yield* Effect.cached(Effect.provideService(connect, Scope.Scope, yield* Effect.scope))
    const ended = yield* Deferred.make<Socket.CloseEvent>()
    const gate = yield* makeGate(claims, line, writer, ended)

    const reading = Effect.gen(function* () {
      while (true) for (const frame of yield* pull) yield* gate.fromBrowser(textOf(frame))
    }).pipe(Effect.catch(() => Effect.succeed(closed.byPeer)))

    const hearing = Effect.gen(function* () {
      const { heard } = yield* Deferred.await(opened)
      while (true) yield* gate.fromPbx(yield* Queue.take(heard))
    }).pipe(Effect.catch((_: Cause.Done) => Effect.succeed(closed.pbxGone)))

    const pinging = Effect.gen(function* () {
      while (true) {
        yield* Effect.sleep(pingEvery)
        yield* Effect.ignore(writer.write(keepAlive.ping))
      }
    })

    return yield* Effect.raceAllFirst([
      reading,
      hearing,
      pinging,
      gate.expiring,
      Deferred.await(ended),
      Effect.as(draining.wait, closed.draining)
    ])
  })

const offered = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "").split(",").map((each) => each.trim())

/** From the query, or from a second subprotocol for clients that keep tokens out of URLs. */
const tokenOf = ({ headers, url }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const subprotocol = offered(headers["sec-websocket-protocol"]).find((each) => each.startsWith("token."))
  return subprotocol?.slice("token.".length) ?? new URLSearchParams(url.split("?", 2)[1]).get("token") ?? undefined
}

export const makeServeWebrtcGate = Effect.sync(() => {
  const places = makeStreamLimit(socketsMax, "SIP credential")
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { "sec-websocket-protocol": protocols, upgrade } = request.headers
    const token = tokenOf(request)
    if (token === undefined)
      return yield* answerFailure(new MagicLinkInvalid({ message: "The request carries no SIP token." }))
    const admitted = yield* Effect.result((yield* Webrtc).admit(Redacted.make(token)))
    if (admitted._tag === "Failure") return yield* answerFailure(admitted.failure)
    if (upgrade?.toLowerCase() !== "websocket" || offered(protocols)[0] !== "sip") {
      return yield* answerFailure(
        new BadRequest({ message: "This path accepts WebSocket connections with sip as the first subprotocol." })
      )
    }
    if (!(yield* SipUpstream).exists)
      return yield* answerFailure(
        new ServiceUnavailable({ message: "The PBX of this deployment accepts no browsers." })
      )
    const claims = admitted.success
    const place = yield* Effect.result(places(claims.sub))
    if (place._tag === "Failure") return yield* answerFailure(place.failure)
    const socket = yield* request.upgrade
    const writer = yield* socket.writer
    yield* Effect.flatMap(converse(socket, claims), writer.write).pipe(
      Effect.catchTag("SocketError", ({ reason }) => Effect.logDebug("WebRTC gate closed", reason._tag))
    )
    return HttpServerResponse.empty()
  }).pipe(Effect.scoped)
})
