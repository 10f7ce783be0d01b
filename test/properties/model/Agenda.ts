// What can happen next in a history: steps that are ready, in any order, and steps that wait for their time.
import type { Choices } from "./Choices.ts"

interface Waiting {
  readonly at: number
  readonly step: Step
}

/** A step of the engine is forgotten when the engine dies; one of the PBX is not. */
export interface Step {
  readonly of: "engine" | "pbx"
  readonly run: () => void
}

export class Agenda {
  now: number
  ready: Array<Step> = []
  private waiting: Array<Waiting> = []
  private readonly choices: Choices

  constructor(choices: Choices, now: number) {
    this.choices = choices
    this.now = now
  }

  get idle(): boolean {
    return this.ready.length === 0
  }

  get next(): number | undefined {
    return this.waiting.length === 0 ? undefined : Math.min(...this.waiting.map(({ at }) => at))
  }

  soon(of: Step["of"], run: () => void): void {
    this.ready.push({ of, run })
  }

  at(at: number, of: Step["of"], run: () => void): void {
    if (at <= this.now) this.soon(of, run)
    else this.waiting.push({ at, step: { of, run } })
  }

  take(): void {
    const [step] = this.ready.splice(this.choices.below(this.ready.length), 1)
    step?.run()
  }

  /** Time goes on to the next step that waits, or past it. */
  advance(beyond_ms: number): boolean {
    const { next } = this
    if (next === undefined) return false
    this.now = Math.max(this.now, next + beyond_ms)
    const due = this.waiting.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at)
    this.waiting = this.waiting.filter(({ at }) => at > this.now)
    for (const { step } of due) this.ready.push(step)
    return true
  }

  forgetEngine(): void {
    this.ready = this.ready.filter(({ of }) => of === "pbx")
    this.waiting = this.waiting.filter(({ step }) => step.of === "pbx")
  }
}
