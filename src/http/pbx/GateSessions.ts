// What the gate has for one client: a connection to the PBX, and what it knows of its calls. A client that names itself
// by an instance keeps both when its own connection breaks in a call: its next connection goes on with them.
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import type { Socket } from "effect/socket"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import type { WebrtcClaims } from "../../domain/webrtc/WebrtcSession.ts"
import type { TakeSlot } from "../stream/StreamLimit.ts"

/** How long a call waits for its client: longer than any pause between the client's tries. */
const keepFor = "2 minutes"
/** How long the connection before may take to let go. */
const letGoWithin = "5 seconds"

/** One WebSocket of a client. */
interface Owner {
  /** Ends the WebSocket. */
  readonly ended: Deferred.Deferred<Socket.CloseEvent>
  /** The WebSocket uses the session no more. */
  readonly released: Deferred.Deferred<void>
}

export interface GateSession<Gate> {
  readonly gate: Gate
  readonly ended: Deferred.Deferred<Socket.CloseEvent>
  /** When the WebSocket is over. `goesOn`: its client may connect again. Only the first time counts. */
  readonly release: (goesOn: boolean) => Effect.Effect<void>
}

interface Kept<Gate> {
  readonly gate: Gate
  readonly scope: Scope.Closeable
  owner: Owner
  waiting: Fiber.Fiber<unknown> | undefined
}

export interface GateSessionsOptions<Gate, R> {
  /** Opens the connection to the PBX with the first message; the scope closes it. */
  readonly open: (claims: WebrtcClaims) => Effect.Effect<Gate, never, R | Scope.Scope>
  readonly hasCall: (gate: Gate) => boolean
  readonly places: TakeSlot
  /** What a connection is closed with when its client has made another one. */
  readonly replaced: Socket.CloseEvent
}

const makeOwner = Effect.all({ ended: Deferred.make<Socket.CloseEvent>(), released: Deferred.make<void>() })

/** An instance is a random name, which the client alone knows. */
export const instanceOf = (subprotocols: ReadonlyArray<string>): string | undefined =>
  subprotocols.flatMap((each) => /^instance\.([0-9a-f]{32})$/.exec(each)?.[1] ?? [])[0]

export const makeGateSessions = Effect.fnUntraced(function* <Gate, R>(options: GateSessionsOptions<Gate, R>) {
  const server = yield* Effect.scope
  const sessions = new Map<string, Kept<Gate>>()

  const close = (key: string | undefined, kept: Kept<Gate>) =>
    Effect.suspend(() => {
      if (key !== undefined && sessions.get(key) === kept) sessions.delete(key)
      return Scope.close(kept.scope, Exit.void)
    })

  const given = (key: string | undefined, kept: Kept<Gate>, owner: Owner): GateSession<Gate> => ({
    gate: kept.gate,
    ended: owner.ended,
    release: Effect.fnUntraced(function* (goesOn: boolean) {
      const isFirst = yield* Deferred.succeed(owner.released, undefined)
      if (!isFirst || kept.owner !== owner) return
      if (key === undefined || !goesOn || !options.hasCall(kept.gate)) return yield* close(key, kept)
      kept.waiting = yield* Effect.forkIn(Effect.andThen(Effect.sleep(keepFor), close(key, kept)), server)
    })
  })

  const open = Effect.fnUntraced(function* (key: string | undefined, claims: WebrtcClaims) {
    const scope = yield* Scope.fork(server)
    const gate = yield* Effect.andThen(options.places(claims.sub), options.open(claims)).pipe(
      Scope.provide(scope),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    const owner = yield* makeOwner
    const kept: Kept<Gate> = { gate, scope, owner, waiting: undefined }
    if (key !== undefined) sessions.set(key, kept)
    return given(key, kept, owner)
  })

  /** The session of the connection before, if that one lets go of it. */
  const takeOver = Effect.fnUntraced(function* (key: string, kept: Kept<Gate>) {
    const mine = yield* makeOwner
    // At once, so that of two connections that come together the second one waits for the first one.
    const { owner, waiting } = kept
    kept.owner = mine
    kept.waiting = undefined
    if (waiting !== undefined) yield* Fiber.interrupt(waiting)
    yield* Deferred.succeed(owner.ended, options.replaced)
    const letGo = yield* Effect.timeoutOption(Deferred.await(owner.released), letGoWithin)
    if (letGo._tag === "Some" && sessions.get(key) === kept) return given(key, kept, mine)
    yield* close(key, kept)
    return undefined
  })

  /** A session for a new WebSocket. Fails if the client's credential has too many. */
  const take = Effect.fnUntraced(function* (
    claims: WebrtcClaims,
    instance: string | undefined
  ): Effect.fn.Return<GateSession<Gate>, RateLimited, R> {
    const key = instance === undefined ? undefined : `${claims.workspace_id} ${claims.sub} ${instance}`
    const before = key === undefined ? undefined : sessions.get(key)
    const taken = key === undefined || before === undefined ? undefined : yield* takeOver(key, before)
    return taken ?? (yield* open(key, claims))
  })

  return take
})
