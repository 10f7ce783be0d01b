// `GET /v1/webrtc/sip`: the WebSocket between browsers and the PBX, carrying SIP (docs/webrtc.md).
import { type Cause, Clock, Deferred, Effect, Option, Queue, Redacted, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Socket } from "effect/socket"
import { Webrtc } from "../../actors/webrtc/Webrtc.ts"
import { MagicLinkExpired, MagicLinkInvalid } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { type SipLine, SipUpstream } from "../../domain/ports/pbx/SipUpstream.ts"
import { authenticated, fromPbx } from "../../domain/webrtc/GatePbx.ts"
import { gateLimits, type GateState, hasCall, openGate } from "../../domain/webrtc/GateState.ts"
import { atExpiry, type GateAction, type GateStep } from "../../domain/webrtc/GateStep.ts"
import { fromBrowser } from "../../domain/webrtc/SipGate.ts"
import { keepAlive, methodOf } from "../../domain/webrtc/SipLexer.ts"
import type { WebrtcClaims } from "../../domain/webrtc/WebrtcSession.ts"
import { Draining } from "../request/Draining.ts"
import { type GateSession, instanceOf, makeGateSessions } from "./GateSessions.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { countWrong } from "../request/WrongCredentials.ts"
import { answerFailure } from "../request/AnswerFailure.ts"
import { makeStreamLimit } from "../stream/StreamLimit.ts"

/** Clients answer a keep-alive (RFC 5626, section 4.4.1). It keeps the connection open through proxies. */
const pingEvery = "30 seconds"
const socketsMax = 10
const beginning: ReadonlySet<string | undefined> = new Set(["REGISTER", "INVITE", "OPTIONS"])

const closed = {
  byPeer: new Socket.CloseEvent(1000),
  draining: new Socket.CloseEvent(1001, "the engine is shutting down"),
  pbxGone: new Socket.CloseEvent(1013, "the PBX has gone"),
  pbxBusy: new Socket.CloseEvent(1013, "the PBX does not read"),
  over: new Socket.CloseEvent(4401, "the token has ended"),
  replaced: new Socket.CloseEvent(1000, "the client has connected again")
}

/** The WebSocket that a gate speaks to, and the token that it came with. */
interface Attached {
  readonly claims: WebrtcClaims
  readonly writer: Socket.Writer
  readonly end: (event: Socket.CloseEvent) => Effect.Effect<unknown>
}

/** A connection to the PBX that opens with the first message: a PBX may close connections that send nothing. */
const makeLine = Effect.gen(function* () {
  const { connect } = yield* SipUpstream
  const opened = yield* Deferred.make<SipLine>()
  const connected = Effect.tap(connect, (line) => Deferred.succeed(opened, line))
  const line = yield* Effect.cached(Effect.provideService(connected, Scope.Scope, yield* Effect.scope))
  return { line, opened: Deferred.await(opened) }
})

const allowedBy = ({ allow, exp }: WebrtcClaims) => ({ ...allow, expires_at: exp * 1000 })

/** The gate of one client, and its connection to the PBX, which the scope closes. */
const makeGate = Effect.fnUntraced(function* (first: WebrtcClaims) {
  const { hash } = yield* SipUpstream
  const { uuid } = yield* Ids
  const webrtc = yield* Webrtc
  const { line, opened } = yield* makeLine
  let state: GateState = openGate({
    username: first.sub,
    ...allowedBy(first),
    domain: webrtc.domain,
    connection: uuid()
  })
  let claims = first
  let attached: Attached | undefined
  const end = (event: Socket.CloseEvent) => Effect.suspend(() => attached?.end(event) ?? Effect.void)

  const act = (action: GateAction): Effect.Effect<unknown> => {
    switch (action._tag) {
      case "ToPbx":
        return Effect.matchEffect(line, {
          onFailure: () => end(closed.pbxGone),
          onSuccess: ({ send }) => (send(action.text) ? Effect.void : end(closed.pbxBusy))
        })
      case "ToBrowser":
        return attached === undefined ? Effect.void : Effect.ignore(attached.writer.write(action.text))
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
    beginning.has(methodOf(text)) ? webrtc.isActive(claims) : Effect.succeed(true)

  return {
    /** Speaks to this WebSocket from now on, with what its token allows. */
    attach: (next: Attached) =>
      Effect.sync(() => {
        attached = next
        claims = next.claims
        state = { ...state, ...allowedBy(claims) }
      }),
    hasCall: () => hasCall(state),
    /** The messages of the PBX, once there is a connection. */
    opened,
    fromBrowser: (text: string) =>
      Effect.flatMap(isActiveFor(text), (active) => follow((now) => fromBrowser(state, text, now, active))),
    fromPbx: (text: string) =>
      Effect.flatMap(isActiveFor(text), (active) => follow((now) => fromPbx(state, text, now, active))),
    /** Ends when no call can be live any more after the token has expired. */
    expiring: Effect.gen(function* () {
      const { expires_at } = state
      yield* Effect.sleep(Math.max(0, expires_at - (yield* Clock.currentTimeMillis)))
      yield* follow((now) => atExpiry(state, Math.max(now, expires_at)))
      yield* Effect.sleep(gateLimits.call_ms)
      return closed.over
    })
  }
})
type Gate = Effect.Success<ReturnType<typeof makeGate>>

/** Each frame is a message of its own. Bytes that are not UTF-8 become U+FFFD. */
const textOf = (frame: string | Uint8Array): string =>
  typeof frame === "string" ? frame : new TextDecoder("utf-8", { ignoreBOM: true }).decode(frame)

const converse = (
  socket: Socket.Socket,
  claims: WebrtcClaims,
  { ended, gate }: GateSession<Gate>
): Effect.Effect<Socket.CloseEvent, Socket.SocketError, Draining | Scope.Scope> =>
  Effect.gen(function* () {
    const draining = yield* Draining
    const writer = yield* socket.writer
    const { pull } = yield* socket.reader
    yield* gate.attach({ claims, writer, end: (event) => Deferred.succeed(ended, event) })

    const reading = Effect.gen(function* () {
      while (true) for (const frame of yield* pull) yield* gate.fromBrowser(textOf(frame))
    }).pipe(Effect.catch(() => Effect.succeed(closed.byPeer)))

    const hearing = Effect.gen(function* () {
      const { heard } = yield* gate.opened
      while (true) yield* gate.fromPbx(yield* Queue.take(heard))
    }).pipe(Effect.catch((_: Cause.Done) => Effect.succeed(closed.pbxGone)))

    const pinging = Effect.gen(function* () {
      while (true) {
        yield* Effect.sleep(pingEvery)
        yield* Effect.ignore(writer.write(keepAlive.ping))
      }
    })

    return yield* Effect.raceAllFirst([
      Deferred.await(ended),
      reading,
      hearing,
      pinging,
      gate.expiring,
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

export const makeServeWebrtcGate = Effect.gen(function* () {
  const take = yield* makeGateSessions({
    open: makeGate,
    hasCall: (gate) => gate.hasCall(),
    places: makeStreamLimit(socketsMax, "SIP credential"),
    replaced: closed.replaced
  })

  /** Serves one WebSocket. A client whose connection broke may go on with the session. */
  const serve = (claims: WebrtcClaims, session: GateSession<Gate>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const socket = yield* request.upgrade
      const writer = yield* socket.writer
      const event = yield* converse(socket, claims, session)
      yield* session.release(event === closed.byPeer)
      yield* writer.write(event)
    }).pipe(
      Effect.catchTag("SocketError", ({ reason }) => Effect.logDebug("WebRTC gate closed", reason._tag)),
      Effect.ensuring(session.release(true)),
      Effect.as(HttpServerResponse.empty())
    )

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { "sec-websocket-protocol": protocols, upgrade } = request.headers
    const token = tokenOf(request)
    if (token === undefined)
      return yield* answerFailure(new MagicLinkInvalid({ message: "The request carries no SIP token." }))
    const address = Option.getOrElse(request.remoteAddress, () => "")
    const admitting = (yield* Webrtc).admit(Redacted.make(token), address)
    const isWrong = (outcome: unknown) => outcome instanceof MagicLinkInvalid || outcome instanceof MagicLinkExpired
    const admitted = yield* Effect.result(countWrong(yield* RateLimits, request, admitting, isWrong))
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
    const session = yield* Effect.result(take(claims, instanceOf(offered(protocols))))
    return session._tag === "Failure" ? yield* answerFailure(session.failure) : yield* serve(claims, session.success)
  }).pipe(Effect.scoped)
})
