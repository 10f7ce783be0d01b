// Where a part of a JSON text stands, for messages about files.

/** Reads the text of a JSON string, whose opening quote is at `start`. Returns its value and where it ends. */
const stringAt = (text: string, start: number): { readonly value: string; readonly end: number } => {
  let end = start + 1
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1
  return { value: JSON.parse(text.slice(start, end + 1)) as string, end: end + 1 }
}

const blankEnd = (text: string, start: number): number => {
  let at = start
  while (at < text.length && /\s/.test(text[at] ?? "")) at++
  return at
}

/** Where the value ends that begins at `start`. */
const valueEnd = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length;) {
    const letter = text[at]
    if (letter === '"') at = stringAt(text, at).end
    else {
      if (letter === "{" || letter === "[") depth++
      if (letter === "}" || letter === "]") depth--
      if (depth < 0 || (depth === 0 && letter === ",")) return at
      at++
    }
    if (depth === 0 && (letter === '"' || letter === "}" || letter === "]")) return at
  }
  return text.length
}

/** Where the member or item `part` of the value at `start` begins: a member with its name. Undefined: there is none. */
const partAt = (
  text: string,
  start: number,
  part: string
): { readonly at: number; readonly value: number } | undefined => {
  const isList = text[start] === "["
  if (!isList && text[start] !== "{") return undefined
  let at = blankEnd(text, start + 1)
  for (let index = 0; at < text.length && text[at] !== "]" && text[at] !== "}"; index++) {
    const name = isList ? { value: String(index), end: at } : stringAt(text, at)
    const colon = isList ? at : blankEnd(text, name.end) + 1
    const value = isList ? at : blankEnd(text, colon)
    if (name.value === part) return { at, value }
    at = blankEnd(text, valueEnd(text, value))
    if (text[at] === ",") at = blankEnd(text, at + 1)
  }
  return undefined
}

/**
 * Line and column, both from 1, of what a JSON pointer (RFC 6901) names. Where the text has no such part, those of the
 * nearest part around it. `text` must be valid JSON.
 */
export const positionOf = (text: string, pointer: string): { readonly line: number; readonly column: number } => {
  let found = { at: blankEnd(text, 0), value: blankEnd(text, 0) }
  for (const part of pointer.split("/").slice(1)) {
    const next = partAt(text, found.value, part.replaceAll("~1", "/").replaceAll("~0", "~"))
    if (next === undefined) break
    found = next
  }
  const before = text.slice(0, found.at).split("\n")
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
