// What the OpenAPI document states once for many operations, put back into each operation that refers to it.
interface Document {
  readonly paths: object
  readonly components: object
}

/** Schemas and examples stay references: they have names of their own in the client. */
const sections = ["parameters", "responses", "headers"] as const

/** The same document with every parameter, response and header of a path in its operation. */
export const inlineReferences = <Given extends Document>(document: Given): Given => {
  const shared = new Map<string, unknown>(
    sections.flatMap((section) =>
      Object.entries((document.components as Readonly<Record<string, object>>)[section] ?? {}).map(
        ([name, value]): [string, unknown] => [`#/components/${section}/${name}`, value]
      )
    )
  )
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== "object" || value === null) return value
    const target = "$ref" in value ? shared.get(String(value.$ref)) : undefined
    if (target !== undefined) return inline(target)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inline(member)]))
  }
  return { ...document, paths: inline(document.paths) }
}
