// The live subscribers of one kind of actor. Publishing never waits: a slow subscriber is ended.
import { Cause, Effect, Queue, type Scope } from "effect"

/** A subscriber is ended when more notices than this wait in it. */
export const waitingMax = 256

/** Who is told the notices of an actor, at once and in order. Nothing waits for it. */
export interface Listener<Notice> {
  /** How many notices wait in it. */
  readonly waiting: number
  /** Whether there is room for the notice. If not, it is ended. */
  offer(notice: Notice): boolean
  /** Nothing follows. It may be told so more than once. */
  end(): void
}

/** A queue that can be read at the reader's own pace. */
const listenerOf = (queue: Queue.Queue<unknown, Cause.Done>): Listener<unknown> => ({
  get waiting() {
    return Queue.sizeUnsafe(queue)
  },
  offer: (notice) => Queue.offerUnsafe(queue, notice),
  end: () => void Queue.endUnsafe(queue)
})

/** Tells the listener what comes through the queue, until the scope closes. */
export const pour = <Notice>(
  queue: Queue.Dequeue<Notice, Cause.Done>,
  listener: Listener<Notice>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(Queue.takeAll(queue), (notices): Effect.Effect<void, Cause.Done> =>
    notices.every((notice) => listener.offer(notice)) ? Effect.void : Cause.done()
  ).pipe(
    Effect.forever,
    Effect.ignoreCause,
    Effect.ensuring(Effect.sync(() => listener.end())),
    Effect.forkScoped({ startImmediately: true }),
    Effect.asVoid
  )

export class Listeners {
  private readonly listeners = new Map<string, Set<Listener<unknown>>>()

  has(id: string): boolean {
    return this.listeners.has(id)
  }

  /** Expendable notices are dropped for a subscriber whose room is half full. */
  publish(id: string, notices: ReadonlyArray<unknown>, expendable?: (notice: unknown) => boolean): void {
    for (const listener of this.listeners.get(id) ?? []) {
      const offered = notices.every(
        (notice) => (expendable?.(notice) === true && listener.waiting >= waitingMax / 2) || listener.offer(notice)
      )
      if (!offered) this.remove(id, listener)
    }
  }

  follow(id: string, listener: Listener<unknown>): Effect.Effect<void, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => {
        const listeners = this.listeners.get(id)
        if (listeners === undefined) this.listeners.set(id, new Set([listener]))
        else listeners.add(listener)
      }),
      () => Effect.sync(() => this.remove(id, listener))
    )
  }

  subscribe(id: string): Effect.Effect<Queue.Dequeue<unknown, Cause.Done>, never, Scope.Scope> {
    return Effect.tap(Queue.dropping<unknown, Cause.Done>(waitingMax), (queue) => this.follow(id, listenerOf(queue)))
  }

  end(id: string): void {
    for (const listener of this.listeners.get(id) ?? []) this.remove(id, listener)
  }

  endAll(): void {
    for (const id of this.listeners.keys()) this.end(id)
  }

  private remove(id: string, listener: Listener<unknown>): void {
    const listeners = this.listeners.get(id)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.listeners.delete(id)
    listener.end()
  }
}
