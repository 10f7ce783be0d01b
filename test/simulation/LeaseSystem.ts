// An actor system of several processes: the engine's own cells, spread by leases. It stands in for ClusterSystem.ts on
// Effect's cluster, at a quarter of its cost.
import { type Cause, Clock, Effect, Exit, Layer, Queue, type Scope } from "effect"
import { ActorSystem, type Ask, type AskTied, followThrough } from "../../src/actors/runtime/ActorSystem.ts"
import { type Cells, makeCells } from "../../src/actors/runtime/Cells.ts"
import type { AnyDefinition } from "../../src/actors/runtime/Definition.ts"
import { erase, type Erased, type ErasedPerform, type Reply, unavailable } from "../../src/actors/runtime/Erased.ts"
import { askTied, tellAll } from "../../src/actors/runtime/OneTurn.ts"
import type { AnyCommand } from "../../src/domain/Command.ts"
import type { Failure } from "../../src/domain/errors/Failure.ts"
import { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import type { Database } from "./Database.ts"
import { type LeaseTable, lease_ms, shardOf } from "./LeaseTable.ts"
import type { Net } from "./Net.ts"
import type { Process } from "./Process.ts"

const refresh_ms = 1_000
const patience_ms = 10_000
const sweep_ms = 500
const alarmLease_ms = 3_000
const noticesMax = 256

interface Message {
  readonly type: string
  readonly id: string
  readonly content:
    | { readonly kind: "ask"; readonly command: unknown }
    | { readonly kind: "wake" }
    | { readonly kind: "follow"; readonly notice: (notice: unknown) => void; readonly end: () => void }
}

type Answer = Reply | "moved" | "opened"

export interface Node {
  readonly process: Process
  receive?: (message: Message, reply: (answer: Answer) => void) => void
}

export interface Place {
  readonly database: Database
  readonly leases: LeaseTable
  readonly net: Net
  /** Every process that there ever was, by name. */
  readonly nodes: Map<string, Node>
}

type Notices = Queue.Queue<unknown, Cause.Done>

/** What a process owns now, as far as it knows. */
class Ownership {
  mine: ReadonlySet<number> = new Set()
  owners: ReadonlyMap<number, string> = new Map()
  good_until = 0
  given: ReadonlyArray<number> = []
  readonly resident = new Map<number, Set<string>>()
  readonly following = new Map<number, Set<() => void>>()
  private readonly place: Place
  private readonly process: Process
  private readonly cells: Cells

  constructor(place: Place, process: Process, cells: Cells) {
    this.place = place
    this.process = process
    this.cells = cells
  }

  owns(id: string): boolean {
    return this.mine.has(shardOf(id)) && this.process.now < this.good_until
  }

  ownerOf(id: string): Node | undefined {
    return this.place.nodes.get(this.owners.get(shardOf(id)) ?? "")
  }

  lose(shard: number): void {
    for (const address of this.resident.get(shard) ?? []) {
      const [type = "", id = ""] = address.split("\n")
      this.cells.evict(type, id)
    }
    for (const end of this.following.get(shard) ?? []) end()
    this.following.delete(shard)
  }

  readonly refresh = Effect.gen({ self: this }, function* () {
    const { database, leases } = this.place
    const { process } = this
    const sent_at = process.now
    const claim = () => leases.claim(process.name, database.server.now, this.given)
    const claimed = yield* database
      .query(process, claim, new NotCommitted({ reason: "unavailable" }))
      .pipe(Effect.timeoutOption("2 seconds"))
    if (claimed._tag === "None") return
    const before = this.mine
    const { mine, owners, unwanted } = claimed.value
    this.owners = owners
    this.mine = new Set([...mine].filter((shard) => !unwanted.includes(shard)))
    this.good_until = sent_at + lease_ms - 500
    for (const shard of before) if (!this.mine.has(shard)) this.lose(shard)
    // A shard is given back once nothing that its actors wrote is on its way.
    this.given = unwanted.filter((shard) => (this.resident.get(shard)?.size ?? 0) === 0)
  })

  readonly expire = Effect.sync(() => {
    if (this.process.now < this.good_until) return
    for (const shard of this.mine) this.lose(shard)
    this.mine = new Set()
  })
}

const receiver =
  (cells: Cells, ownership: Ownership, kinds: ReadonlyMap<string, Erased>): NonNullable<Node["receive"]> =>
  ({ content, id, type }, reply) => {
    const definition = kinds.get(type)
    if (definition === undefined || !ownership.owns(id)) return reply("moved")
    if (content.kind === "wake") return cells.wake(type, id)
    if (content.kind === "ask") return cells.route(definition, id, content.command, reply)
    const follow = Effect.gen(function* () {
      const queue = yield* cells.listenersOf(type).subscribe(id)
      const shard = shardOf(id)
      const end = () => void Queue.endUnsafe(queue as Notices)
      ownership.following.set(shard, (ownership.following.get(shard) ?? new Set()).add(end))
      reply("opened")
      const next = Effect.flatMap(Queue.take(queue), (notice) => Effect.sync(() => content.notice(notice)))
      yield* Effect.forever(next).pipe(Effect.ignoreCause, Effect.ensuring(Effect.sync(content.end)))
    })
    cells.fork(Effect.scoped(follow))
  }

/** Sends a command again if the connection broke or the actor has moved, until it is answered or patience ends. */
const makeAsk = ({ net }: Place, { process }: Node, cells: Cells, ownership: Ownership) => {
  const askOnce = (to: Node, message: Message) =>
    Effect.callback<Answer>((resume) => {
      const deliver = (reply: (answer: Answer) => void) =>
        to.receive === undefined ? reply("moved") : to.receive(message, reply)
      net.call<Answer>(process, to.process, deliver, (answer) => resume(Effect.succeed(answer ?? "moved")))
    })
  const ask = (definition: Erased, id: string, command: unknown): Effect.Effect<unknown, Failure | NotCommitted> => {
    const until = process.now + patience_ms
    const attempt: Effect.Effect<unknown, Failure | NotCommitted> = Effect.suspend(() => {
      if (ownership.owns(id))
        return Effect.callback<unknown, Failure | NotCommitted>((resume) =>
          cells.route(definition, id, command, resume)
        )
      const to = ownership.ownerOf(id)
      const message: Message = { type: definition.type, id, content: { kind: "ask", command } }
      const answer = to === undefined ? Effect.succeed<Answer>("moved") : askOnce(to, message)
      return Effect.flatMap(answer, (reply) => {
        if (typeof reply !== "string")
          return Exit.isSuccess(reply) ? Effect.succeed(reply.value) : Effect.failCause(reply.cause)
        if (process.now >= until) return Effect.fail(unavailable("moved"))
        return Effect.andThen(Effect.sleep(250), attempt)
      })
    })
    const inTime = Effect.timeoutOrElse(attempt, {
      duration: patience_ms,
      orElse: () => Effect.fail(unavailable("timeout"))
    })
    return Effect.suspend(() => (ownership.owns(id) ? attempt : inTime))
  }
  return ask
}

const makeSubscribe = ({ net }: Place, node: Node, ownership: Ownership) => {
  const { process } = node
  const isReached = (to: Node) =>
    to.process.alive && net.reaches(process, to.process) && net.reaches(to.process, process)
  return (type: string, id: string): Effect.Effect<Queue.Dequeue<unknown, Cause.Done>, never, Scope.Scope> =>
    Effect.gen(function* () {
      const queue = yield* Queue.dropping<unknown, Cause.Done>(noticesMax)
      const end = () => void Queue.endUnsafe(queue)
      yield* Effect.addFinalizer(() => Effect.sync(end))
      const to = ownership.owns(id) ? node : ownership.ownerOf(id)
      if (to === undefined) {
        end()
        return queue
      }
      const pass = (run: () => void) => (to === node ? run() : net.send(to.process, process, run))
      const notice = (value: unknown) => pass(() => void (Queue.offerUnsafe(queue, value) || end()))
      const message: Message = { type, id, content: { kind: "follow", notice, end: () => pass(end) } }
      const opened = yield* Effect.callback<Answer>((resume) => {
        const deliver = (reply: (answer: Answer) => void) =>
          to.receive === undefined ? reply("moved") : to.receive(message, reply)
        if (to === node) return deliver((answer) => resume(Effect.succeed(answer)))
        net.call<Answer>(process, to.process, deliver, (answer) => resume(Effect.succeed(answer ?? "moved")))
      })
      if (opened === "moved") end()
      else if (to !== node) {
        const watch: Effect.Effect<void> = Effect.suspend(() =>
          isReached(to) ? Effect.andThen(Effect.sleep(1_000), watch) : Effect.sync(end)
        )
        yield* Effect.forkScoped(watch)
      }
      return queue
    })
}

const often = (effect: Effect.Effect<void, unknown>, every_ms: number) =>
  Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignoreCause(effect), Effect.sleep(every_ms))))

const make = (place: Place, node: Node) =>
  Effect.gen(function* () {
    const { process } = node
    const cells = yield* makeCells
    const journal = yield* Journal
    const kinds = new Map<string, Erased>()
    const ownership = new Ownership(place, process, cells)
    const wake = (type: string, id: string): void => {
      if (ownership.owns(id)) return cells.wake(type, id)
      const to = ownership.ownerOf(id)
      const message: Message = { type, id, content: { kind: "wake" } }
      if (to !== undefined) place.net.send(process, to.process, () => to.receive?.(message, () => {}))
    }
    cells.placement = {
      owns: (_, id) => ownership.owns(id),
      entered: (type, id) => {
        const shard = shardOf(id)
        ownership.resident.set(shard, (ownership.resident.get(shard) ?? new Set()).add(`${type}\n${id}`))
      },
      left: (type, id) => void ownership.resident.get(shardOf(id))?.delete(`${type}\n${id}`),
      passivated: () => {},
      wake
    }
    node.receive = receiver(cells, ownership, kinds)
    const ask = makeAsk(place, node, cells, ownership)
    const subscribe = makeSubscribe(place, node, ownership)

    /** Whoever owns the first shard wakes the actors whose alarm is due. */
    const sweep = Effect.gen(function* () {
      if (!ownership.mine.has(0) || process.now >= ownership.good_until) return
      const now = yield* Clock.currentTimeMillis
      const due = yield* journal.alarms({ before: now, limit: 1_000 })
      if (due.length > 0) yield* journal.postpone(due, now + alarmLease_ms)
      for (const { actor_id, actor_type } of due) wake(actor_type, actor_id)
    })

    return ActorSystem.of({
      askTied: ((first, second) =>
        Effect.suspend((): Effect.Effect<unknown, unknown> => {
          const definition = cells.definitionOf(first.command.actor)
          if (ownership.owns(first.id)) return askTied(cells, first, second, undefined)
          const asked = ask(definition, first.id, { _tag: first.command.tag, ...first.payload })
          return Effect.map(asked, (reply) => ({ first: reply }))
        })) as AskTied,
      ask: ((to: AnyDefinition | AnyCommand, id: string, given: object) =>
        "tag" in to
          ? ask(cells.definitionOf(to.actor), id, { _tag: to.tag, ...given })
          : ask(erase(to), id, given)) as Ask,
      subscribe: (definition, id) => subscribe(definition.type, id) as never,
      follow: (definition, id, listener) => followThrough(subscribe(definition.type, id) as never, listener),
      register: (definition: AnyDefinition, perform: unknown) =>
        Effect.sync(() => {
          const erased = erase(definition)
          kinds.set(erased.type, erased)
          cells.register(erased, perform as ErasedPerform)
        }),
      start: Effect.gen(function* () {
        const types = cells.wokenByFanOut
        journal.onFanOut((ids) => types.forEach((type) => ids.forEach((id) => wake(type, id))))
        yield* often(ownership.refresh, refresh_ms)
        yield* often(ownership.expire, 500)
        yield* often(sweep, sweep_ms)
      }),
      drain: cells.settled,
      tellAll: ({ actor, tag }, given, told) => tellAll(cells, actor, { _tag: tag, ...given }, told),
      recheckDeadlines: Effect.sync(() => cells.timers.resume()),
      resident: Effect.sync(() => cells.resident),
      stopped: Effect.sync(() => cells.stopped)
    })
  })

export const layer = (place: Place, node: Node) => Layer.effect(ActorSystem, make(place, node))
