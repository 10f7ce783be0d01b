// Commands to several actors of this process in one turn.
import { Effect, Exit } from "effect"
import type { AnyCommand } from "../../domain/Command.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { TiedReplies } from "./ActorSystem.ts"
import type { Cells } from "./Cells.ts"
import type { Next, Reply } from "./Erased.ts"
import type { Caller } from "./Tracing.ts"

const replyWithin = "5 seconds"

/**
 * Sends the command, then calls `told`; no other message comes between. No deadline passes until the actors have stored
 * the command and planned anew. Returns how many were told.
 */
export const tellAll = (cells: Cells, type: string, command: unknown, told: () => void): Effect.Effect<number> =>
  Effect.suspend(() => {
    const { timers } = cells
    const all = cells.activeOf(type)
    timers.pause()
    const replies = all.map((cell) => new Promise<void>((resolve) => cell.tell(command, () => resolve())))
    told()
    return Effect.promise(() => Promise.all(replies)).pipe(
      Effect.timeoutOption(replyWithin),
      // Plans are carried out in a microtask after the commit.
      Effect.andThen(Effect.yieldNow),
      Effect.as(all.length),
      Effect.ensuring(Effect.sync(() => timers.resume()))
    )
  })

interface ErasedAsked {
  readonly command: AnyCommand
  readonly id: string
  readonly payload: object
}

/** Asks an actor of this process, and ties the decision of the second one to its own if this process may run that. */
export const askTied = (
  cells: Cells,
  first: ErasedAsked,
  second: (reply: unknown) => ErasedAsked,
  caller: Caller | undefined
): Effect.Effect<TiedReplies<unknown, unknown>, Failure | NotCommitted> =>
  Effect.callback((resume) => {
    const sentTo = ({ command, id, payload }: ErasedAsked) => ({
      definition: cells.definitionOf(command.actor),
      id,
      command: { _tag: command.tag, ...payload }
    })
    let other: Reply | undefined
    const next: Next = (reply) => ({ ...sentTo(second(reply)), done: (answer) => (other = answer) })
    const done = (reply: Reply) => {
      const replies = (value: unknown) =>
        other !== undefined && Exit.isSuccess(other) ? { first: value, second: other.value } : { first: value }
      resume(Exit.map(reply, replies))
    }
    const { command, definition, id } = sentTo(first)
    cells.route(definition, id, command, done, caller, next)
  })
