// Finds the name that somebody who wrote a wrong one probably meant.

/** Longer names are not compared: whoever sends one decides how long the comparison takes. */
const maxLength = 64

/** Case and the kind of separator do not count. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-\s]/g, "_")

/** A bit for each letter that is in the text. */
const lettersOf = (text: string): number => {
  let letters = 0
  for (let index = 0; index < text.length; index++) letters |= 1 << (text.charCodeAt(index) & 31)
  return letters
}

const countBits = (bits: number): number => {
  let left = bits
  let count = 0
  for (; left !== 0; count++) left &= left - 1
  return count
}

const rowLength = maxLength + 1
/** The rows that `distance` writes. It runs to its end without a pause, so all calls share them. */
const rows = [new Uint8Array(rowLength), new Uint8Array(rowLength), new Uint8Array(rowLength)] as const

/**
 * How many characters must be added, removed, replaced or swapped with their neighbour to make one text of the other
 * (the optimal string alignment distance); `limit` if it is not less. Neither text is longer than `maxLength`.
 */
const distance = (a: string, b: string, limit: number): number => {
  let [older, before, row] = rows
  for (let j = 0; j <= b.length; j++) before[j] = j
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let steps = Math.min((before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        steps = Math.min(steps, (older[j - 2] ?? 0) + 1)
      row[j] = steps
      least = Math.min(least, steps)
    }
    // No row begins with less: a swap goes back two rows, but costs a step more.
    if (least >= limit) return limit
    ;[older, before, row] = [before, row, older]
  }
  return Math.min(before[b.length] ?? 0, limit)
}

/** A name that others are compared with, prepared once. */
export interface Candidate {
  readonly name: string
  readonly plain: string
  readonly letters: number
}

export const candidate = (name: string): Candidate => {
  const text = plain(name)
  return { name, plain: text, letters: lettersOf(text) }
}

/** Undefined: no candidate is near. A third of the characters may differ. */
export const nearestOf = (name: string, candidates: Iterable<Candidate>): Candidate | undefined => {
  if (name.length > maxLength) return undefined
  const wanted = plain(name)
  if (wanted.length > maxLength) return undefined
  const letters = lettersOf(wanted)
  let found: Candidate | undefined
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const other of candidates) {
    if (Math.abs(other.plain.length - wanted.length) >= least || other.plain.length > maxLength) continue
    // A step changes two letters at most, so most candidates need no comparison.
    if (countBits(letters ^ other.letters) > 2 * (least - 1)) continue
    const steps = distance(wanted, other.plain, least)
    if (steps < least) {
      least = steps
      found = other
    }
  }
  return found
}

/** The candidate that is near, if any: see `nearestOf`. */
export const nearest = (name: string, candidates: Iterable<string>): string | undefined =>
  nearestOf(name, Array.from(candidates, candidate))?.name

/** ` Did you mean \`status\`?`, or nothing. */
export const didYouMean = (name: string, candidates: Iterable<string>): string => {
  const found = nearest(name, candidates)
  return found === undefined ? "" : ` Did you mean \`${found}\`?`
}
