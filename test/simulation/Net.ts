// The network between processes: ordered between two of them, as a connection is, and broken by death and partitions.
import type { Kernel } from "./Kernel.ts"
import type { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"

interface OpenCall {
  readonly from: Process
  readonly to: Process
  readonly broken: () => void
}

/** The longest time until a broken connection is noticed. */
const noticedWithin_ms = 9_000

export class Net {
  private readonly kernel: Kernel
  /** The longest time that a message travels. */
  private readonly latency_ms: number
  /** The share of questions between processes whose connection breaks before the answer comes. */
  broken: number
  private readonly rng: Rng
  private readonly breaks: Rng
  private readonly arrivals = new Map<string, number>()
  private readonly cut = new Set<string>()
  private readonly open = new Set<OpenCall>()

  constructor(kernel: Kernel, latency_ms: number, broken: number) {
    this.kernel = kernel
    this.latency_ms = latency_ms
    this.broken = broken
    this.rng = new Rng(kernel.seed, "net")
    this.breaks = new Rng(kernel.seed, "net:broken")
  }

  reaches(from: Process, to: Process): boolean {
    return !this.cut.has(`${from.name}>${to.name}`)
  }

  /** In one direction. */
  partition(from: Process, to: Process): void {
    this.cut.add(`${from.name}>${to.name}`)
    this.breakCalls((call) => (call.from === from && call.to === to) || (call.from === to && call.to === from))
  }

  heal(): void {
    this.cut.clear()
  }

  died(process: Process): void {
    this.breakCalls(({ from, to }) => from === process || to === process)
  }

  send(from: Process, to: Process, run: () => void): void {
    if (!from.alive || !this.reaches(from, to)) return
    const pair = `${from.name}>${to.name}`
    const at = Math.max(this.arrivals.get(pair) ?? 0, this.kernel.now + this.rng.tail(0, this.latency_ms))
    this.arrivals.set(pair, at)
    this.kernel.after(to, at - this.kernel.now, () => {
      if (this.reaches(from, to)) run()
    })
  }

  /** Asks once. `done` gets the answer, or undefined if the connection broke: the question may have been heard. */
  call<A>(
    from: Process,
    to: Process,
    ask: (reply: (answer: A) => void) => void,
    done: (answer: A | undefined) => void
  ): void {
    let isOpen = true
    const finish = (answer: A | undefined) => {
      if (!isOpen) return
      isOpen = false
      this.open.delete(call)
      done(answer)
    }
    const broken = () => void this.kernel.after(from, this.rng.tail(1, 3_000), () => finish(undefined))
    const call: OpenCall = { from, to, broken }
    if (!to.alive || !this.reaches(from, to) || !this.reaches(to, from)) return broken()
    this.open.add(call)
    const { breaks } = this
    const isBroken = breaks.chance(this.broken)
    const isHeard = !isBroken || breaks.chance(0.8)
    if (isBroken) this.kernel.after(from, breaks.tail(1, noticedWithin_ms), () => finish(undefined))
    if (isHeard) this.send(from, to, () => ask((answer) => isBroken || this.send(to, from, () => finish(answer))))
  }

  private breakCalls(which: (call: OpenCall) => boolean): void {
    for (const call of this.open) {
      if (!which(call)) continue
      this.open.delete(call)
      call.broken()
    }
  }
}
