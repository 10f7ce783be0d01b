// Finds the name that somebody who wrote a wrong one probably meant.

/** Longer names are not compared: whoever sends one decides how long the comparison takes. */
const maxLength = 64

/** Case and the kind of separator do not count. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-\s]/g, "_")

/**
 * How many characters must be added, removed, replaced or swapped with their neighbour to make one text of the other
 * (the optimal string alignment distance).
 */
const distance = (a: string, b: string): number => {
  let older: ReadonlyArray<number> = []
  let before = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const least = Math.min((before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(least, (older[j - 2] ?? 0) + 1) : least)
    }
    older = before
    before = row
  }
  return before[b.length] ?? 0
}

/** Undefined: no candidate is near. A third of the characters may differ. */
export const nearest = (name: string, candidates: Iterable<string>): string | undefined => {
  if (name.length > maxLength) return undefined
  const wanted = plain(name)
  let found: string | undefined
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const steps = distance(wanted, plain(candidate))
    if (steps < least) {
      least = steps
      found = candidate
    }
  }
  return found
}

/** ` Did you mean \`status\`?`, or nothing. */
export const didYouMean = (name: string, candidates: Iterable<string>): string => {
  const found = nearest(name, candidates)
  return found === undefined ? "" : ` Did you mean \`${found}\`?`
}
