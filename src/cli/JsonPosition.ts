// Where a part of a JSON text stands, for messages about files.
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser"

/** The member or item `part` of a value. Undefined: there is none. */
const partOf = (value: Node, part: string): Node | undefined =>
  findNodeAtLocation(value, [value.type === "array" ? Number(part) : part])

/**
 * The line and the column, both from 1, of the part that a JSON pointer (RFC 6901) names. A member begins with its
 * name. If the text has no such part, the position is that of the nearest part around it. `text` must be valid JSON.
 */
export const positionOf = (text: string, pointer: string): { readonly line: number; readonly column: number } => {
  let found = parseTree(text)
  for (const part of pointer.split("/").slice(1)) {
    const next = found && partOf(found, part.replaceAll("~1", "/").replaceAll("~0", "~"))
    if (next === undefined) break
    found = next
  }
  const named = found?.parent?.type === "property" ? found.parent : found
  const before = text.slice(0, named?.offset ?? 0).split("\n")
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
