// Tells every actor of a type in the memory of this process.
import { Effect } from "effect"
import type { Cells } from "./Cells.ts"

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
