// Completion from the schema: the members that an object may have, and the values that a member may have.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { syntaxTree } from "@codemirror/language"
import { namesIn, pathOf, type SyntaxNode } from "./DocumentTree.ts"
import { type JsonSchema, membersOf, schemasAt, valuesOf } from "./SchemaPath.ts"

const memberOption = (name: string, start: string, detail: string, required: boolean): Completion => ({
  label: `"${name}"`,
  detail: required ? `${detail}, required` : detail,
  boost: required ? 2 : 1,
  apply: (view, _completion, from, to) => {
    // A name that is completed within its quotes takes both of them.
    const closing = view.state.sliceDoc(to, to + 1) === '"' ? 1 : 0
    const insert = `"${name}": ${start}`
    const inside = /[{["]$/.test(start.slice(0, 1)) ? 1 : 0
    view.dispatch({
      changes: { from, to: to + closing, insert },
      selection: { anchor: from + insert.length - (inside === 1 ? 1 : 0) }
    })
  }
})

const members = (
  object: SyntaxNode,
  context: CompletionContext,
  schema: JsonSchema,
  from: number
): CompletionResult => {
  const present = namesIn(object, context.state)
  const path = pathOf(object, context.state)
  return {
    from,
    options: membersOf(schemasAt(schema, path))
      .filter(({ name }) => !present.has(name))
      .map(({ detail, name, required, start }) => memberOption(name, start, detail, required)),
    validFor: /^"?\w*$/
  }
}

export const completeActions =
  (schema: JsonSchema) =>
  (context: CompletionContext): CompletionResult | null => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1)
    const typed = context.matchBefore(/"?\w*/)
    const from = typed?.from ?? context.pos
    const object = node.name === "Object" ? node : node.name === "PropertyName" ? node.parent?.parent : undefined
    if (object && (context.explicit || typed?.text.startsWith('"'))) return members(object, context, schema, from)
    const property = node.name === "Property" ? node : node.parent?.name === "Property" ? node.parent : undefined
    if (property === undefined || !context.explicit) return null
    const path = pathOf(property.lastChild ?? property, context.state)
    const options = valuesOf(schemasAt(schema, path)).map((label) => ({ label }))
    return options.length === 0 ? null : { from, options, validFor: /^"?\w*$/ }
  }
