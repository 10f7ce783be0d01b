// The port through which everybody reaches actors. Nobody who uses it knows where an actor lives.
import { type Cause, Context, type Effect, type Queue, type Scope } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/ports/Journal.ts"
import type { CommandOf, Definition, NoticeOf, Perform, ReplyOf, AnyDefinition } from "./Definition.ts"

export class ActorSystem extends Context.Service<ActorSystem, {
  /**
   * Answers after the decision is on disk. Fails with the refusal of `decide`, or with NotCommitted when the
   * decision was not stored, or it is not known whether it was: the caller may ask again. A command may be decided
   * twice when a process dies under it, so one that must not be is recognised by a key of its own.
   */
  readonly ask: <D extends AnyDefinition>(
    definition: D,
    id: string,
    command: CommandOf<D>
  ) => Effect.Effect<ReplyOf<D>, Failure | NotCommitted>
  /**
   * What the actor makes known after its commits, from now on. Slow readers are cut off: the queue ends when more
   * than 256 notices wait in it, and when the actor moves to another process.
   */
  readonly subscribe: <D extends AnyDefinition>(
    definition: D,
    id: string
  ) => Effect.Effect<Queue.Dequeue<NoticeOf<D>, Cause.Done>, never, Scope.Scope>
  /** Makes a kind of actor live here. All kinds are registered before `start`. */
  readonly register: <State, Command, Event, Reply, W, Notice>(
    definition: Definition<State, Command, Event, Reply, W, Notice>,
    perform: Perform<State, Command, Reply, W>
  ) => Effect.Effect<void>
  /** Brings back every actor whose alarm is due, and keeps doing so until the scope closes. */
  readonly start: Effect.Effect<void, never, Scope.Scope>
  /** Waits until no commit is under way and no work is running that is not waiting for time or the outside. */
  readonly drain: Effect.Effect<void>
  /** Actors in memory, for health and for leak tests. */
  readonly resident: Effect.Effect<number>
}>()("trunkline/actors/runtime/ActorSystem") {}
