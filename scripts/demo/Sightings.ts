import { Effect } from "effect"

/** What has been seen so far, and a way to wait for more. */
export class Sightings {
  private readonly seen = new Set<string>()
  private readonly wanted = new Set<string>()
  private readonly waiting = new Set<() => void>()

  see(what: string): void {
    this.seen.add(what)
    for (const look of this.waiting) look()
  }

  /** What was waited for and has not been seen. */
  get missing(): ReadonlyArray<string> {
    return [...this.wanted].filter((what) => !this.seen.has(what))
  }

  /** Succeeds when all of it has been seen. */
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
