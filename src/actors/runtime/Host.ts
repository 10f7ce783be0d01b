// What a cell needs of the system it lives in.
import type { Effect } from "effect"
import type { Work } from "../../domain/Decision.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import type { Committed, Entry } from "../../domain/ports/Journal.ts"
import type { Cell, Done } from "./Cell.ts"
import type { Change, Definition, Perform, Recorded } from "./Definition.ts"
import type { Timer } from "./Timers.ts"

export type Erased = Definition<unknown, unknown, unknown, unknown, unknown, unknown>
export type ErasedWork = Work<unknown, unknown>
export type ErasedPerform = Perform<unknown, unknown, unknown, unknown>

export interface Host {
  readonly now: () => number
  readonly uuid: () => string
  readonly append: (entry: Entry, done: (outcome: Committed) => void) => void
  readonly idempotencyOf: (command: unknown) => IdempotentRequest | undefined
  readonly publish: (cell: Cell, change: Change<unknown, unknown>, recorded: Recorded | undefined) => void
  /** Runs after all commits that arrived together have been counted. */
  readonly later: (run: () => void) => void
  readonly setTimer: (at: number, fire: () => void) => Timer
  readonly cancelTimer: (timer: Timer) => void
  /** Starts an effect on a fiber of its own. The answer interrupts it, and is undefined when it is over already. */
  readonly run: (effect: Effect.Effect<void>, onEnd: () => void) => (() => void) | undefined
  readonly performOf: (definition: Erased) => ErasedPerform
  /** A message to the actor, wherever the address leads by then. */
  readonly route: (definition: Erased, id: string, command: unknown, done: Done) => void
  readonly failed: (cell: Cell) => void
  /** Told after each commit of a stopped cell came back: without pending ones it may be activated afresh. */
  readonly drained: (cell: Cell) => void
  /** The cell has done what it had to do for now. */
  readonly quiet: (cell: Cell) => void
}
