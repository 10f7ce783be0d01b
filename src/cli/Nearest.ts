// The name that somebody probably meant.

/** How many letters must be added, removed or replaced (Levenshtein). */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [place, other] of [...to].entries())
      next.push(
        Math.min((next[place] ?? 0) + 1, (row[place + 1] ?? 0) + 1, (row[place] ?? 0) + (letter === other ? 0 : 1))
      )
    row = next
  }
  return row[to.length] ?? 0
}

/** ` Did you mean call.busy?`, with the blank before it; empty if no name is near. */
export const didYouMean = (given: string, names: ReadonlyArray<string>): string => {
  const [nearest] = names
    .map((name) => ({ name, far: distance(given, name) }))
    .filter(({ far, name }) => far <= Math.max(2, name.length / 4))
    .sort((a, b) => a.far - b.far)
  return nearest === undefined ? "" : ` Did you mean ${nearest.name}?`
}
