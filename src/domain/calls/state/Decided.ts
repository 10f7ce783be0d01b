// Decisions without a reply, for the rules of a call.
import { Result } from "effect"
import type { CallEvent } from "./CallEvent.ts"

export const happened = (...events: ReadonlyArray<CallEvent>) => Result.succeed({ events, reply: undefined })

/** Changes memory only: nothing is written, and a restart forgets it. */
export const happenedInMemory = (event: CallEvent) =>
  Result.succeed({ events: [event], reply: undefined, volatile: true as const })

export const nothing = happened()
