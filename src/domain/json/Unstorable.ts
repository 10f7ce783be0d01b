/**
 * The path to the first string, or member name, that PostgreSQL could not store: one with a NUL or half a surrogate
 * pair. Parsed JSON only.
 */
export const unstorable = (
  value: unknown,
  path: ReadonlyArray<PropertyKey>
): ReadonlyArray<PropertyKey> | undefined => {
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed() ? path : undefined
  if (typeof value !== "object" || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const found = unstorable(name, path) ?? unstorable(member, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}
