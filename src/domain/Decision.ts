// What a pure decision of an actor is made of. `decide` answers with a Decided, `plan` with Work.
import type { Result } from "effect"
import type { Failure } from "./errors/Failure.ts"

/** The events of a command, and the reply to its caller after they are stored. */
export interface Decision<Event, Reply> {
  readonly events: ReadonlyArray<Event>
  readonly reply: Reply
  /** The events change memory alone: nothing is written, and a restart forgets them. */
  readonly volatile?: true
}

/** A decision or a typed refusal from the error catalogue. */
export type Decided<Event, Reply, Refusal extends Failure = Failure> = Result.Result<Decision<Event, Reply>, Refusal>

/** One event of a decision, with the state on both sides of it. */
export interface Step<State, Event> {
  readonly before: State
  readonly event: Event
  readonly after: State
}

/** Applies the events one after the other. */
export const stepsOf = <State, Event>(
  evolve: (state: State, event: Event) => State,
  initial: State,
  events: ReadonlyArray<Event>
): ReadonlyArray<Step<State, Event>> => {
  let before = initial
  return events.map((event) => {
    const after = evolve(before, event)
    const step = { before, event, after }
    before = after
    return step
  })
}

/** One decision with the state on both sides of it: what an actor's row, events and notices are made of. */
export interface Change<State, Event, Id extends string = string> {
  readonly id: Id
  readonly before: State
  readonly after: State
  readonly events: ReadonlyArray<Event>
  /** The same events, each with its states. The runtime has computed them: nothing else needs to evolve again. */
  readonly steps: ReadonlyArray<Step<State, Event>>
  /** Epoch milliseconds. */
  readonly now: number
  /** Returns a new UUID. */
  readonly uuid: () => string
}

/** The change that the events make, as the runtime would hand it over. */
export const changeOf = <State, Event, Id extends string = string>(
  evolve: (state: State, event: Event) => State,
  before: State,
  events: ReadonlyArray<Event>,
  { id = "" as Id, now = 0, uuid = () => "" }: Partial<Pick<Change<State, Event, Id>, "id" | "now" | "uuid">> = {}
): Change<State, Event, Id> => {
  const steps = stepsOf(evolve, before, events)
  return { id, before, after: steps.at(-1)?.after ?? before, events, steps, now, uuid }
}

/** While the plan contains this, `command` is sent to the actor at `at` (epoch milliseconds). */
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
