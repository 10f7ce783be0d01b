// What is under way for one actor. `become` makes it equal the plan: the vanished is interrupted, the new is started,
// the rest is left alone.
import { Cause, Effect, Schedule } from "effect"
import type { Cell } from "./Cell.ts"
import type { ErasedWork, Host } from "./Host.ts"
import type { Timer } from "./Timers.ts"

/** One entry of the plan as it runs: waiting for its time, on a fiber, or through. */
interface Running {
  at: number | undefined
  timer: Timer | undefined
  interrupt: (() => void) | undefined
}

/** Work that died is started again: at once, then less and less often. */
const restarts = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("30 seconds")])

const unanswered = () => {}

export class WorkSet {
  private readonly host: Host
  private readonly cell: Cell
  private readonly running = new Map<string, Running>()

  constructor(host: Host, cell: Cell) {
    this.host = host
    this.cell = cell
  }

  /** Whether a fiber is at work, so that memory cannot be given up. */
  get busy(): boolean {
    for (const { interrupt } of this.running.values()) if (interrupt !== undefined) return true
    return false
  }

  become(plan: ReadonlyArray<ErasedWork>): void {
    const { running } = this
    if (running.size > 0) {
      for (const [key, entry] of running) {
        if (!plan.some((work) => work.key === key && work.at === entry.at)) {
          running.delete(key)
          this.end(entry)
        }
      }
    }
    for (const work of plan) if (!running.has(work.key)) this.begin(work)
  }

  stop(): void {
    for (const entry of this.running.values()) this.end(entry)
    this.running.clear()
  }

  private begin(work: ErasedWork): void {
    const entry: Running = { at: work.at, timer: undefined, interrupt: undefined }
    this.running.set(work.key, entry)
    if (work.at === undefined) return this.start(work, entry)
    entry.timer = this.host.setTimer(work.at, () => {
      entry.timer = undefined
      if (this.running.get(work.key) === entry) this.start(work, entry)
    })
  }

  private start(work: ErasedWork, entry: Running): void {
    const { definition, id } = this.cell
    if (work._tag === "Deadline") return this.host.route(definition, id, work.command, unanswered)
    const self = {
      id,
      state: () => this.cell.state,
      tell: (command: unknown) =>
        Effect.callback<unknown, never>((resume) => this.host.route(definition, id, command, (reply) => resume(reply as never)))
    }
    const perform = Effect.suspend(() => this.host.performOf(definition)(work.work, self)).pipe(
      Effect.tapCause((cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError(`Work ${work.key} of ${definition.type} ${id} died`, cause)
      ),
      Effect.sandbox,
      Effect.retry(restarts),
      Effect.ignore
    )
    entry.interrupt = this.host.run(perform, () => {
      entry.interrupt = undefined
      if (this.running.get(work.key) === entry) this.host.quiet(this.cell)
    })
  }

  private end(entry: Running): void {
    if (entry.timer !== undefined) this.host.cancelTimer(entry.timer)
    entry.interrupt?.()
  }
}
