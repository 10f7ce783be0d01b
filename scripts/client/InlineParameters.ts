// Parameters that the OpenAPI document states once, put back into each operation that refers to them.
interface Parameters {
  readonly paths: object
  readonly components: object
}

const prefix = "#/components/parameters/"

/** The same document with every parameter of a path in its operation. */
export const inlineParameters = <Document extends Parameters>(document: Document): Document => {
  const shared = "parameters" in document.components ? (document.components.parameters as Record<string, object>) : {}
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== "object" || value === null) return value
    const reference = "$ref" in value ? String(value.$ref) : ""
    if (reference.startsWith(prefix)) return shared[reference.slice(prefix.length)]
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inline(member)]))
  }
  return { ...document, paths: inline(document.paths) }
}
