// Lets a limited number of jobs run at once. The workspaces that wait take turns, so that one with many jobs delays
// another by one job at most, and no workspace can occupy all places.
import { Deferred, Effect } from "effect"
import { NoSound } from "./NoSound.ts"

export interface FairTurnsOptions {
  /** How many jobs run at once: in all, and of one workspace. */
  readonly running: { readonly all: number; readonly workspace: number }
  /** How many wait: in all, and of one workspace. More are refused. */
  readonly waiting: { readonly all: number; readonly workspace: number }
  /** A job that has waited this long is refused. */
  readonly wait_ms: number
}

interface Waiter {
  readonly owner: string
  readonly turn: Deferred.Deferred<void>
}

const busy = new NoSound({ error: "sounds_busy", reason: "too many sounds are being prepared" })

export class FairTurns {
  private readonly options: FairTurnsOptions
  private readonly running = new Map<string, number>()
  /** By workspace; the one whose turn is next comes first. */
  private readonly waiting = new Map<string, Array<Waiter>>()
  private count = { running: 0, waiting: 0 }

  constructor(options: FairTurnsOptions) {
    this.options = options
  }

  /** Runs the job once it is its turn. Fails with `sounds_busy` if too many wait, or if the wait is too long. */
  run<A, E, R>(owner: string, job: Effect.Effect<A, E, R>): Effect.Effect<A, E | NoSound, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const { wait_ms, waiting } = this.options
        const own = this.waiting.get(owner) ?? []
        if (own.length >= waiting.workspace || this.count.waiting >= waiting.all) return Effect.fail(busy)
        const waiter: Waiter = { owner, turn: Deferred.makeUnsafe() }
        this.waiting.set(owner, own)
        own.push(waiter)
        this.count.waiting++
        this.startNext()
        const turn = Deferred.await(waiter.turn).pipe(
          Effect.timeoutOrElse({ duration: wait_ms, orElse: () => Effect.fail(busy) })
        )
        return restore(turn).pipe(
          Effect.onError(() => Effect.sync(() => this.leave(waiter))),
          Effect.andThen(
            Effect.ensuring(
              restore(job),
              Effect.sync(() => this.finish(owner))
            )
          )
        )
      })
    )
  }

  private mayRun(owner: string): boolean {
    const { all, workspace } = this.options.running
    return this.count.running < all && (this.running.get(owner) ?? 0) < workspace
  }

  private startNext(): void {
    for (const [owner, waiters] of this.waiting) {
      if (!this.mayRun(owner)) continue
      const waiter = waiters.shift()
      this.waiting.delete(owner)
      if (waiters.length > 0) this.waiting.set(owner, waiters)
      if (waiter === undefined) continue
      this.count.waiting--
      this.count.running++
      this.running.set(owner, (this.running.get(owner) ?? 0) + 1)
      Deferred.doneUnsafe(waiter.turn, Effect.void)
    }
  }

  /** Stops waiting. Its turn may have come at the same moment. */
  private leave(waiter: Waiter): void {
    const waiters = this.waiting.get(waiter.owner) ?? []
    const at = waiters.indexOf(waiter)
    if (at < 0) return this.finish(waiter.owner)
    waiters.splice(at, 1)
    if (waiters.length === 0) this.waiting.delete(waiter.owner)
    this.count.waiting--
  }

  private finish(owner: string): void {
    const left = (this.running.get(owner) ?? 1) - 1
    if (left > 0) this.running.set(owner, left)
    else this.running.delete(owner)
    this.count.running--
    this.startNext()
  }
}
