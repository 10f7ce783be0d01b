// What waits while an actor is on its way into memory.
import type { Done, Next } from "./Erased.ts"
import type { Caller } from "./Tracing.ts"

export interface Arrival {
  readonly command: unknown
  readonly done: Done
  readonly caller?: Caller | undefined
  readonly next?: Next | undefined
}

/** The actor is being read, or its predecessor's last commits are in flight. Messages wait in order. */
export interface Opening {
  readonly arrivals: Array<Arrival>
  /** Whether it must come into memory even without a message. */
  mustActivate: boolean
  /** It must leave this process. */
  evicted?: true
}
