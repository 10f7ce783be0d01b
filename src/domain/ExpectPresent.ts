/**
 * The value, where its type cannot say that there is one: a row that a statement always returns, a setting that was
 * checked at the start. Throws if it is missing, which is a bug and not bad input; `what` names it.
 */
export const expectPresent = <A>(value: A | null | undefined, what: string): A => {
  if (value === null || value === undefined) throw new Error(`${what} is missing.`)
  return value
}
