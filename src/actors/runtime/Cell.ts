// One live actor: its state in memory, the commits under way, and the work that the present state calls for.
import { Exit } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { type Entry, NotCommitted } from "../../domain/ports/Journal.ts"
import type { Change, Recorded } from "./Definition.ts"
import type { Erased, ErasedWork, Host } from "./Host.ts"
import type { Timer } from "./Timers.ts"
import { WorkSet } from "./WorkSet.ts"

export type Reply = Exit.Exit<unknown, Failure | NotCommitted>
export type Done = (reply: Reply) => void

/** What the caller of an uncommitted decision is told, in the order of the decisions. */
interface Waiting {
  readonly after: number
  readonly reply: Reply
  readonly done: Done
}

/** When the actor must be in memory again: at once for work under way, else at the earliest deadline. */
const dueOf = (plan: ReadonlyArray<ErasedWork>, now: number): number | null => {
  let due: number | null = null
  for (const work of plan) {
    const at = work.at ?? now
    if (due === null || at < due) due = at
  }
  return due
}

export class Cell {
  readonly id: string
  readonly definition: Erased
  state: unknown
  version: number
  touched_at: number
  private readonly host: Host
  private alarm: number | null
  private appended = 0
  private committed = 0
  private waiting: Array<Waiting> = []
  private failure: NotCommitted | undefined
  private plan: ReadonlyArray<ErasedWork> = []
  private planned: { readonly state: unknown; readonly plan: ReadonlyArray<ErasedWork> } | undefined
  private dirty = false
  readonly work: WorkSet
  idle: Timer | undefined

  constructor(host: Host, definition: Erased, id: string, stored: {
    readonly state: unknown
    readonly version: number
    readonly alarm: number | null
  }) {
    this.host = host
    this.definition = definition
    this.id = id
    this.state = stored.state
    this.version = stored.version
    this.alarm = stored.alarm
    this.touched_at = host.now()
    this.work = new WorkSet(host, this)
  }

  get pending(): number {
    return this.appended - this.committed
  }

  get stopped(): boolean {
    return this.failure !== undefined
  }

  get due(): number | null {
    return dueOf(this.planFor(this.state), this.host.now())
  }

  /** Decides and evolves at once; `done` is told when the decision, and all it was built on, is on disk. */
  tell(command: unknown, done: Done): void {
    const now = this.host.now()
    this.touched_at = now
    const decided = this.definition.decide(this.state, command, now)
    if (decided._tag === "Failure") return this.answer(Exit.fail(decided.failure), done)
    const { events, reply, volatile } = decided.success
    const request = this.host.idempotencyOf(command)
    if (events.length === 0 && request === undefined) return this.answer(Exit.succeed(reply), done)
    const before = this.state
    const after = events.length === 0 ? before : events.reduce(this.definition.evolve, before)
    const change: Change<unknown, unknown> = { id: this.id, before, after, events, now, uuid: this.host.uuid }
    this.state = after
    if (volatile === true) {
      this.host.publish(this, change, undefined)
      this.changed()
      return this.answer(Exit.succeed(reply), done)
    }
    this.commit(change, events.length > 0 ? this.definition.record(change) : undefined, command, reply, done)
  }

  private commit(
    change: Change<unknown, unknown>,
    recorded: Recorded | undefined,
    command: unknown,
    reply: unknown,
    done: Done
  ): void {
    const { after } = change
    const request = this.host.idempotencyOf(command)
    const answer = request === undefined ? undefined : this.definition.answer?.(command, reply)
    const entry: Entry = {
      actor_type: this.definition.type,
      actor_id: this.id,
      workspace_id: recorded?.workspace_id ?? request?.workspace_id ?? null,
      ...(recorded && {
        snapshot: { version: ++this.version, state: recorded.state, columns: recorded.columns },
        ...(recorded.events && { events: recorded.events }),
        ...(recorded.holds && { holds: recorded.holds }),
        ...(recorded.ledger && { ledger: recorded.ledger }),
        ...(recorded.deliveries && { deliveries: recorded.deliveries })
      }),
      ...this.alarmFor(after, change.now),
      ...(request && answer && { idempotency: { ...request, ...answer, created_at: change.now } })
    }
    const ticket = ++this.appended
    this.host.append(entry, (outcome) => {
      this.committed++
      if (!outcome.ok) {
        done(Exit.fail(outcome.error))
        return this.fail(outcome.error)
      }
      done(Exit.succeed(reply))
      this.host.publish(this, change, recorded)
      this.settle(ticket)
      if (this.failure === undefined) this.reconcileTo(this.pending === 0 ? this.state : after)
      else this.host.drained(this)
    })
  }

  /** An alarm may ring early and do no harm, so it is written only when it would ring too late, or for nothing. */
  private alarmFor(state: unknown, now: number): Pick<Entry, "alarm"> {
    const due = dueOf(this.planFor(state), now)
    if (due === null ? this.alarm === null : this.alarm !== null && this.alarm <= due) return {}
    this.alarm = due
    return { alarm: due }
  }

  /** Before memory is given up, the alarm is made exact, or it would wake the actor for nothing. */
  exactAlarm(): Entry | undefined {
    const { due } = this
    if (due === null || this.alarm === due) return undefined
    this.alarm = due
    return { actor_type: this.definition.type, actor_id: this.id, workspace_id: null, alarm: due }
  }

  private answer(reply: Reply, done: Done): void {
    if (this.pending === 0) return done(reply)
    this.waiting.push({ after: this.appended, reply, done })
  }

  private settle(ticket: number): void {
    while (this.waiting.length > 0 && this.waiting[0]!.after <= ticket) {
      const { done, reply } = this.waiting.shift()!
      done(reply)
    }
  }

  private fail(error: NotCommitted): void {
    if (this.failure === undefined) {
      this.failure = error
      this.work.stop()
      const waiting = this.waiting
      this.waiting = []
      for (const { done } of waiting) done(Exit.fail(error))
      this.host.failed(this)
    }
    this.host.drained(this)
  }

  /** Volatile changes count at once, unless something they may be built on is still on its way to the disk. */
  private changed(): void {
    if (this.pending === 0) this.reconcileTo(this.state)
  }

  private reconcileTo(state: unknown): void {
    this.plan = this.planFor(state)
    if (this.dirty) return
    this.dirty = true
    this.host.later(() => {
      this.dirty = false
      if (this.failure !== undefined) return
      this.work.become(this.plan)
      this.host.quiet(this)
    })
  }

  activate(): void {
    this.reconcileTo(this.state)
  }

  stop(): void {
    this.failure ??= new NotCommitted({ reason: "unavailable" })
    this.work.stop()
  }

  private planFor(state: unknown): ReadonlyArray<ErasedWork> {
    const { planned } = this
    if (planned !== undefined && planned.state === state) return planned.plan
    const plan = this.definition.plan(state)
    this.planned = { state, plan }
    return plan
  }
}
