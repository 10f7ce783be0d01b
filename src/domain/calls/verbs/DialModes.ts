// How a dial of several destinations proceeds, for each combination of `sequential` and `first_answer_wins`, absent
// included. docs/voice-actions.md has the same table for customers.
import { Schema } from "effect"

export const DialMode = Schema.Struct({
  /** All destinations ring at once, or one after the other. */
  order: Schema.Literals(["at_once", "in_order"]),
  /** The first answer ends the dialling, or every answer is connected. */
  answers: Schema.Literals(["first", "all"])
})
export type DialMode = typeof DialMode.Type

const at_once_first: DialMode = { order: "at_once", answers: "first" }
const at_once_all: DialMode = { order: "at_once", answers: "all" }
const in_order_first: DialMode = { order: "in_order", answers: "first" }
const in_order_all: DialMode = { order: "in_order", answers: "all" }

type Flag = `${boolean | undefined}`

/** Keys: `sequential`, then `first_answer_wins`. */
const modes: Readonly<Record<Flag, Readonly<Record<Flag, DialMode>>>> = {
  undefined: { undefined: at_once_first, true: at_once_first, false: at_once_all },
  false: { undefined: at_once_first, true: at_once_first, false: at_once_all },
  true: { undefined: in_order_first, true: in_order_first, false: in_order_all }
}

export const dialMode = (asked: { readonly sequential?: boolean; readonly first_answer_wins?: boolean }): DialMode => {
  const sequential: Flag = `${asked.sequential}`
  const first_answer_wins: Flag = `${asked.first_answer_wins}`
  return modes[sequential][first_answer_wins]
}
