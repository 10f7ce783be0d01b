// Finds comments that cannot be read alone: fragments that begin with "Of", and those of one or two words. A unit, a
// format or an order may be said in two words.
import type { Source } from "./Tidy.ts"

const line = /^\s*\/\/\s?(.*)$/
const blockBegin = /^\s*\/\*\*?\s?(.*)$/

/** Written for a program (a linter, a type checker, a bundler), or a line that parts a file. */
const forPrograms = /^(?:-{4} |oxlint|eslint|prettier|@ts-|@vitest|v8 |c8 |knip|#|\/)/

const terse = new RegExp(
  "^(?:" +
    [
      "Epoch (?:milli)?seconds",
      "Minor units",
      "(?:Milli|micro)?seconds",
      "(?:Bytes|Samples|Hertz|Cents)",
      "E\\.164",
      "RFC \\d+",
      "JSON text",
      "A UUID",
      "(?:Newest|Oldest) first",
      "Default: .+",
      "By \\w+",
      "`[^`]+`",
      "https?:\\S+"
    ].join("|") +
    ")[.;]?$",
  "i"
)

/** The comments of a file: lines of `//` that follow each other are one. */
const commentsOf = (text: string): ReadonlyArray<string> => {
  const comments: Array<string> = []
  let open: Array<string> | undefined
  let inBlock = false
  const close = () => {
    if (open !== undefined) comments.push(open.join(" ").trim())
    open = undefined
    inBlock = false
  }
  for (const source of text.split("\n")) {
    if (inBlock) {
      open?.push(
        source
          .replace(/\*\/.*$/, "")
          .replace(/^\s*\*\s?/, "")
          .trim()
      )
      if (source.includes("*/")) close()
      continue
    }
    const found = line.exec(source)?.[1]
    if (found !== undefined) {
      open = [...(open ?? []), found.trim()]
      continue
    }
    close()
    const begun = blockBegin.exec(source)?.[1]
    if (begun === undefined) continue
    open = [begun.replace(/\*\/.*$/, "").trim()]
    inBlock = true
    if (source.includes("*/")) close()
  }
  close()
  return comments.filter((comment) => comment !== "" && !forPrograms.test(comment))
}

/** The comments of a file that must be written out, as "path: comment". */
export const weakComments = ({ path, text }: Source): ReadonlyArray<string> =>
  commentsOf(text)
    .filter((comment) => /^Of\b/.test(comment) || (comment.split(/\s+/).length < 3 && !terse.test(comment)))
    .map((comment) => `${path}: ${comment}`)
