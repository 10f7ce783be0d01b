// One actor in memory: its state, its commits that are not yet stored, and the work that its state requires.
import { Exit, type Tracer } from "effect"
import { changeOf } from "../../domain/Decision.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { Committed } from "../../domain/journal/Rows.ts"
import type { Append } from "../../domain/ports/engine/Journal.ts"
import type { Recorded } from "./Definition.ts"
import {
  type Done,
  type Erased,
  type ErasedChange,
  type ErasedPerform,
  type ErasedWork,
  type Next,
  type Second,
  unanswered,
  unavailable
} from "./Erased.ts"
import { type Durable, entryOf, idempotencyOf, isStored, type Step, tagOf, type Told } from "./Step.ts"
import type { Caller } from "./Tracing.ts"
import type { Timer } from "./TimerHeap.ts"
import { type WorkHost, WorkSet, type Worker } from "./WorkSet.ts"

/** What a cell needs from the actor system. */
export interface Host extends WorkHost {
  readonly now: () => number
  readonly uuid: () => string
  readonly append: (append: Append) => void
  /** Both are stored or neither is. */
  readonly appendTied: (unit: ReadonlyArray<Append>) => void
  /** The decision of a second actor; undefined if it cannot be tied to that of the first. */
  readonly second: (next: Second, first: Cell) => Seconded | undefined
  /** A cell that was made for a command comes into memory. */
  readonly enter: (cell: Cell) => void
  readonly publish: (cell: Cell, change: ErasedChange, recorded: Recorded | undefined) => void
  /** Calls `reconcile` once, after all commits that arrived together have been counted. */
  readonly reconcileSoon: (cell: Cell) => void
  /** The cell has been reconciled. It may be passivated after its idle time. */
  readonly rest: (cell: Cell) => void
  /** The cell takes no more messages. Later ones go to its successor. */
  readonly halted: (cell: Cell) => void
  /** A halted cell has no more commits in flight, so its successor may be read from the journal. */
  readonly drained: (cell: Cell) => void
  readonly died: (cell: Cell, defect: unknown) => void
}

/** What a second actor has decided, whose cell may not be in memory yet; or its refusal. */
export type Seconded =
  | { readonly cell: Cell; readonly told: Told<Durable> }
  | { readonly refusal: Exit.Failure<unknown, Failure | NotCommitted> }

/** A reply that waits until the state it was decided on is stored. */
interface Waiting {
  readonly after: number
  readonly told: Told
}

export interface Activation {
  readonly state: unknown
  readonly version: number
  readonly alarm: number | null
  /** Nothing was read, because the first command creates the actor. */
  readonly assumed: boolean
}

export class Cell implements Worker {
  readonly id: string
  readonly definition: Erased
  readonly perform: ErasedPerform
  readonly work: WorkSet
  state: unknown
  touched_at: number
  idle: Timer | undefined
  halted = false
  private readonly host: Host
  private version: number
  /** The stored alarm may be earlier than this, never later. */
  private alarm: number | null
  private assumed: boolean
  private plan: ReadonlyArray<ErasedWork>
  private goal: ReadonlyArray<ErasedWork> | undefined
  private appended = 0
  private committed = 0
  private waiting: Array<Waiting> = []
  private goalSpan: Tracer.AnySpan | undefined
  private trace: Tracer.AnySpan | undefined
  private refusal: NotCommitted | undefined
  /** The refusal is of one command: what was decided after it can be decided again without it. */
  private isOfOneCommand = false
  private dead = false
  private hasLeft = false

  constructor(host: Host, definition: Erased, perform: ErasedPerform, id: string, activation: Activation) {
    this.host = host
    this.definition = definition
    this.perform = perform
    this.id = id
    this.state = activation.state
    this.version = activation.version
    this.alarm = activation.alarm
    this.assumed = activation.assumed
    this.plan = definition.plan(activation.state)
    this.touched_at = host.now()
    this.work = new WorkSet(host, this)
  }

  get pending(): number {
    return this.appended - this.committed
  }

  /** Whether nothing of the actor is stored or being stored. */
  get notYetStored(): boolean {
    return this.assumed && this.appended === 0
  }

  /** When the actor must be activated again: now if one command alone failed, soon after another failure. */
  get reactivation(): "never" | "soon" | "now" {
    if (this.refusal !== undefined) return this.isOfOneCommand ? "now" : "soon"
    return this.dead ? "soon" : "never"
  }

  /** Whether the actor has nothing to do in memory before a message or a deadline comes. */
  get idles(): boolean {
    return this.pending === 0 && !this.work.busy && (this.definition.passivates?.(this.state) ?? true)
  }

  /** When the actor must be in memory: now if work is running, else at the earliest deadline. Null: never. */
  get due(): number | null {
    return this.dueOf(this.plan, this.host.now())
  }

  /** Whether the stored alarm equals `due`. An actor that is not stored has no alarm, which counts as exact. */
  get alarmIsExact(): boolean {
    return this.version === 0 || this.alarm === this.due
  }

  // ---- messages

  /**
   * Decides and evolves at once. Calls `done` when this decision and all earlier ones are stored. Another actor decides
   * what comes `next` in the same turn, if both decisions can be stored together.
   */
  tell(command: unknown, done: Done, caller?: Caller, next?: Next): void {
    const startTime = this.host.tracing?.now()
    this.touched_at = this.host.now()
    let step: Step
    try {
      step = this.decide(command, this.touched_at)
    } catch (defect) {
      this.dead = true
      this.host.died(this, defect)
      this.leave()
      return done(Exit.fail(unavailable(defect)))
    }
    const begin = <S extends Step>(cell: Cell, told: Told<S>) => cell.traced(told, caller, startTime)
    const told: Told = { command, step, done, next }
    const second = this.secondOf(told)
    if (second === undefined || !isStored(told)) return this.follow(begin(this, told))
    if ("refusal" in second) return this.follow(begin(this, { ...told, step: { reply: second.refusal } }))
    this.host.enter(second.cell)
    const first = this.take(begin(this, { ...told, tied: "first" }))
    // The second is answered first, so that both replies are there when the first is.
    this.host.appendTied([second.cell.take(begin(second.cell, { ...second.told, tied: "second" })), first])
  }

  private secondOf({ next, step: { recorded, reply } }: Told): Seconded | undefined {
    if (next === undefined || recorded === undefined || Exit.isFailure(reply)) return undefined
    return this.host.second(next(reply.value), this)
  }

  /** What the actor decides as the second of two; undefined if that cannot be tied to the decision of the first. */
  consider({ command, done }: Second): Seconded | undefined {
    this.touched_at = this.host.now()
    try {
      const told: Told = { command, done, step: this.decide(command, this.touched_at) }
      if (isStored(told)) return { cell: this, told }
      const { reply } = told.step
      return Exit.isFailure(reply) && this.pending === 0 ? { refusal: reply } : undefined
    } catch {
      // It dies of the command when it is asked by itself.
      return undefined
    }
  }

  private follow(told: Told): void {
    if (isStored(told)) return this.host.append(this.take(told))
    const { change, plan } = told.step
    if (change !== undefined && plan !== undefined) {
      this.state = change.after
      this.plan = plan
    }
    if (this.pending === 0 && this.waiting.length === 0) return this.settle(told)
    this.waiting.push({ after: this.appended, told })
  }

  /**
   * Begins the span of a command: a child of its caller's span, or of the actor's own trace. A command that changes
   * nothing gets no span if it has no traced caller or joins the actor's trace: a PBX reports every few seconds that
   * its calls are alive.
   */
  private traced<S extends Step>(told: Told<S>, caller: Caller | undefined, startTime: bigint | undefined): Told<S> {
    const { definition, host, id } = this
    const { tracing } = host
    if (tracing === undefined || startTime === undefined) return told
    const { command, done, step } = told
    const { change, recorded, reply } = step
    const isQuiet = change === undefined && Exit.isSuccess(reply)
    if (isQuiet && (caller === undefined || caller.joins)) return told
    const isOwn = this.trace !== undefined && (caller === undefined || caller.joins)
    const span = tracing.begin(`${definition.type}.${tagOf(command)}`, {
      parent: isOwn ? this.trace : caller?.span,
      link: isOwn ? caller?.span : undefined,
      attributes: {
        "trunkline.actor.type": definition.type,
        "trunkline.actor.id": id,
        ...(recorded?.workspace_id && { "trunkline.workspace.id": recorded.workspace_id })
      },
      startTime
    })
    if (definition.keepsTrace === true && caller !== undefined) this.trace ??= span
    const ended: Done = (exit) => {
      tracing.end(span, exit)
      done(exit)
    }
    return { ...told, done: ended, step: { ...step, span } }
  }

  /** Without side effects, so that a defect in it leaves nothing half done. */
  private decide(command: unknown, now: number): Step {
    const { definition, host, id, state } = this
    const decided = definition.decide(state, command, now)
    if (decided._tag === "Failure") return { reply: Exit.fail(decided.failure) }
    const { events, reply, volatile } = decided.success
    const request = idempotencyOf(command)
    const answer = request && definition.answer?.(command, reply)
    const idempotency = request && answer && { ...request, ...answer, created_at: now }
    if (events.length === 0 && idempotency === undefined) return { reply: Exit.succeed(reply) }
    const change = changeOf(definition.evolve, state, events, { id, now, uuid: host.uuid })
    const plan = events.length === 0 ? this.plan : definition.plan(change.after)
    if (volatile) return { reply: Exit.succeed(reply), change, plan }
    const recorded = definition.record(change)
    if (idempotency === undefined) return { reply: Exit.succeed(reply), change, plan, recorded }
    return { reply: Exit.succeed(reply), change, plan, recorded, idempotency }
  }

  /** The alarm is due, or the database has new deliveries for the actor. */
  wake(): void {
    const { definition, host } = this
    const now = host.now()
    if (definition.wake !== undefined) {
      this.alarm = Math.min(this.alarm ?? now, now)
      this.tell(definition.wake, unanswered)
    } else if (this.pending === 0 && this.due !== null && this.due > now && !this.alarmIsExact)
      this.saveAlarm(unanswered)
  }

  // ---- commits

  /** Makes the decision the actor's own. The entry must be appended at once, in the order of versions. */
  private take(told: Told<Durable>, alarm = this.alarmFor(told.step.plan, this.touched_at)): Append {
    const { change, plan, recorded, span } = told.step
    this.state = change.after
    this.plan = plan
    const actor = { actor_type: this.definition.type, actor_id: this.id }
    const entry = entryOf(told.step, actor, ++this.version, alarm)
    this.appended++
    const done = (outcome: Committed) => {
      this.committed++
      if (outcome.ok) {
        this.assumed = false
        if (span !== undefined)
          for (const { fan_out, id } of recorded.events ?? []) if (fan_out) this.host.tracing?.remember(id, span)
        this.settle(told)
      } else this.refuse(outcome.error, told)
      this.settleWaiting()
      if (this.halted) this.leaveWhenDrained()
      else this.setTargetPlan(this.pending === 0 ? this.plan : plan, span)
    }
    return { entry, done, span }
  }

  /** After the commit: publishes the notices, then replies. */
  private settle({ done, step: { change, recorded, reply, span } }: Told): void {
    if (change !== undefined && change.events.length > 0) this.host.publish(this, change, recorded)
    done(reply)
    if (change !== undefined && recorded === undefined && this.pending === 0) this.setTargetPlan(this.plan, span)
  }

  private settleWaiting(): void {
    for (let first = this.waiting[0]; first !== undefined && first.after <= this.committed; first = this.waiting[0]) {
      this.waiting.shift()
      if (this.refusal === undefined) this.settle(first.told)
      else this.refuse(this.refusal, first.told)
    }
  }

  /**
   * Discards all decisions that were built on one that was not stored. If one command alone was at fault (its
   * Idempotency-Key is taken, its hold was captured, it creates an actor that exists, or it was tied to one that met
   * another version), the others are sent to the successor.
   */
  private refuse(error: NotCommitted, told: Told): void {
    const { command, done, next, tied } = told
    const isFirst = this.refusal === undefined
    // Which of two tied decisions met another version is not known: the first one is made again by itself.
    const isOfEither = isFirst && tied !== undefined && error.reason === "stale"
    this.refusal ??= error
    if (isFirst) {
      this.isOfOneCommand = isOfEither || error.reason === "duplicate" || error.reason === "captured"
      this.halt()
    }
    const exists = this.assumed && this.refusal.reason === "stale"
    const isRetryable = tied !== "second" && (exists || isOfEither || (!isFirst && this.isOfOneCommand))
    if (!isRetryable) return done(Exit.fail(error))
    this.host.route(this.definition, this.id, command, done, undefined, isOfEither ? undefined : next)
  }

  // ---- the alarm

  private dueOf(plan: ReadonlyArray<ErasedWork>, now: number): number | null {
    let due: number | null = null
    for (const { at = now } of plan) if (due === null || at < due) due = at
    return due
  }

  /**
   * The alarm to store; undefined if the stored one may stay. An early alarm does no harm, so a new one is stored only
   * if the stored one would be too late, or is not needed. The alarm of an actor with a `wake` command is also set by
   * fan-outs, so only `saveAlarm` removes it.
   */
  private alarmFor(plan: ReadonlyArray<ErasedWork>, now: number): number | null | undefined {
    const due = this.dueOf(plan, now)
    const isKept =
      due === null
        ? this.alarm === null || this.definition.wake !== undefined
        : this.alarm !== null && this.alarm <= due
    if (isKept) return undefined
    this.alarm = due
    return due
  }

  /** Stores the exact alarm. Called when no commit is in flight. Like every write, it fails for a former owner. */
  saveAlarm(done: Done): void {
    const { definition, host, id, plan, state } = this
    const change = changeOf(definition.evolve, state, [], { id, now: host.now(), uuid: host.uuid })
    this.alarm = this.due
    const step = { reply: Exit.void, change, plan, recorded: definition.record(change) }
    this.host.append(this.take({ command: undefined, step, done }, this.alarm))
  }

  // ---- work

  /** Starts the work that the stored state requires. */
  activate(): void {
    this.setTargetPlan(this.plan)
  }

  private setTargetPlan(plan: ReadonlyArray<ErasedWork>, span?: Tracer.AnySpan): void {
    const isScheduled = this.goal !== undefined
    this.goal = plan
    this.goalSpan = span ?? this.goalSpan
    if (!isScheduled) this.host.reconcileSoon(this)
  }

  /** Makes the running work match the plan of the stored state. */
  reconcile(): void {
    const plan = this.goal
    this.goal = undefined
    const span = this.goalSpan ?? this.trace
    this.goalSpan = undefined
    if (plan === undefined || this.halted) return
    this.work.reconcileWith(plan, span)
    this.host.rest(this)
  }

  /** Removes the actor from memory. Commits in flight are still answered. */
  leave(): void {
    this.halt()
    this.leaveWhenDrained()
  }

  private halt(): void {
    if (this.halted) return
    this.halted = true
    this.work.stop()
    if (this.idle !== undefined) this.host.timers.cancel(this.idle)
    this.host.halted(this)
  }

  private leaveWhenDrained(): void {
    if (this.pending > 0 || this.hasLeft) return
    this.hasLeft = true
    this.host.drained(this)
  }
}
