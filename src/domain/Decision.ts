// What a pure decision of an actor is made of. `decide` answers with a Decided, `plan` with Work.
import type { Result } from "effect"
import type { Failure } from "./errors/Failure.ts"

/** What happened because of a command, and what its caller is told once it is on disk. */
export interface Decision<Event, Reply> {
  readonly events: ReadonlyArray<Event>
  readonly reply: Reply
  /** The events change memory alone: nothing is written, and a restart forgets them. */
  readonly volatile?: true
}

/** A decision or a typed refusal from the error catalogue. */
export type Decided<Event, Reply, Refusal extends Failure = Failure> = Result.Result<Decision<Event, Reply>, Refusal>

/** While the state is this, `command` is told to the actor at `at` (epoch milliseconds). */
export interface Deadline<Command> {
  readonly _tag: "Deadline"
  readonly key: string
  readonly at: number
  readonly command: Command
}

/** While the state is this, `work` is under way, from `at` on where it is given (epoch milliseconds). */
export interface Task<W> {
  readonly _tag: "Task"
  readonly key: string
  readonly at?: number
  readonly work: W
}

/** Something that must be going on while the state asks for it. The key says whether it is still the same thing. */
export type Work<Command, W> = Deadline<Command> | Task<W>

export const deadline = <Command>(key: string, at: number, command: Command): Deadline<Command> => ({
  _tag: "Deadline",
  key,
  at,
  command
})

export const task = <W>(key: string, work: W, at?: number): Task<W> =>
  at === undefined ? { _tag: "Task", key, work } : { _tag: "Task", key, work, at }
