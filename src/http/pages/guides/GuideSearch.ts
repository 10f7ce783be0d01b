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

/** Without the marks of Markdown and the lines of its tables. */
const plain = (text: string): string =>
  text
    .replaceAll(/[`|>]|\*\*|-{3,}|\]\([^)]*\)|\[/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The words around the first place of a word. */
const excerptOf = (text: string, word: string): string => {
  const shown = plain(text)
  const from = Math.max(0, shown.toLowerCase().indexOf(word) - excerpt_chars / 2)
  const start = from === 0 ? 0 : shown.indexOf(" ", from) + 1
  const rest = shown.slice(start, start + excerpt_chars)
  const isWhole = start + excerpt_chars >= shown.length
  return `${start === 0 ? "" : "… "}${isWhole ? rest : `${rest.slice(0, rest.lastIndexOf(" "))} …`}`
}

/** Sections whose title has the words come first. */
export const searchGuides = (
  guides: ReadonlyMap<string, Guide>,
  words: ReadonlyArray<string>
): ReadonlyArray<Found> => {
  const [first] = words
  if (first === undefined) return []
  const found = [...guides].flatMap(([name, guide]) =>
    guide.sections.flatMap(({ id, searched, text, title }) => {
      if (!words.every((word) => searched.includes(word))) return []
      const heading = `${guide.title} ${title}`.toLowerCase()
      const rank = words.filter((word) => heading.includes(word)).length
      return [{ rank, name, guide: guide.title, id, title, text }]
    })
  )
  const best = found.toSorted((some, other) => other.rank - some.rank).slice(0, foundMax)
  return best.map(({ rank: _, text, ...place }) => ({ ...place, excerpt: excerptOf(text, first) }))
}
