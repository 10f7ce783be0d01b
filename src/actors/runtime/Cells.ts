// The actors in the memory of one process: activates them, routes messages to them in order, and passivates them.
import { Cause, Clock, type Context, Effect, Exit, Fiber, type Scope } from "effect"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { type Append, Journal } from "../../domain/ports/engine/Journal.ts"
import type { Committed } from "../../domain/journal/Rows.ts"
import { Cell, type Host, type Seconded } from "./Cell.ts"
import type { Recorded } from "./Definition.ts"
import {
  type Done,
  type Erased,
  type ErasedChange,
  type ErasedPerform,
  type Next,
  type Second,
  unanswered,
  unavailable
} from "./Erased.ts"
import { Unreadable } from "../../domain/state/StoredState.ts"
import { Listeners } from "./Listeners.ts"
import type { Placement } from "./Placement.ts"
import type { Arrival, Opening } from "./Opening.ts"
import { createdCell, storedCell } from "./MakeCell.ts"
import { type Caller, makeTracing, type Tracing } from "./Tracing.ts"
import { Timers } from "./Timers.ts"

/** How long an idle actor stays in memory: without a deadline, and with a distant one. */
const doneIdle_ms = 2_000
const waitingIdle_ms = 60_000
/** The pause before an actor that could not be read or written is activated again. */
const revive_ms = 1_000

/** `Unreadable`: the actor is stopped. */
type Slot = Cell | Opening | Unreadable

interface Kind {
  readonly definition: Erased
  readonly perform: ErasedPerform
  readonly slots: Map<string, Slot>
  readonly listeners: Listeners
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
  /** Reads and writes of the journal in flight. */
  private inFlight = 0
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

  /** The actor types that a fan-out wakes. */
  get wokenByFanOut(): ReadonlyArray<string> {
    return [...this.kinds.values()].flatMap(({ definition: { type, wakesOnFanOut } }) => (wakesOnFanOut ? [type] : []))
  }

  activeOf(type: string): ReadonlyArray<Cell> {
    return [...this.kindOf(type).slots.values()].filter((slot) => slot instanceof Cell)
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

  route(definition: Erased, id: string, command: unknown, done: Done, caller?: Caller, next?: Next): void {
    if (this.closing) return done(Exit.fail(unavailable("shutting down")))
    const kind = this.kindOf(definition.type)
    const slot = kind.slots.get(id)
    if (slot instanceof Cell) return slot.tell(command, done, caller, next)
    if (slot instanceof Unreadable) return done(Exit.die(slot))
    const arrival = { command, done, caller, next }
    if (slot !== undefined) return void slot.arrivals.push(arrival)
    if (definition.creates?.(command) === true) return this.create(createdCell(this, kind, id), arrival)
    this.open(kind, id, { arrivals: [arrival], mustActivate: false })
  }

  /** Brings an actor into memory, so that its planned work runs. */
  wake(type: string, id: string): void {
    const kind = this.kinds.get(type)
    if (kind === undefined || this.closing) return
    const { definition, slots } = kind
    const slot = slots.get(id)
    if (slot instanceof Cell) return slot.wake()
    if (slot instanceof Unreadable) return
    const arrivals = definition.wake === undefined ? [] : [{ command: definition.wake, done: unanswered }]
    if (slot === undefined) return this.open(kind, id, { arrivals, mustActivate: true })
    slot.mustActivate = true
    slot.arrivals.push(...arrivals)
  }

  private create(cell: Cell, { caller, command, done, next }: Arrival): void {
    this.enter(cell)
    cell.tell(command, done, caller, next)
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
    if (slot.mustActivate && slot.evicted === undefined) this.revive(kind, id)
  }

  private read(kind: Kind, id: string, slot: Opening): void {
    this.inFlight++
    const { type } = kind.definition
    const loading = Effect.suspend(() =>
      this.placement.owns(type, id) ? this.journal.load(type, id) : Effect.fail(unavailable("moved"))
    )
    this.fork(Effect.map(loading, (stored) => storedCell(this, kind, id, stored))).addObserver((restored) => {
      this.returned()
      if (Exit.isFailure(restored)) {
        if (Cause.hasDies(restored.cause)) this.fork(Effect.logError(`Reading ${type} ${id} failed`, restored.cause))
        return this.vacate(kind, id, slot, restored.cause)
      }
      if (restored.value instanceof Unreadable) return this.stop(kind, id, slot, restored.value)
      this.opened(kind, id, slot, restored.value)
    })
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

  /**
   * The cell handles the waiting messages before it takes its place, so that messages which they cause come after them.
   */
  private opened(kind: Kind, id: string, slot: Opening, cell: Cell): void {
    cell.activate()
    while (!cell.halted) {
      const arrival = slot.arrivals.shift()
      if (arrival === undefined) break
      cell.tell(arrival.command, arrival.done, arrival.caller, arrival.next)
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

  // ---- Host

  now(): number {
    return this.clock.currentTimeMillisUnsafe()
  }

  enter(cell: Cell): void {
    const { definition, id } = cell
    const { slots } = this.kindOf(definition.type)
    if (slots.get(id) === cell) return
    slots.set(id, cell)
    this.placement.entered(definition.type, id)
  }

  second(next: Second, first: Cell): Seconded | undefined {
    const { command, definition, id } = next
    const kind = this.kindOf(definition.type)
    if (this.closing || !this.placement.owns(definition.type, id)) return undefined
    const slot =
      kind.slots.get(id) ?? (definition.creates?.(command) === true ? createdCell(this, kind, id) : undefined)
    return slot instanceof Cell && slot !== first ? slot.consider(next) : undefined
  }

  append(append: Append): void {
    const { done, entry, span } = this.counted(append)
    this.journal.append(entry, done, span)
  }

  appendTied(unit: ReadonlyArray<Append>): void {
    this.journal.appendTied(unit.map((append) => this.counted(append)))
  }

  private counted({ done, entry, span }: Append): Append {
    this.inFlight++
    const settled = (outcome: Committed) => {
      done(outcome)
      this.returned()
    }
    return { entry, done: settled, span }
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
      this.fork(Effect.logError(`Publishing the notices of ${definition.type} ${id} failed`, defect))
    }
  }

  died({ definition, id }: Cell, defect: unknown): void {
    this.fork(Effect.logError(`A command of ${definition.type} ${id} failed; the actor is activated again`, defect))
  }

  halted({ definition, id }: Cell): void {
    const { slots } = this.kindOf(definition.type)
    if (slots.get(id) instanceof Cell) slots.set(id, { arrivals: [], mustActivate: false })
  }

  drained(cell: Cell): void {
    const { definition, id } = cell
    const kind = this.kindOf(definition.type)
    const slot = kind.slots.get(id)
    if (slot === undefined || slot instanceof Cell || slot instanceof Unreadable) return
    slot.mustActivate ||= cell.reactivation !== "never"
    const isNeededNow = slot.arrivals.length > 0 || cell.reactivation === "now"
    if (isNeededNow && slot.evicted === undefined) this.read(kind, id, slot)
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
    // What makes it idle later reconciles it, which lets it rest sooner.
    if (!cell.idles) return this.restUntil(cell, now + waitingIdle_ms)
    if (due !== null && due < now + waitingIdle_ms) return this.restUntil(cell, now + idle_ms(due))
    // An early alarm would wake the actor for nothing.
    if (!cell.alarmIsExact) return cell.saveAlarm(() => this.passivate(cell))
    cell.leave()
    this.placement.passivated(cell.definition.type, cell.id, due)
  }

  has(type: string, id: string): boolean {
    return this.kindOf(type).slots.has(id)
  }

  /** Removes an actor from memory at once. Its next message or alarm starts its planned work again. */
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

  listenersOf(type: string): Listeners {
    return this.kindOf(type).listeners
  }

  /** Waits until no timer is due and no journal access is in flight, and stays so for several turns. For tests. */
  readonly settled: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    for (let calm = 0; calm < 4; calm = this.inFlight === 0 && !this.timers.due ? calm + 1 : 0) {
      if (this.inFlight > 0) yield* Effect.callback<void>((resume) => void this.onQuiet.push(() => resume(Effect.void)))
      yield* Effect.yieldNow
    }
  })

  private returned(): void {
    if (--this.inFlight > 0) return
    const { onQuiet } = this
    this.onQuiet = []
    for (const resume of onQuiet) resume()
  }

  /** Refuses new messages and stops all work. The journal still writes and answers what it has received. */
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
