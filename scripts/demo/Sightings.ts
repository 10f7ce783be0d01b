import { Effect } from "effect"

/** The steps that have been seen so far, and a way to wait for others. */
export class Sightings {
  private readonly seen = new Set<string>()
  private readonly wanted = new Set<string>()
  private readonly waiting = new Set<() => void>()

  see(what: string): void {
    this.seen.add(what)
    for (const look of this.waiting) look()
  }

  /** The steps that were waited for and have not been seen. */
  get missing(): ReadonlyArray<string> {
    return [...this.wanted].filter((what) => !this.seen.has(what))
  }

  /** Returns when all of these steps have been seen. */
  await(...wanted: ReadonlyArray<string>): Effect.Effect<void> {
    return Effect.callback((resume) => {
      for (const what of wanted) this.wanted.add(what)
      const look = () => {
        if (!wanted.every((what) => this.seen.has(what))) return
        this.waiting.delete(look)
        resume(Effect.void)
      }
      this.waiting.add(look)
      look()
      return Effect.sync(() => this.waiting.delete(look))
    })
  }
}
