// The cells of one process: activation, routing to them in order of arrival, passivation.
import { type Cause, Clock, type Context, Effect, Exit, type Fiber, Queue, type Scope } from "effect"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import { type Committed, type Entry, Journal, NotCommitted, type Stored } from "../../domain/ports/Journal.ts"
import { Cell, type Done, type Reply } from "./Cell.ts"
import type { Change, Recorded } from "./Definition.ts"
import type { Erased, ErasedPerform, Host } from "./Host.ts"
import { makeTimers, type Timer, type Timers } from "./Timers.ts"

/** How long an actor with nothing left to do, and one that waits for a far deadline, stays in memory. */
const doneIdle_ms = 2_000
const waitingIdle_ms = 60_000
/** An actor whose write or load failed is brought back after so long. */
const revive_ms = 1_000
const noticesMax = 256

interface Arrival {
  readonly command: unknown
  readonly done: Done
}

/** The actor is being read, or its last writes are being waited for; what arrives meanwhile is kept in order. */
interface Opening {
  readonly opening: true
  readonly arrivals: Array<Arrival>
  wanted: boolean
}

interface Kind {
  readonly definition: Erased
  readonly perform: ErasedPerform
  readonly slots: Map<string, Cell | Opening>
}

export interface Passivated {
  readonly definition: Erased
  readonly id: string
  readonly due: number
}

type Fork = <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>

const unavailable = (cause?: unknown): Reply => Exit.fail(new NotCommitted({ reason: "unavailable", cause }))

export class Cells implements Host {
  private readonly kinds = new Map<string, Kind>()
  private readonly listeners = new Map<string, Set<Queue.Queue<unknown, Cause.Done>>>()
  /** Ids whose creation met an existing actor: they are read before they are used again. */
  private readonly existing = new Set<string>()
  private readonly clock: Clock.Clock
  private readonly journal: Context.Service.Shape<typeof Journal>
  private readonly timers: Timers
  private readonly fork: Fork
  readonly uuid: () => string
  private laters: Array<() => void> = []
  private active = 0
  private closing = false
  onPassivated: (passivated: Passivated) => void = () => {}

  constructor(options: {
    readonly clock: Clock.Clock
    readonly journal: Context.Service.Shape<typeof Journal>
    readonly timers: Timers
    readonly uuid: () => string
    readonly fork: Fork
  }) {
    this.clock = options.clock
    this.journal = options.journal
    this.timers = options.timers
    this.uuid = options.uuid
    this.fork = options.fork
  }

  register(definition: Erased, perform: ErasedPerform): void {
    if (this.kinds.has(definition.type)) throw new Error(`Actor type ${definition.type} is registered twice`)
    this.kinds.set(definition.type, { definition, perform, slots: new Map() })
  }

  definitionOf(type: string): Erased | undefined {
    return this.kinds.get(type)?.definition
  }

  get resident(): number {
    let count = 0
    for (const { slots } of this.kinds.values()) count += slots.size
    return count
  }

  get idle(): boolean {
    return this.active === 0 && this.laters.length === 0
  }

  // ---- messages

  route(definition: Erased, id: string, command: unknown, done: Done): void {
    if (this.closing) return done(unavailable("shutting down"))
    const kind = this.kindOf(definition)
    const slot = kind.slots.get(id)
    if (slot instanceof Cell) return slot.tell(command, done)
    if (slot !== undefined) return void slot.arrivals.push({ command, done })
    if (definition.creates?.(command) === true && !this.existing.delete(`${definition.type}/${id}`)) {
      return this.create(kind, id, command, done)
    }
    this.open(kind, id, [{ command, done }], false)
  }

  /** Brings an actor into memory, so that what its state calls for is under way. */
  wake(type: string, id: string): void {
    const kind = this.kinds.get(type)
    if (kind === undefined || this.closing) return
    const { definition } = kind
    if (definition.wake !== undefined) return this.route(definition, id, definition.wake, () => {})
    const slot = kind.slots.get(id)
    if (slot === undefined) this.open(kind, id, [], true)
    else if (!(slot instanceof Cell)) slot.wanted = true
  }

  private create(kind: Kind, id: string, command: unknown, done: Done): void {
    const state = kind.definition.initial(id)
    const cell = new Cell(this, kind.definition, id, { state, version: 0, alarm: null })
    kind.slots.set(id, cell)
    cell.tell(command, (reply) => {
      const stale = reply._tag === "Failure" && cell.version === 1 && staleOf(reply)
      if (!stale) return done(reply)
      this.existing.add(`${kind.definition.type}/${id}`)
      this.route(kind.definition, id, command, done)
    })
    this.quiet(cell)
  }

  private open(kind: Kind, id: string, arrivals: Array<Arrival>, wanted: boolean): void {
    const slot: Opening = { opening: true, arrivals, wanted }
    kind.slots.set(id, slot)
    this.read(kind, id, slot)
  }

  private read(kind: Kind, id: string, slot: Opening): void {
    this.active++
    this.fork(Effect.suspend(() => this.journal.load(kind.definition.type, id))).addObserver((loaded) => {
      this.active--
      if (Exit.isSuccess(loaded)) return this.opened(kind, id, slot, loaded.value)
      kind.slots.delete(id)
      for (const { done } of slot.arrivals) done(unavailable(loaded.cause))
      if (slot.wanted) this.revive(kind, id)
    })
  }

  private opened(kind: Kind, id: string, slot: Opening, stored: Stored | undefined): void {
    const { definition } = kind
    const cell = new Cell(this, definition, id, {
      state: stored === undefined ? definition.initial(id) : definition.restore(stored, id),
      version: stored?.version ?? 0,
      alarm: stored?.alarm ?? null
    })
    kind.slots.set(id, cell)
    cell.activate()
    for (const { command, done } of slot.arrivals) this.route(definition, id, command, done)
  }

  private kindOf(definition: Erased): Kind {
    const kind = this.kinds.get(definition.type)
    if (kind === undefined) throw new Error(`Actor type ${definition.type} is not registered`)
    return kind
  }

  // ---- what a cell asks of its host

  idempotencyOf(command: unknown): IdempotentRequest | undefined {
    return (command as { readonly idempotency?: IdempotentRequest }).idempotency
  }

  now(): number {
    return this.clock.currentTimeMillisUnsafe()
  }

  append(entry: Entry, done: (outcome: Committed) => void): void {
    this.active++
    this.journal.append(entry, (outcome) => {
      this.active--
      done(outcome)
    })
  }

  later(run: () => void): void {
    if (this.laters.push(run) === 1) queueMicrotask(() => this.flush())
  }

  private flush(): void {
    const { laters } = this
    for (let index = 0; index < laters.length; index++) laters[index]!()
    this.laters = []
  }

  setTimer(at: number, fire: () => void): Timer {
    return this.timers.set(at, fire)
  }

  cancelTimer(timer: Timer): void {
    this.timers.cancel(timer)
  }

  run(effect: Effect.Effect<void>, onEnd: () => void): (() => void) | undefined {
    const fiber = this.fork(effect)
    if (fiber.pollUnsafe() !== undefined) return undefined
    fiber.addObserver(onEnd)
    return () => fiber.interruptUnsafe()
  }

  performOf(definition: Erased): ErasedPerform {
    return this.kindOf(definition).perform
  }

  publish(cell: Cell, change: Change<unknown, unknown>, recorded: Recorded | undefined): void {
    const queues = this.listeners.get(`${cell.definition.type}/${cell.id}`)
    if (queues === undefined || cell.definition.notices === undefined) return
    for (const notice of cell.definition.notices(change, recorded)) {
      for (const queue of queues) if (!Queue.offerUnsafe(queue, notice)) Queue.endUnsafe(queue)
    }
  }

  failed(cell: Cell): void {
    const kind = this.kindOf(cell.definition)
    if (kind.slots.get(cell.id) !== cell) return
    if (cell.idle !== undefined) this.timers.cancel(cell.idle)
    kind.slots.set(cell.id, { opening: true, arrivals: [], wanted: true })
  }

  drained(cell: Cell): void {
    if (cell.pending > 0) return
    const kind = this.kindOf(cell.definition)
    const slot = kind.slots.get(cell.id)
    if (slot === undefined || slot instanceof Cell) return
    if (slot.arrivals.length > 0) return this.read(kind, cell.id, slot)
    kind.slots.delete(cell.id)
    this.revive(kind, cell.id)
  }

  private revive(kind: Kind, id: string): void {
    this.timers.set(this.now() + revive_ms, () => {
      if (!this.closing && !kind.slots.has(id)) this.open(kind, id, [], true)
    })
  }

  // ---- passivation

  quiet(cell: Cell): void {
    if (cell.idle !== undefined || cell.stopped) return
    const at = cell.touched_at + (cell.due === null ? doneIdle_ms : waitingIdle_ms)
    this.restAt(cell, Math.max(at, this.now() + doneIdle_ms))
  }

  private restAt(cell: Cell, at: number): void {
    cell.idle = this.timers.set(at, () => {
      cell.idle = undefined
      if (cell.stopped || this.closing) return
      this.passivate(cell)
    })
  }

  private passivate(cell: Cell): void {
    const { definition, due } = cell
    const now = this.now()
    const idle_ms = due === null ? doneIdle_ms : waitingIdle_ms
    const rested = now - cell.touched_at >= idle_ms
    const free = cell.pending === 0 && !cell.work.busy && (definition.passivates?.(cell.state) ?? true)
    if (!rested) return this.restAt(cell, cell.touched_at + idle_ms)
    if (!free || (due !== null && due - now < waitingIdle_ms)) return this.restAt(cell, now + idle_ms)
    this.evict(definition.type, cell.id)
    if (due !== null) this.onPassivated({ definition, id: cell.id, due })
  }

  /** Gives the memory of an actor up. What its state calls for starts again with the next message or alarm. */
  evict(type: string, id: string): void {
    const kind = this.kinds.get(type)
    const cell = kind?.slots.get(id)
    if (kind === undefined || !(cell instanceof Cell)) return
    kind.slots.delete(id)
    if (cell.idle !== undefined) this.timers.cancel(cell.idle)
    cell.stop()
    const alarm = cell.exactAlarm()
    if (alarm !== undefined) this.append(alarm, () => {})
  }

  // ---- live notices

  subscribe(type: string, id: string): Effect.Effect<Queue.Dequeue<unknown, Cause.Done>, never, Scope.Scope> {
    const address = `${type}/${id}`
    return Effect.acquireRelease(
      Effect.map(Queue.dropping<unknown, Cause.Done>(noticesMax), (queue) => {
        const queues = this.listeners.get(address)
        if (queues === undefined) this.listeners.set(address, new Set([queue]))
        else queues.add(queue)
        return queue
      }),
      (queue) =>
        Effect.sync(() => {
          const queues = this.listeners.get(address)
          queues?.delete(queue)
          if (queues?.size === 0) this.listeners.delete(address)
          Queue.endUnsafe(queue)
        })
    )
  }

  /** Lets nothing new in, waits for what is on its way to the disk, and stops all work. */
  close(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.closing = true
      for (const { slots } of this.kinds.values()) {
        for (const slot of slots.values()) if (slot instanceof Cell) slot.work.stop()
      }
      return settle(this)
    })
  }
}

const staleOf = (reply: Extract<Reply, { readonly _tag: "Failure" }>): boolean =>
  reply.cause.reasons.some((reason) =>
    reason._tag === "Fail" && reason.error instanceof NotCommitted && reason.error.reason === "stale"
  )

/** Waits until nothing is on its way to or from the journal, several times in a row. */
export const settle = (cells: Cells): Effect.Effect<void> =>
  Effect.gen(function*() {
    for (let calm = 0; calm < 4; calm = cells.idle ? calm + 1 : 0) yield* Effect.yieldNow
  })

export const makeCells: Effect.Effect<Cells, never, Journal | Ids | Scope.Scope> = Effect.gen(function*() {
  const cells = new Cells({
    clock: yield* Clock.Clock,
    journal: yield* Journal,
    timers: yield* makeTimers,
    uuid: (yield* Ids).uuid,
    fork: Effect.runForkWith(yield* Effect.context<never>())
  })
  yield* Effect.addFinalizer(() => Effect.timeoutOption(cells.close(), "10 seconds"))
  return cells
})
