// How a dial of several destinations goes: for each pair of `sequential` and `first_answer_wins`, absent included.
// docs/voice-actions.md tells the same table to customers.

export interface DialMode {
  /** All destinations ring at once, or one after the other. */
  readonly order: "at_once" | "in_order"
  /** The first answer ends the dialling, or every answer is connected. */
  readonly answers: "first" | "all"
}

interface Row {
  readonly sequential: boolean | undefined
  readonly first_answer_wins: boolean | undefined
  readonly mode: DialMode
}

const at_once_first: DialMode = { order: "at_once", answers: "first" }
const at_once_all: DialMode = { order: "at_once", answers: "all" }
const in_order_first: DialMode = { order: "in_order", answers: "first" }
const in_order_all: DialMode = { order: "in_order", answers: "all" }

export const dialModes: ReadonlyArray<Row> = [
  { sequential: undefined, first_answer_wins: undefined, mode: at_once_first },
  { sequential: undefined, first_answer_wins: true, mode: at_once_first },
  { sequential: undefined, first_answer_wins: false, mode: at_once_all },
  { sequential: false, first_answer_wins: undefined, mode: at_once_first },
  { sequential: false, first_answer_wins: true, mode: at_once_first },
  { sequential: false, first_answer_wins: false, mode: at_once_all },
  { sequential: true, first_answer_wins: undefined, mode: in_order_first },
  { sequential: true, first_answer_wins: true, mode: in_order_first },
  { sequential: true, first_answer_wins: false, mode: in_order_all }
]

export const dialMode = (asked: { readonly sequential?: boolean; readonly first_answer_wins?: boolean }): DialMode =>
  dialModes.find(
    ({ first_answer_wins, sequential }) =>
      sequential === asked.sequential && first_answer_wins === asked.first_answer_wins
  )!.mode
