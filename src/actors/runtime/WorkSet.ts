// What is under way for one actor. `become` makes it equal the plan: the vanished is interrupted, the new is started,
// the rest is left alone.
import { Cause, Effect, type Fiber } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { Unreadable } from "../../domain/state/StoredState.ts"
import { type Done, type Erased, type ErasedPerform, type ErasedWork, unanswered } from "./Erased.ts"
import type { Timer } from "./TimerHeap.ts"
import type { Timers } from "./Timers.ts"

/** The actor that the work belongs to. */
export interface Worker {
  readonly id: string
  readonly definition: Erased
  readonly perform: ErasedPerform
  readonly state: unknown
}

export interface WorkHost {
  readonly timers: Timers
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** A message to an actor, wherever it lives by then. */
  readonly route: (definition: Erased, id: string, command: unknown, done: Done) => void
}

/** One entry of the plan as it runs: waiting for its time, on a fiber, or through. */
interface Running {
  work: ErasedWork
  timer: Timer | undefined
  fiber: Fiber.Fiber<void> | undefined
  round: number
}

/** Work that dies is started again, ever less often. */
const restartFirst_ms = 200
const restartMost_ms = 30_000

/** The stop of that actor was logged once. */
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

  /** Whether a fiber is at work, so that memory cannot be given up. */
  get busy(): boolean {
    for (const { fiber } of this.running.values())
      if (fiber !== undefined && fiber.pollUnsafe() === undefined) return true
    return false
  }

  reconcileWith(plan: ReadonlyArray<ErasedWork>): void {
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
    for (const work of plan) if (!running.has(work.key)) this.begin(work, round)
  }

  stop(): void {
    for (const entry of this.running.values()) this.end(entry)
    this.running.clear()
  }

  private begin(work: ErasedWork, round: number): void {
    const entry: Running = { work, timer: undefined, fiber: undefined, round }
    this.running.set(work.key, entry)
    if (work.at === undefined) return this.start(entry)
    entry.timer = this.host.timers.set(work.at, () => this.start(entry))
  }

  private start(entry: Running): void {
    const { definition, id } = this.worker
    const { work } = entry
    entry.timer = undefined
    if (work._tag === "Deadline") return this.host.route(definition, id, work.command, unanswered)
    entry.fiber = this.host.fork(this.performed(work.key, work.work))
  }

  private performed(key: string, work: unknown): Effect.Effect<void> {
    const { host, worker } = this
    const { definition, id } = worker
    const self = {
      id,
      state: () => worker.state,
      tell: (command: unknown) =>
        Effect.callback<unknown, Failure | NotCommitted>((resume) => host.route(definition, id, command, resume))
    }
    const perform = Effect.suspend(() => worker.perform(work, self))
    const attempt = (pause_ms: number): Effect.Effect<void> =>
      Effect.catchCause(perform, (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(
              isOfStoppedActor(cause)
                ? Effect.logDebug(`Work ${key} of ${definition.type} ${id} needs a stopped actor; retrying`)
                : Effect.logError(`Work ${key} of ${definition.type} ${id} died; it is started again`, cause),
              Effect.andThen(Effect.sleep(pause_ms), attempt(Math.min(pause_ms * 2, restartMost_ms)))
            )
      )
    return attempt(restartFirst_ms)
  }

  private end({ fiber, timer }: Running): void {
    if (timer !== undefined) this.host.timers.cancel(timer)
    fiber?.interruptUnsafe()
  }
}
