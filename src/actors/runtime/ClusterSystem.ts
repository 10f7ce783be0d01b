/**
 * Actors spread over several processes, on Effect's cluster. The cluster decides which process runs a place, that is a
 * part of all actors; everything else is the same as in one process.
 *
 * Messages are not stored. If a node dies while it handles a command, the command is sent to the next node, so it may
 * be decided twice. A command that must not be repeated carries a key.
 */
import { Cause, Clock, Deferred, Effect, Layer, Metric, Queue, Scope, Stream } from "effect"
import { Sharding } from "effect/cluster"
import { Failure } from "../../domain/errors/Failure.ts"
import { Journal } from "../../domain/ports/engine/Journal.ts"
import type { Alarm } from "../../domain/journal/Rows.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ActorSystem, type Ask, type AskTied, followThrough } from "./ActorSystem.ts"
import type { AnyDefinition } from "./Definition.ts"
import type { AnyCommand } from "../../domain/Command.ts"
import { type Cells, makeCells } from "./Cells.ts"
import { askTied, tellAll } from "./OneTurn.ts"
import { withCaller } from "./Tracing.ts"
import { erase, type Erased, type ErasedPerform } from "./Erased.ts"
import { Unreadable } from "../../domain/state/StoredState.ts"
import { waitingMax } from "./Listeners.ts"
import { entityOf, makeOwnPlaces } from "./OwnPlaces.ts"
import { type Addressed, type Protocol, protocolOf, rpcOf } from "./Protocol.ts"
import { restartsOf } from "./WorkSet.ts"
import { expectPresent } from "../../domain/ExpectPresent.ts"

/** How long a caller waits for an actor that moves to another process. */
const askTimeout = "10 seconds"
/** The interval at which due alarms are searched. */
const sweep_ms = 500
/** After this time an actor whose alarm is still due is woken again, perhaps in another process. */
const lease_ms = 3_000
const pageSize = 1_000
/** How long a place without messages keeps its entity of a kind of actor. */
const entityIdle = "1 minute"
/** Messages, and followers from other processes, that one kind of actor may have at work in a place. */
const messagesMax = 65_536

export interface ClusterOptions {
  /**
   * Whether an actor in this process is asked directly, not through the cluster. False in tests of the cluster's
   * messages.
   */
  readonly shortcuts?: boolean
}

const clientOf = (sharding: Sharding.Sharding["Service"], protocol: Protocol) => sharding.makeClient(protocol)
type Client = Effect.Success<ReturnType<typeof clientOf>>

/** The handlers of a place, for one kind of actor: they forward everything to the actor that the message names. */
const handlersOf = (cells: Cells, definition: Erased) => {
  const { type } = definition
  const ask = ({ payload }: { readonly payload: Addressed }) =>
    withCaller(cells.tracing, (caller) =>
      Effect.callback<unknown, Failure | NotCommitted>((resume) =>
        cells.route(definition, payload.id, payload.command, resume, caller)
      )
    ).pipe(
      // A defect crosses between processes as text; this one must be recognised by the caller.
      Effect.catchDefect((defect) => (defect instanceof Unreadable ? Effect.fail(defect) : Effect.die(defect)))
    )
  return {
    ...(Object.fromEntries(Object.keys(definition.commands).map((tag) => [rpcOf(tag), ask])) as {
      readonly ask: typeof ask
    }),
    follow: ({ payload }: { readonly payload: { readonly id: string } }) =>
      Stream.unwrap(
        Effect.map(cells.listenersOf(type).subscribe(payload.id), (notices) =>
          Stream.concat(
            Stream.succeed<ReadonlyArray<unknown>>([]),
            Stream.map(Stream.fromQueue(notices), (notice) => [notice])
          )
        )
      ),
    wake: ({ payload }: { readonly payload: { readonly id: string } }) =>
      Effect.sync(() => cells.wake(type, payload.id))
  }
}

/** The answer was lost on the way, and the message may have arrived. */
const unanswered = (cause: unknown) => Effect.fail(new NotCommitted({ reason: "unavailable", unknown: true, cause }))

/** Turns errors of the transport into NotCommitted: the caller may ask again. */
const throughCluster = <A>(answer: Effect.Effect<A, unknown>): Effect.Effect<A, Failure | NotCommitted> =>
  answer.pipe(
    Effect.timeoutOrElse({ duration: askTimeout, orElse: () => unanswered("timeout") }),
    Effect.catchCause((cause) => {
      const error = cause.reasons.find(Cause.isFailReason)?.error
      if (error instanceof Failure || error instanceof NotCommitted) return Effect.fail(error)
      if (error instanceof Unreadable) return Effect.die(error)
      const failed = unanswered(cause)
      return Cause.hasDies(cause)
        ? Effect.andThen(Effect.logError("Sending a message to an actor failed", cause), failed)
        : failed
    })
  )

/**
 * A queue of the notices of a stream. It ends with the stream, when it is full, and when the actor has moved: the
 * cluster then opens the stream again, and notices may have been lost in between.
 */
const queueOf = (notices: Stream.Stream<ReadonlyArray<unknown>, unknown>) =>
  Effect.gen(function* () {
    const queue = yield* Queue.dropping<unknown, Cause.Done>(waitingMax)
    const opened = yield* Deferred.make<void>()
    yield* notices.pipe(
      Stream.takeWhile((batch) =>
        batch.length === 0
          ? Deferred.doneUnsafe(opened, Effect.void)
          : batch.every((notice) => Queue.offerUnsafe(queue, notice))
      ),
      Stream.runDrain,
      Effect.ignoreCause,
      Effect.ensuring(Effect.andThen(Queue.end(queue), Deferred.succeed(opened, undefined))),
      Effect.forkScoped({ startImmediately: true })
    )
    yield* Deferred.await(opened).pipe(Effect.timeoutOrElse({ duration: askTimeout, orElse: () => Queue.end(queue) }))
    return queue
  })

/**
 * Wakes actors whose alarm is due, forever. Each alarm is postponed first, so that it is due again if the node dies.
 */
const sweepAlarms = (journal: (typeof Journal)["Service"], wake: (alarm: Alarm) => void) => {
  const sweep = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (let due: ReadonlyArray<Alarm>, more = true; more; more = due.length === pageSize) {
      due = yield* journal.alarms({ before: now, limit: pageSize })
      if (due.length > 0) yield* journal.postpone(due, now + lease_ms)
      due.forEach(wake)
    }
  })
  return sweep.pipe(
    Effect.catchCause((cause) => Effect.logWarning("Reading the alarms failed; retrying", cause)),
    Effect.andThen(Effect.sleep(sweep_ms)),
    Effect.forever
  )
}

/** Sends commands and signals to actors in any process, through the client of their type. */
const makeMessenger = (cells: Cells) => {
  const clients = new Map<string, Client>()
  const clientFor = (type: string, id: string) => {
    const client = clients.get(type)
    if (client === undefined) throw new Error(`Actor type ${type} is not registered`)
    return client(entityOf(id))
  }
  return {
    clients,
    clientFor,
    remote: (definition: AnyDefinition, id: string, command: object): Effect.Effect<unknown, unknown> => {
      const client = clientFor(definition.type, id)
      const { _tag } = command as { readonly _tag: string }
      // The client has a method for each command, which its type cannot name.
      const ask = (client as unknown as Readonly<Record<string, typeof client.ask>>)[rpcOf(_tag)]
      return expectPresent(ask, `The command ${_tag}`)({ id, command })
    },
    wake: (type: string, id: string): void => {
      if (!clients.has(type)) return
      const sent = clientFor(type, id).wake({ id }, { discard: true })
      cells.fork(Effect.ignoreCause(Effect.timeoutOption(sent, lease_ms)))
    }
  }
}

/** Asks an actor directly if it is in this process, else through the cluster. Only actors in this process are tied. */
const makeAsking = (
  cells: Cells,
  isHere: (type: string, id: string) => boolean,
  remote: ReturnType<typeof makeMessenger>["remote"]
): Pick<ActorSystem["Service"], "ask" | "askTied"> => {
  const ask = ((to: AnyDefinition | AnyCommand, id: string, given: object) => {
    const definition = "tag" in to ? cells.definitionOf(to.actor) : to
    const command = "tag" in to ? { _tag: to.tag, ...given } : given
    return Effect.suspend((): Effect.Effect<never, never> =>
      isHere(definition.type, id)
        ? withCaller(cells.tracing, (caller) =>
            Effect.callback((resume) => cells.route(erase(definition), id, command, resume as never, caller))
          )
        : (throughCluster(remote(definition, id, command)) as Effect.Effect<never, never>)
    )
  }) as Ask
  const tied = ((first, second) =>
    Effect.suspend(() =>
      isHere(first.command.actor, first.id)
        ? withCaller(cells.tracing, (caller) => askTied(cells, first, second, caller))
        : Effect.map(ask(first.command, first.id, first.payload), (reply) => ({ first: reply }))
    )) as AskTied
  return { ask, askTied: tied }
}

const make = ({ shortcuts = true }: ClusterOptions) =>
  Effect.gen(function* () {
    const cells = yield* makeCells
    const journal = yield* Journal
    const sharding = yield* Sharding.Sharding
    const scope = yield* Effect.scope
    const places = yield* makeOwnPlaces(cells, sharding)
    const { clientFor, clients, remote, wake: wakeRemote } = makeMessenger(cells)
    /** Whether the actor is reached without the cluster: it is in memory, or may come into it. */
    const isHere = (type: string, id: string): boolean => shortcuts && (cells.has(type, id) || places.owns(id))
    const wake = (type: string, id: string): void =>
      clients.has(type) && isHere(type, id) ? cells.wake(type, id) : wakeRemote(type, id)

    cells.placement = {
      owns: (_, id) => places.owns(id),
      entered: places.entered,
      left: places.left,
      passivated: () => {},
      wake
    }

    const subscribe: ActorSystem["Service"]["subscribe"] = (definition, id) =>
      Effect.suspend(() => queueOf(clientFor(definition.type, id).follow({ id }))) as never

    return ActorSystem.of({
      ...makeAsking(cells, isHere, remote),
      subscribe,
      follow: (definition, id, listener) => followThrough(subscribe(definition, id), listener),
      register: (definition: AnyDefinition, perform: unknown) =>
        Effect.gen(function* () {
          const erased = erase(definition)
          const protocol = protocolOf(erased)
          cells.register(erased, perform as ErasedPerform)
          yield* Metric.value(restartsOf(definition.type))
          clients.set(erased.type, yield* clientOf(sharding, protocol))
          yield* sharding.registerEntity(protocol, Effect.succeed(handlersOf(cells, erased)), {
            maxIdleTime: entityIdle,
            concurrency: "unbounded",
            mailboxCapacity: messagesMax
          })
        }).pipe(Scope.provide(scope)),
      start: Effect.gen(function* () {
        const types = cells.wokenByFanOut
        yield* Effect.acquireRelease(
          Effect.sync(() => journal.onFanOut((ids) => types.forEach((type) => ids.forEach((id) => wake(type, id))))),
          (stop) => Effect.sync(stop)
        )
        yield* sharding.registerSingleton(
          "trunkline/alarms",
          sweepAlarms(journal, ({ actor_id, actor_type }) => wake(actor_type, actor_id))
        )
      }),
      drain: cells.settled,
      tellAll: ({ actor, tag }, given, told) => tellAll(cells, actor, { _tag: tag, ...given }, told),
      recheckDeadlines: Effect.sync(() => cells.timers.resume()),
      resident: Effect.sync(() => cells.resident),
      stopped: Effect.sync(() => cells.stopped)
    })
  })

export const layer = (options: ClusterOptions = {}) => Layer.effect(ActorSystem, make(options))
