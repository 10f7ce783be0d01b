// The cells of one process: activation, routing to them in order of arrival, passivation.
import { Cause, Clock, type Context, Effect, Exit, Fiber, type Queue, type Scope, type Tracer } from "effect"
import { Ids } from "../../domain/ports/Ids.ts"
import { Journal } from "../../domain/ports/Journal.ts"
import type { Committed, Entry, Stored } from "../../domain/journal/Rows.ts"
import { Cell, type Host } from "./Cell.ts"
import type { Recorded } from "./Definition.ts"
import { type Done, type Erased, type ErasedChange, type ErasedPerform, unanswered, unavailable } from "./Erased.ts"
import { Unreadable } from "../../domain/state/StoredState.ts"
import { Listeners } from "./Listeners.ts"
import { type Caller, makeTracing, type Tracing } from "./Tracing.ts"
import { Timers } from "./Timers.ts"

/** How long an actor with nothing left to do, and one that waits for a far deadline, stays in memory. */
const doneIdle_ms = 2_000
const waitingIdle_ms = 60_000
/** An actor that could not be read or written is brought back after so long. */
const revive_ms = 1_000

/** The actor is being read, or its last writes are being waited for; what arrives meanwhile is kept in order. */
interface Opening {
  readonly arrivals: Array<{ readonly command: unknown; readonly done: Done; readonly caller?: Caller | undefined }>
  /** Whether it must come into memory even if nobody asks. */
  wanted: boolean
  /** Whether it has no place here any more. */
  evicted?: true
}

/** `Unreadable`: the actor is stopped. */
type Slot = Cell | Opening | Unreadable

interface Kind {
  readonly definition: Erased
  readonly perform: ErasedPerform
  readonly slots: Map<string, Slot>
  readonly listeners: Listeners
}

/** How the cells of this process stand to all others. */
export interface Placement {
  /** Whether the actor may live here. */
  readonly owns: (type: string, id: string) => boolean
  readonly entered: (type: string, id: string) => void
  readonly left: (type: string, id: string) => void
  /** An actor with nothing to do for now left, and must be woken when it is due: never for null. */
  readonly passivated: (type: string, id: string, due: number | null) => void
  /** Brings an actor into memory, wherever it lives by then. */
  readonly wake: (type: string, id: string) => void
}

export class Cells implements Host {
  readonly timers: Timers
  readonly uuid: () => string
  readonly tracing: Tracing | undefined
  placement: Placement = {
    owns: () => true,
    entered: () => {},
    left: () => {},
    passivated: () => {},
    wake: (type, id) => this.wake(type, id)
  }
  private readonly kinds = new Map<string, Kind>()
  private readonly clock: Clock.Clock
  private readonly journal: Context.Service.Shape<typeof Journal>
  private readonly runFork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  private readonly fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  private changed: Array<Cell> = []
  /** Reads and writes of the journal that have not come back. */
  private underway = 0
  private onQuiet: Array<() => void> = []
  private closing = false

  constructor(options: {
    readonly clock: Clock.Clock
    readonly journal: Context.Service.Shape<typeof Journal>
    readonly uuid: () => string
    readonly tracing?: Tracing | undefined
    readonly runFork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  }) {
    this.clock = options.clock
    this.journal = options.journal
    this.uuid = options.uuid
    this.tracing = options.tracing
    this.runFork = options.runFork
    this.timers = new Timers(options.clock, options.runFork)
  }

  register(definition: Erased, perform: ErasedPerform): void {
    if (this.kinds.has(definition.type)) throw new Error(`Actor type ${definition.type} is registered twice`)
    this.kinds.set(definition.type, { definition, perform, slots: new Map(), listeners: new Listeners() })
  }

  /** The types of the actors that a fan-out wakes. */
  get wokenByFanOut(): ReadonlyArray<string> {
    return [...this.kinds.values()].flatMap(({ definition: { type, wakesOnFanOut } }) => (wakesOnFanOut ? [type] : []))
  }

  get resident(): number {
    let count = 0
    for (const { slots } of this.kinds.values())
      for (const slot of slots.values()) if (!(slot instanceof Unreadable)) count++
    return count
  }

  /** Actors that are stopped because their stored state is unreadable, each as `Type/id`. */
  get stopped(): ReadonlyArray<string> {
    const stopped: Array<string> = []
    for (const [type, { slots }] of this.kinds)
      for (const [id, slot] of slots) if (slot instanceof Unreadable) stopped.push(`${type}/${id}`)
    return stopped
  }

  // ---- messages

  route(definition: Erased, id: string, command: unknown, done: Done, caller?: Caller): void {
    if (this.closing) return done(Exit.fail(unavailable("shutting down")))
    const kind = this.kindOf(definition.type)
    const slot = kind.slots.get(id)
    if (slot instanceof Cell) return slot.tell(command, done, caller)
    if (slot instanceof Unreadable) return done(Exit.die(slot))
    if (slot !== undefined) return void slot.arrivals.push({ command, done, caller })
    if (definition.creates?.(command) === true) return this.create(kind, id, command, done, caller)
    this.open(kind, id, { arrivals: [{ command, done, caller }], wanted: false })
  }

  /** Brings an actor into memory, so that what its state calls for is under way. */
  wake(type: string, id: string): void {
    const kind = this.kinds.get(type)
    if (kind === undefined || this.closing) return
    const { definition, slots } = kind
    const slot = slots.get(id)
    if (slot instanceof Cell) return slot.wake()
    if (slot instanceof Unreadable) return
    const arrivals = definition.wake === undefined ? [] : [{ command: definition.wake, done: unanswered }]
    if (slot === undefined) return this.open(kind, id, { arrivals, wanted: true })
    slot.wanted = true
    slot.arrivals.push(...arrivals)
  }

  private create(kind: Kind, id: string, command: unknown, done: Done, caller?: Caller): void {
    const { definition, perform, slots } = kind
    const cell = new Cell(this, definition, perform, id, {
      state: definition.initial(id),
      version: 0,
      alarm: null,
      assumed: true
    })
    slots.set(id, cell)
    this.placement.entered(definition.type, id)
    cell.tell(command, done, caller)
    if (cell.notYetStored) cell.leave()
  }

  private open(kind: Kind, id: string, slot: Opening): void {
    kind.slots.set(id, slot)
    this.placement.entered(kind.definition.type, id)
    this.read(kind, id, slot)
  }

  private vacate(kind: Kind, id: string, slot: Opening, cause?: unknown): void {
    kind.slots.delete(id)
    this.placement.left(kind.definition.type, id)
    for (const { done } of slot.arrivals) done(Exit.fail(unavailable(cause)))
    if (slot.wanted && slot.evicted === undefined) this.revive(kind, id)
  }

  private read(kind: Kind, id: string, slot: Opening): void {
    this.underway++
    const { type } = kind.definition
    const loading = Effect.suspend(() =>
      this.placement.owns(type, id) ? this.journal.load(type, id) : Effect.fail(unavailable("moved"))
    )
    this.fork(Effect.map(loading, (stored) => this.restore(kind, id, stored))).addObserver((restored) => {
      this.returned()
      if (Exit.isFailure(restored)) {
        if (Cause.hasDies(restored.cause)) this.fork(Effect.logError(`Reading ${type} ${id} failed`, restored.cause))
        return this.vacate(kind, id, slot, restored.cause)
      }
      if (restored.value instanceof Unreadable) return this.stop(kind, id, slot, restored.value)
      this.opened(kind, id, slot, restored.value)
    })
  }

  private restore({ definition, perform }: Kind, id: string, stored: Stored | undefined): Cell | Unreadable {
    try {
      return new Cell(this, definition, perform, id, {
        state: stored === undefined ? definition.initial(id) : definition.restore(stored, id),
        version: stored?.version ?? 0,
        alarm: stored?.alarm ?? null,
        assumed: false
      })
    } catch (error) {
      return error instanceof Unreadable
        ? error
        : new Unreadable("The stored state could not be restored.", { cause: error })
    }
  }

  /**
   * The actor stays stopped in this process: it is not read again, not even for its alarm, and its row is left as it
   * is. It is read again when it moves to another process, or after a restart.
   */
  private stop({ definition: { type }, slots }: Kind, id: string, slot: Opening, cause: Unreadable): void {
    const error = new Unreadable(`${type} ${id} is stopped. ${cause.message}`, { cause })
    this.fork(Effect.logError("An actor is stopped: its stored state is unreadable", error))
    slots.set(id, error)
    for (const { done } of slot.arrivals) done(Exit.die(error))
    if (slot.evicted) this.evict(type, id)
  }

  /** The cell takes its place only after it was told what had waited: what the answers call forth comes after that. */
  private opened(kind: Kind, id: string, slot: Opening, cell: Cell): void {
    cell.activate()
    while (!cell.halted) {
      const arrival = slot.arrivals.shift()
      if (arrival === undefined) break
      cell.tell(arrival.command, arrival.done, arrival.caller)
    }
    if (cell.halted) return
    kind.slots.set(id, cell)
    if (slot.evicted) this.evict(kind.definition.type, id)
  }

  definitionOf(type: string): Erased {
    return this.kindOf(type).definition
  }

  private kindOf(type: string): Kind {
    const kind = this.kinds.get(type)
    if (kind === undefined) throw new Error(`Actor type ${type} is not registered`)
    return kind
  }

  // ---- what a cell asks of its host

  now(): number {
    return this.clock.currentTimeMillisUnsafe()
  }

  append(entry: Entry, done: (outcome: Committed) => void, span: Tracer.Span | undefined): void {
    this.underway++
    const settled = (outcome: Committed) => {
      done(outcome)
      this.returned()
    }
    this.journal.append(entry, settled, span)
  }

  fork<A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> {
    const fiber = this.runFork(effect)
    if (fiber.pollUnsafe() !== undefined) return fiber
    this.fibers.add(fiber)
    fiber.addObserver(() => this.fibers.delete(fiber))
    return fiber
  }

  reconcileSoon(cell: Cell): void {
    if (this.changed.push(cell) === 1) queueMicrotask(() => this.reconcile())
  }

  private reconcile(): void {
    const cells = this.changed
    this.changed = []
    if (this.closing) return
    for (const cell of cells) cell.reconcile()
  }

  publish({ definition, id }: Cell, change: ErasedChange, recorded: Recorded | undefined): void {
    const { listeners } = this.kindOf(definition.type)
    if (!listeners.has(id) || definition.notices === undefined) return
    try {
      listeners.publish(id, definition.notices(change, recorded), definition.expendable)
    } catch (defect) {
      listeners.end(id)
      this.fork(Effect.logError(`The notices of ${definition.type} ${id} died`, defect))
    }
  }

  died({ definition, id }: Cell, defect: unknown): void {
    this.fork(Effect.logError(`${definition.type} ${id} died; it is activated afresh`, defect))
  }

  halted({ definition, id }: Cell): void {
    const { slots } = this.kindOf(definition.type)
    if (slots.get(id) instanceof Cell) slots.set(id, { arrivals: [], wanted: false })
  }

  drained(cell: Cell): void {
    const { definition, id } = cell
    const kind = this.kindOf(definition.type)
    const slot = kind.slots.get(id)
    if (slot === undefined || slot instanceof Cell || slot instanceof Unreadable) return
    slot.wanted ||= cell.comesBack !== "never"
    const isAskedFor = slot.arrivals.length > 0 || cell.comesBack === "now"
    if (isAskedFor && slot.evicted === undefined) this.read(kind, id, slot)
    else this.vacate(kind, id, slot, "moved")
  }

  private revive({ definition: { type } }: Kind, id: string): void {
    if (!this.closing) this.timers.set(this.now() + revive_ms, () => this.placement.wake(type, id))
  }

  // ---- passivation

  rest(cell: Cell): void {
    this.restUntil(cell, this.now() + idle_ms(cell.due))
  }

  private restUntil(cell: Cell, at: number): void {
    if (cell.idle !== undefined) {
      if (cell.idle.at <= at) return
      this.timers.cancel(cell.idle)
    }
    cell.idle = this.timers.set(at, () => {
      cell.idle = undefined
      this.passivate(cell)
    })
  }

  private passivate(cell: Cell): void {
    if (cell.halted || this.closing) return
    const { due } = cell
    const now = this.now()
    const rested_at = cell.touched_at + idle_ms(due)
    if (rested_at > now) return this.restUntil(cell, rested_at)
    if (!cell.idles || (due !== null && due < now + waitingIdle_ms)) return this.restUntil(cell, now + idle_ms(due))
    // An early alarm would wake the actor for nothing.
    if (!cell.alarmIsExact) return cell.saveAlarm(() => this.passivate(cell))
    cell.leave()
    this.placement.passivated(cell.definition.type, cell.id, due)
  }

  has(type: string, id: string): boolean {
    return this.kindOf(type).slots.has(id)
  }

  /** Gives the memory of an actor up at once. What its state calls for starts again with the next message or alarm. */
  evict(type: string, id: string): void {
    const { slots } = this.kindOf(type)
    const slot = slots.get(id)
    if (slot instanceof Cell) slot.leave()
    const opening = slots.get(id)
    if (opening instanceof Unreadable) {
      slots.delete(id)
      this.placement.left(type, id)
    } else if (opening !== undefined && !(opening instanceof Cell)) opening.evicted = true
  }

  // ---- the system

  subscribe(type: string, id: string): Effect.Effect<Queue.Dequeue<unknown, Cause.Done>, never, Scope.Scope> {
    return Effect.suspend(() => this.kindOf(type).listeners.subscribe(id))
  }

  /** Waits until no timer is due, nothing is on its way to or from the journal, and nothing comes of that. */
  readonly settled: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    for (let calm = 0; calm < 4; calm = this.underway === 0 && !this.timers.due ? calm + 1 : 0) {
      if (this.underway > 0) yield* Effect.callback<void>((resume) => void this.onQuiet.push(() => resume(Effect.void)))
      yield* Effect.yieldNow
    }
  })

  private returned(): void {
    if (--this.underway > 0) return
    const { onQuiet } = this
    this.onQuiet = []
    for (const resume of onQuiet) resume()
  }

  /** Lets nothing new in and stops all work. The journal still writes, and answers, what it was given before. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.closing = true
    this.timers.close()
    for (const { listeners } of this.kinds.values()) listeners.endAll()
    return Fiber.interruptAll([...this.fibers])
  })
}

const idle_ms = (due: number | null): number => (due === null ? doneIdle_ms : waitingIdle_ms)

/** The cells of the process that the scope is of; they stop with it. */
export const makeCells: Effect.Effect<Cells, never, Journal | Ids | Scope.Scope> = Effect.gen(function* () {
  const cells = new Cells({
    clock: yield* Clock.Clock,
    journal: yield* Journal,
    uuid: (yield* Ids).uuid,
    tracing: yield* makeTracing,
    runFork: Effect.runForkWith(yield* Effect.context<never>())
  })
  yield* Effect.addFinalizer(() => Effect.timeoutOption(cells.close, "10 seconds"))
  return cells
})
