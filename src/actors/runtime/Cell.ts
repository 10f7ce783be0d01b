// One actor in memory: its state, its commits that are not yet stored, and the work that its state requires.
import { Exit, type Tracer } from "effect"
import { changeOf } from "../../domain/Decision.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import type { Committed, Entry } from "../../domain/journal/Rows.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { Recorded } from "./Definition.ts"
import {
  type Done,
  type Erased,
  type ErasedChange,
  type ErasedPerform,
  type ErasedWork,
  type Reply,
  unanswered,
  unavailable
} from "./Erased.ts"
import type { Caller, Tracing } from "./Tracing.ts"
import type { Timer } from "./TimerHeap.ts"
import { type WorkHost, WorkSet, type Worker } from "./WorkSet.ts"

/** What a cell needs from the actor system. */
export interface Host extends WorkHost {
  readonly now: () => number
  readonly uuid: () => string
  readonly append: (entry: Entry, done: (outcome: Committed) => void, span: Tracer.Span | undefined) => void
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

/** The result of one command, computed before any of it takes effect. */
interface Step {
  readonly reply: Reply
  readonly change?: ErasedChange
  readonly plan?: ReadonlyArray<ErasedWork>
  /** Absent for volatile changes. */
  readonly recorded?: Recorded
  readonly idempotency?: Entry["idempotency"]
  readonly span?: Tracer.Span
}
type Durable = Step & Required<Pick<Step, "change" | "plan" | "recorded">>
const isDurable = (step: Step): step is Durable => step.recorded !== undefined

/** A reply that waits until the state it was decided on is stored. */
interface Waiting {
  readonly after: number
  readonly command: unknown
  readonly step: Step
  readonly done: Done
}

export interface Activation {
  readonly state: unknown
  readonly version: number
  readonly alarm: number | null
  /** Nothing was read, because the first command creates the actor. */
  readonly assumed: boolean
}

const idempotencyOf = (command: unknown): IdempotentRequest | undefined =>
  (command as { readonly idempotency?: IdempotentRequest }).idempotency

/** The fault is of one command: what was decided after it can be decided again without it. */
const isOfOneCommand = ({ reason }: NotCommitted): boolean => reason === "duplicate" || reason === "captured"

const tagOf = (message: unknown): string => (message as { readonly _tag?: string } | undefined)?._tag ?? "?"

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
    if (this.refusal !== undefined) return isOfOneCommand(this.refusal) ? "now" : "soon"
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

  /** Decides and evolves at once. Calls `done` when this decision and all earlier ones are stored. */
  tell(command: unknown, done: Done, caller?: Caller): void {
    const { tracing } = this.host
    const startTime = tracing?.now()
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
    if (tracing !== undefined && startTime !== undefined) {
      const span = this.beginSpan(tracing, command, step, caller, startTime)
      if (span !== undefined)
        return this.follow({ ...step, span }, command, (reply) => {
          tracing.end(span, reply)
          done(reply)
        })
    }
    this.follow(step, command, done)
  }

  private follow(step: Step, command: unknown, done: Done): void {
    if (step.change !== undefined && step.plan !== undefined) {
      this.state = step.change.after
      this.plan = step.plan
      if (isDurable(step)) return this.commit(step, command, done, this.alarmFor(step.plan, this.touched_at))
    }
    if (this.pending === 0 && this.waiting.length === 0) return this.settle(step, done)
    this.waiting.push({ after: this.appended, command, step, done })
  }

  /**
   * Begins the span of a command: a child of its caller's span, or of the actor's own trace. A command that changes
   * nothing gets no span if it has no traced caller or joins the actor's trace: a PBX reports every few seconds that
   * its calls are alive.
   */
  private beginSpan(
    tracing: Tracing,
    command: unknown,
    { change, recorded, reply }: Step,
    caller: Caller | undefined,
    startTime: bigint
  ): Tracer.Span | undefined {
    const { definition, id } = this
    const isQuiet = change === undefined && Exit.isSuccess(reply)
    if (isQuiet && (caller === undefined || caller.joins)) return undefined
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
    return span
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

  private commit(step: Durable, command: unknown, done: Done, alarm: number | null | undefined): void {
    const { plan, recorded } = step
    const entry: Entry = {
      actor_type: this.definition.type,
      actor_id: this.id,
      workspace_id: recorded.workspace_id,
      snapshot: { version: ++this.version, state: recorded.state, columns: recorded.columns },
      ...(alarm !== undefined && { alarm }),
      ...(recorded.events && { events: recorded.events }),
      ...(recorded.trail && { trail: recorded.trail }),
      ...(recorded.holds && { holds: recorded.holds }),
      ...(recorded.needs_hold !== undefined && { needs_hold: recorded.needs_hold }),
      ...(recorded.ledger && { ledger: recorded.ledger }),
      ...(recorded.deliveries && { deliveries: recorded.deliveries }),
      ...(recorded.redeliveries && { redeliveries: recorded.redeliveries }),
      ...(recorded.audit && { audit: recorded.audit }),
      ...(step.idempotency && { idempotency: step.idempotency })
    }
    this.appended++
    this.host.append(
      entry,
      (outcome) => {
        this.committed++
        if (outcome.ok) {
          this.assumed = false
          if (step.span !== undefined)
            for (const { fan_out, id } of recorded.events ?? []) if (fan_out) this.host.tracing?.remember(id, step.span)
          this.settle(step, done)
        } else this.refuse(outcome.error, command, done)
        this.settleWaiting()
        if (this.halted) this.leaveWhenDrained()
        else this.setTargetPlan(this.pending === 0 ? this.plan : plan, step.span)
      },
      step.span
    )
  }

  /** After the commit: publishes the notices, then replies. */
  private settle({ change, recorded, reply, span }: Step, done: Done): void {
    if (change !== undefined && change.events.length > 0) this.host.publish(this, change, recorded)
    done(reply)
    if (change !== undefined && recorded === undefined && this.pending === 0) this.setTargetPlan(this.plan, span)
  }

  private settleWaiting(): void {
    for (let first = this.waiting[0]; first !== undefined && first.after <= this.committed; first = this.waiting[0]) {
      this.waiting.shift()
      if (this.refusal === undefined) this.settle(first.step, first.done)
      else this.refuse(this.refusal, first.command, first.done)
    }
  }

  /**
   * Discards all decisions that were built on one that was not stored. If one command alone was at fault (its
   * Idempotency-Key is taken, its hold was captured, or it creates an actor that exists), the others are sent to the
   * successor.
   */
  private refuse(error: NotCommitted, command: unknown, done: Done): void {
    const isFirst = this.refusal === undefined
    this.refusal ??= error
    if (isFirst) this.halt()
    const exists = this.assumed && this.refusal.reason === "stale"
    const retryable = exists || (!isFirst && isOfOneCommand(this.refusal))
    if (retryable) this.host.route(this.definition, this.id, command, done)
    else done(Exit.fail(error))
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
    this.commit({ reply: Exit.void, change, plan, recorded: definition.record(change) }, undefined, done, this.alarm)
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
