// Where a value of a JSON document stands in its text, and back.
import type { EditorState } from "@codemirror/state"
import { syntaxTree } from "@codemirror/language"
import type { DocumentPath } from "./SchemaPath.ts"

export type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>

const values: ReadonlySet<string> = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"])

const childrenOf = (node: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const children: Array<SyntaxNode> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

export const nameOfProperty = (property: SyntaxNode, state: EditorState): string => {
  const name = property.getChild("PropertyName")
  const text = name === null ? "" : state.sliceDoc(name.from, name.to)
  try {
    return String(JSON.parse(text))
  } catch {
    return text.replaceAll('"', "")
  }
}

/** The names that an object has already. */
export const namesIn = (object: SyntaxNode, state: EditorState): ReadonlySet<string> =>
  new Set(object.getChildren("Property").map((property) => nameOfProperty(property, state)))

/** The path of a node, from the root of the document. */
export const pathOf = (node: SyntaxNode, state: EditorState): DocumentPath => {
  const path: Array<string | number> = []
  for (let at: SyntaxNode | null = node; at?.parent; at = at.parent) {
    if (at.parent.name === "Property") path.unshift(nameOfProperty(at.parent, state))
    else if (at.parent.name === "Array") {
      const { from } = at
      path.unshift(
        childrenOf(at.parent)
          .filter(({ name }) => values.has(name))
          .findIndex((each) => each.from === from)
      )
    }
  }
  return path
}

/** The range of the value at these steps; of the nearest one that exists, if there is none. */
export const rangeAt = (steps: ReadonlyArray<string>, state: EditorState): { from: number; to: number } => {
  let node = childrenOf(syntaxTree(state).topNode).find(({ name }) => values.has(name))
  for (const step of steps) {
    if (node === undefined) break
    const property = node.getChildren("Property").find((each) => nameOfProperty(each, state) === step)
    const next: SyntaxNode | undefined =
      node.name === "Array"
        ? childrenOf(node).filter(({ name }) => values.has(name))[Number(step)]
        : childrenOf(property ?? node).find(({ name }) => values.has(name) && property !== undefined)
    if (next === undefined) break
    node = next
  }
  const last = node?.parent?.name === "Property" ? node.parent : node
  return { from: last?.from ?? 0, to: Math.min(last?.to ?? 0, state.doc.lineAt(last?.from ?? 0).to) }
}
