/** The JSON pointer (RFC 6901) of a path of member names and indexes. */
export const pointer = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  path
    .map((segment) => {
      const key = String(typeof segment === "object" ? segment.key : segment)
      return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    })
    .join("")
