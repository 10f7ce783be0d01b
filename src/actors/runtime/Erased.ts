// The types with which the runtime handles all kinds of actors.
import type { Effect, Exit } from "effect"
import type { Change, Work } from "../../domain/Decision.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { AnyDefinition, Definition } from "./Definition.ts"

export type Erased = Definition<unknown, unknown, unknown, unknown, unknown, unknown>
export type ErasedWork = Work<unknown, unknown>
export type ErasedPerform = (
  work: unknown,
  self: {
    readonly id: string
    readonly state: () => unknown
    readonly tell: (command: unknown) => Effect.Effect<unknown, Failure | NotCommitted>
  }
) => Effect.Effect<void>
export type ErasedChange = Change<unknown, unknown>
export type Reply = Exit.Exit<unknown, Failure | NotCommitted>
export type Done = (reply: Reply) => void

/** The command of the second actor. `done` is called before that of the first. */
export interface Second {
  readonly definition: Erased
  readonly id: string
  readonly command: unknown
  readonly done: Done
}

/** What the second actor is asked once the first has decided its reply. */
export type Next = (reply: unknown) => Second

/** Removes the types of a definition. Only here; ActorSystem gives replies and notices their types back. */
export const erase = (definition: AnyDefinition): Erased => definition as Erased

export const unanswered: Done = () => {}

export const unavailable = (cause?: unknown): NotCommitted => new NotCommitted({ reason: "unavailable", cause })
