// Searches the guides: a section is found if it has every word.
import type { Guide } from "./Guide.ts"

export interface Found {
  readonly name: string
  readonly guide: string
  readonly id: string
  readonly title: string
  readonly excerpt: string
}

export const queryMax = 100
const wordsMax = 8
const foundMax = 30
const excerpt_chars = 160

/** Longer queries are cut. */
export const wordsOf = (query: string): ReadonlyArray<string> =>
  query
    .slice(0, queryMax)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_.-]+/u)
    .filter((word) => word !== "")
    .slice(0, wordsMax)

const plain = (text: string): string => text.replaceAll(/[`*|#>]|\]\([^)]*\)|\[/g, "").replaceAll(/\s+/g, " ")

const excerptOf = (text: string, word: string): string => {
  const shown = plain(text)
  const start = Math.max(0, shown.toLowerCase().indexOf(word) - excerpt_chars / 2)
  return shown.slice(start, start + excerpt_chars).trim()
}

/** Sections whose title has the words come first. */
export const searchGuides = (
  guides: ReadonlyMap<string, Guide>,
  words: ReadonlyArray<string>
): ReadonlyArray<Found> => {
  const [first] = words
  if (first === undefined) return []
  const found = [...guides].flatMap(([name, guide]) =>
    guide.sections.flatMap(({ id, text, title }) => {
      const heading = `${guide.title} ${title}`.toLowerCase()
      const whole = `${heading} ${text.toLowerCase()}`
      if (!words.every((word) => whole.includes(word))) return []
      const rank = words.filter((word) => heading.includes(word)).length
      return [{ rank, name, guide: guide.title, id, title, excerpt: excerptOf(text, first) }]
    })
  )
  return found.toSorted((some, other) => other.rank - some.rank).slice(0, foundMax)
}
