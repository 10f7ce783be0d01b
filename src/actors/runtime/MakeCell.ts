// Makes the cell of an actor: from what is stored, or for the command that creates it.
import type { Stored } from "../../domain/journal/Rows.ts"
import { Unreadable } from "../../domain/state/StoredState.ts"
import { Cell, type Host } from "./Cell.ts"
import type { Erased, ErasedPerform } from "./Erased.ts"

interface Kind {
  readonly definition: Erased
  readonly perform: ErasedPerform
}

/** For an actor that its first command creates. Nothing was read. */
export const createdCell = (host: Host, { definition, perform }: Kind, id: string): Cell =>
  new Cell(host, definition, perform, id, {
    state: definition.initial(id),
    version: 0,
    alarm: null,
    assumed: true
  })

/** `stored` is undefined if the actor was never written. */
export const storedCell = (
  host: Host,
  { definition, perform }: Kind,
  id: string,
  stored: Stored | undefined
): Cell | Unreadable => {
  try {
    return new Cell(host, definition, perform, id, {
      state: stored === undefined ? definition.initial(id) : definition.restore(stored, id),
      version: stored?.version ?? 0,
      alarm: stored?.alarm ?? null,
      assumed: false
    })
  } catch (error) {
    return error instanceof Unreadable
      ? error
      : new Unreadable("The stored state could not be restored.", { cause: error })
  }
}
