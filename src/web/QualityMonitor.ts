// Measures the call every two seconds, and warns.
import type { ClientEvents } from "./ClientEvents.ts"
import { measureEvery_ms, problemsOf, problemsToTell, type Quality, type ToldProblems } from "./Quality.ts"

export class QualityMonitor {
  readonly #measure: () => Promise<Quality | undefined>
  readonly #warn: (warning: ClientEvents["quality_warning"]) => void
  #timer: ReturnType<typeof setInterval> | undefined
  #before: Quality | undefined
  #told: ToldProblems = new Map()

  constructor(measure: () => Promise<Quality | undefined>, warn: (warning: ClientEvents["quality_warning"]) => void) {
    this.#measure = measure
    this.#warn = warn
  }

  start(): void {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(() => void this.#look(), measureEvery_ms)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#before = undefined
    this.#told = new Map()
  }

  async #look(): Promise<void> {
    const timer = this.#timer
    const now = await this.#measure()
    // The call may have ended, and another one begun, meanwhile.
    if (now === undefined || timer === undefined || this.#timer !== timer) return
    const { told, warnings } = problemsToTell(problemsOf(now, this.#before), this.#told, performance.now())
    this.#told = told
    this.#before = now
    for (const warning of warnings) this.#warn(warning)
  }
}
