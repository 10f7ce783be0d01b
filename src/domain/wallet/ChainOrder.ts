// Finds the order in which a wallet booked its entries, where only their times are known: each entry begins at the
// balance that the one before it left.

export interface Movement {
  readonly id: string
  /** Signed, minor units. */
  readonly amount_minor: number
  readonly balance_after_minor: number
  /** Epoch milliseconds. */
  readonly created_at: number
}

const before_minor = ({ amount_minor, balance_after_minor }: Movement): number => balance_after_minor - amount_minor

/**
 * An order of all movements in which each begins where the one before it ended, the first at `balance_minor`, or
 * undefined. Balances are the nodes of a graph and movements its edges, so this is an Eulerian path, found by
 * Hierholzer's algorithm.
 */
const chained = (movements: ReadonlyArray<Movement>, balance_minor: number): ReadonlyArray<Movement> | undefined => {
  const leaving = new Map<number, Array<Movement>>()
  for (const movement of movements.toReversed()) {
    const from = before_minor(movement)
    const others = leaving.get(from)
    if (others === undefined) leaving.set(from, [movement])
    else others.push(movement)
  }
  const path: Array<Movement> = []
  const stack: Array<Movement> = []
  let at = balance_minor
  while (true) {
    const next = leaving.get(at)?.pop()
    if (next !== undefined) {
      stack.push(next)
      at = next.balance_after_minor
      continue
    }
    const last = stack.pop()
    if (last === undefined) break
    path.push(last)
    at = before_minor(last)
  }
  path.reverse()
  const isChain = path.every(
    (movement, index) => before_minor(movement) === (path[index - 1]?.balance_after_minor ?? balance_minor)
  )
  return isChain && path.length === movements.length ? path : undefined
}

const sameInstant = (movements: ReadonlyArray<Movement>, from: number): number => {
  const instant = movements[from]?.created_at
  let end = from + 1
  while (end < movements.length && movements[end]?.created_at === instant) end++
  return end
}

/**
 * The movements of one wallet in the order in which they were booked. `movements` is sorted by time; those of one
 * instant are put in the order of their balances. Where a clock was set back, all that follow are ordered by their
 * balances alone. A ledger without any such order keeps the order of time.
 */
export const chainOrder = (movements: ReadonlyArray<Movement>): ReadonlyArray<Movement> => {
  const ordered: Array<Movement> = []
  let balance_minor = 0
  for (let from = 0; from < movements.length;) {
    const end = sameInstant(movements, from)
    const group = chained(movements.slice(from, end), balance_minor)
    if (group === undefined) {
      const rest = movements.slice(from)
      return [...ordered, ...(chained(rest, balance_minor) ?? rest)]
    }
    for (const movement of group) ordered.push(movement)
    balance_minor = group.at(-1)?.balance_after_minor ?? balance_minor
    from = end
  }
  return ordered
}
