// The running work of one actor. `reconcileWith` makes it match the plan: it interrupts work that is no longer planned,
// starts new work, and leaves the rest running.
import { Cause, Effect, type Fiber, Metric, type Tracer } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { Unreadable } from "../../domain/state/StoredState.ts"
import { type Done, type Erased, type ErasedPerform, type ErasedWork, type Next, unanswered } from "./Erased.ts"
import type { Timer } from "./TimerHeap.ts"
import { type Caller, type Tracing, withCaller } from "./Tracing.ts"
import type { Timers } from "./Timers.ts"

const restarts = Metric.counter("trunkline_actor_work_restarts_total", {
  description: "Pieces of work that failed by a defect and were started again, by kind of actor.",
  incremental: true
})

/** How often work of this kind of actor was started again. */
export const restartsOf = (actor: string) => Metric.withAttributes(restarts, { actor })

/** The actor that the work belongs to. */
export interface Worker {
  readonly id: string
  readonly definition: Erased
  readonly perform: ErasedPerform
  readonly state: unknown
}

export interface WorkHost {
  /** Undefined if tracing is off. */
  readonly tracing: Tracing | undefined
  readonly timers: Timers
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** Sends a message to an actor, in whichever process runs it then. */
  readonly route: (definition: Erased, id: string, command: unknown, done: Done, caller?: Caller, next?: Next) => void
}

/** One entry of the plan: it waits for its time, runs on a fiber, or has ended. */
interface Running {
  work: ErasedWork
  timer: Timer | undefined
  fiber: Fiber.Fiber<void> | undefined
  round: number
  /** The span of the command whose commit started the work. */
  readonly span: Tracer.AnySpan | undefined
}

/** Work that dies is started again, after a pause that doubles up to the maximum. */
const restartFirst_ms = 200
const restartMost_ms = 30_000

/** Whether the cause is a stopped actor. Its stop was already logged. */
const isOfStoppedActor = (cause: Cause.Cause<never>): boolean =>
  cause.reasons.every((reason) => Cause.isDieReason(reason) && reason.defect instanceof Unreadable)

export class WorkSet {
  private readonly host: WorkHost
  private readonly worker: Worker
  private readonly running = new Map<string, Running>()
  private round = 0

  constructor(host: WorkHost, worker: Worker) {
    this.host = host
    this.worker = worker
  }

  /** Whether a fiber is running, so that the actor must stay in memory. */
  get busy(): boolean {
    for (const { fiber } of this.running.values())
      if (fiber !== undefined && fiber.pollUnsafe() === undefined) return true
    return false
  }

  reconcileWith(plan: ReadonlyArray<ErasedWork>, span?: Tracer.AnySpan): void {
    const { running } = this
    const round = ++this.round
    for (const work of plan) {
      const entry = running.get(work.key)
      if (entry?.work.at !== work.at || entry === undefined) continue
      entry.work = work
      entry.round = round
    }
    for (const [key, entry] of running) {
      if (entry.round === round) continue
      running.delete(key)
      this.end(entry)
    }
    for (const work of plan) if (!running.has(work.key)) this.begin(work, round, span)
  }

  stop(): void {
    for (const entry of this.running.values()) this.end(entry)
    this.running.clear()
  }

  private begin(work: ErasedWork, round: number, span: Tracer.AnySpan | undefined): void {
    const entry: Running = { work, timer: undefined, fiber: undefined, round, span }
    this.running.set(work.key, entry)
    if (work.at === undefined) return this.start(entry)
    entry.timer = this.host.timers.set(work.at, () => this.start(entry))
  }

  private start(entry: Running): void {
    const { definition, id } = this.worker
    const { work } = entry
    entry.timer = undefined
    if (work._tag === "Deadline") return this.host.route(definition, id, work.command, unanswered)
    entry.fiber = this.host.fork(this.supervised(work.key, work.work, entry.span))
  }

  private supervised(key: string, work: unknown, span: Tracer.AnySpan | undefined): Effect.Effect<void> {
    const { host, worker } = this
    const { definition, id } = worker
    const self = {
      id,
      state: () => worker.state,
      tell: (command: unknown) =>
        withCaller(host.tracing, (caller) =>
          Effect.callback<unknown, Failure | NotCommitted>((resume) =>
            host.route(definition, id, command, resume, caller)
          )
        )
    }
    const perform = this.traced(
      key,
      work,
      span,
      Effect.suspend(() => worker.perform(work, self))
    )
    const attempt = (pause_ms: number): Effect.Effect<void> =>
      Effect.catchCause(perform, (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(
              isOfStoppedActor(cause)
                ? Effect.logDebug(`Work ${key} of ${definition.type} ${id} needs a stopped actor; retrying`)
                : Effect.andThen(
                    Metric.update(restartsOf(definition.type), 1),
                    Effect.logError(`Work ${key} of ${definition.type} ${id} failed; it is started again`, cause)
                  ),
              Effect.andThen(Effect.sleep(pause_ms), attempt(Math.min(pause_ms * 2, restartMost_ms)))
            )
      )
    return attempt(restartFirst_ms)
  }

  private traced<A>(
    key: string,
    work: unknown,
    span: Tracer.AnySpan | undefined,
    performed: Effect.Effect<A>
  ): Effect.Effect<A> {
    const { tracing } = this.host
    if (tracing === undefined) return performed
    const { definition, id } = this.worker
    const tag = (work as { readonly _tag?: string } | undefined)?._tag ?? key.replace(/:.*$/s, "")
    const event_id = definition.eventOf?.(work)
    const parent = (event_id === undefined ? undefined : tracing.publisherOf(event_id)) ?? span
    return Effect.withSpan(performed, `${definition.type}.${tag}`, {
      ...(parent === undefined ? { root: true } : { parent }),
      attributes: { "trunkline.actor.type": definition.type, "trunkline.actor.id": id }
    })
  }

  private end({ fiber, timer }: Running): void {
    if (timer !== undefined) this.host.timers.cancel(timer)
    fiber?.interruptUnsafe()
  }
}
