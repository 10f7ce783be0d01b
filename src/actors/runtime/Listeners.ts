// The live subscribers of one kind of actor. Publishing never waits: the queue of a slow subscriber is ended.
import { type Cause, Effect, Queue, type Scope } from "effect"

/** A subscriber's queue ends when more notices than this wait in it. */
export const waitingMax = 256

export class Listeners {
  private readonly queues = new Map<string, Set<Queue.Queue<unknown, Cause.Done>>>()

  has(id: string): boolean {
    return this.queues.has(id)
  }

  /** Expendable notices are dropped for a subscriber whose queue is half full. */
  publish(id: string, notices: ReadonlyArray<unknown>, expendable?: (notice: unknown) => boolean): void {
    for (const queue of this.queues.get(id) ?? []) {
      const offered = notices.every(
        (notice) =>
          (expendable?.(notice) === true && Queue.sizeUnsafe(queue) >= waitingMax / 2) ||
          Queue.offerUnsafe(queue, notice)
      )
      if (!offered) this.remove(id, queue)
    }
  }

  subscribe(id: string): Effect.Effect<Queue.Dequeue<unknown, Cause.Done>, never, Scope.Scope> {
    const open = Effect.map(Queue.dropping<unknown, Cause.Done>(waitingMax), (queue) => {
      const queues = this.queues.get(id)
      if (queues === undefined) this.queues.set(id, new Set([queue]))
      else queues.add(queue)
      return queue
    })
    return Effect.acquireRelease(open, (queue) => Effect.sync(() => this.remove(id, queue)))
  }

  end(id: string): void {
    for (const queue of this.queues.get(id) ?? []) this.remove(id, queue)
  }

  endAll(): void {
    for (const id of this.queues.keys()) this.end(id)
  }

  private remove(id: string, queue: Queue.Queue<unknown, Cause.Done>): void {
    const queues = this.queues.get(id)
    queues?.delete(queue)
    if (queues?.size === 0) this.queues.delete(id)
    Queue.endUnsafe(queue)
  }
}
