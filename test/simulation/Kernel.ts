// One clock, one seed and one queue for everything that happens in a simulated cluster. Nothing real is waited for.
import { type Timer, TimerHeap } from "../../src/actors/runtime/TimerHeap.ts"
import { type Job, Process } from "./Process.ts"
import { Rng } from "./Rng.ts"

const began_at = Date.UTC(2026, 0, 5)
/** So many jobs at one instant are an endless loop. */
const jobsAtOnceMax = 500_000

export interface KernelOptions {
  readonly seed: number
  /** Whether fibers that are ready run in random order; otherwise in the order in which they became ready. */
  readonly shuffle: boolean
  /** Whether the log is kept, and not its hash alone. */
  readonly trace: boolean
}

export class Kernel {
  now = began_at
  readonly began_at = began_at
  /** How far the wall clocks of all machines were set. */
  set_ms = 0
  readonly seed: number
  /** What engines logged as errors. */
  readonly errors: Array<string> = []
  /** What the outside can observe, in order. */
  readonly log: Array<string> = []
  /** The hash of the log says whether two runs were the same. */
  hash = 0x811c9dc5
  jobs = 0
  current: Process
  readonly outside: Process
  private readonly options: KernelOptions
  private readonly order: Rng
  private readonly heap = new TimerHeap()
  private readonly ready: Array<Job> = []
  private readonly micro: Array<Job> = []
  private jobsNow = 0
  private jobsNowAt = 0
  private timers = 0

  constructor(options: KernelOptions) {
    this.options = options
    this.seed = options.seed
    this.order = new Rng(options.seed, "order")
    this.outside = new Process(this, "outside", 2048)
    this.current = this.outside
  }

  /** The reading of a wall clock that is right. */
  get wall(): number {
    return this.now + this.set_ms
  }

  note(what: string): void {
    const text = `${this.now - began_at} ${what}`
    let hash = this.hash
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
    this.hash = hash
    if (this.options.trace) this.log.push(text)
  }

  /** Microtasks that `run` queues belong to the process. */
  within<A>(process: Process, run: () => A): A {
    const before = this.current
    this.current = process
    try {
      return run()
    } finally {
      this.current = before
    }
  }

  soon(owner: Process, run: () => void): void {
    this.ready.push({ owner, run })
  }

  microtask(run: () => void): void {
    this.micro.push({ owner: this.current, run })
  }

  after(owner: Process, wait_ms: number, run: () => void): Timer {
    const fire = () => this.runWithMicrotasks({ owner, run })
    const timer: Timer = { at: this.now + wait_ms, order: ++this.timers, fire, cancelled: false }
    this.heap.push(timer)
    return timer
  }

  cancel(timer: Timer): void {
    if (!timer.cancelled) this.heap.cancel(timer)
  }

  /** Runs what is due until then. */
  runUntil(at: number): void {
    const { heap, ready } = this
    while (true) {
      if (ready.length > 0) {
        this.runWithMicrotasks(this.take())
        continue
      }
      const timer = heap.first
      if (timer === undefined || timer.at > at) break
      heap.pop()
      if (timer.cancelled) continue
      timer.cancelled = true
      if (timer.at > this.now) this.now = timer.at
      timer.fire()
    }
    this.now = at
  }

  private take(): Job {
    const { ready } = this
    if (!this.options.shuffle) return ready.shift()!
    const index = this.order.below(ready.length)
    const job = ready[index]!
    ready[index] = ready.at(-1)!
    ready.pop()
    return job
  }

  private runWithMicrotasks(job: Job): void {
    this.run(job)
    for (let index = 0; index < this.micro.length; index++) this.run(this.micro[index]!)
    this.micro.length = 0
  }

  private run(job: Job): void {
    const { owner } = job
    if (!owner.alive) return
    if (owner.frozen) return void owner.parked.push(job)
    this.jobs++
    if (this.now !== this.jobsNowAt) {
      this.jobsNowAt = this.now
      this.jobsNow = 0
    } else if (++this.jobsNow > jobsAtOnceMax) throw new Error(`${owner.name} loops without letting time pass`)
    this.within(owner, job.run)
  }
}
