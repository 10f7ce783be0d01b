// A schema that has every member of another, and some more, refers to the other instead of repeating its members.
import { isObject, type Json, type JsonObject, listAt, objectAt } from "./Json.ts"

/** With fewer characters in common, a reader finds the members sooner where they are used. */
const minimumShared = 1000

interface Named {
  readonly name: string
  readonly schema: JsonObject
  readonly members: JsonObject
  readonly size: number
}

const requires = (schema: JsonObject, name: string): boolean => listAt(schema, "required").includes(name)

const isSame = (some: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(some) === JSON.stringify(other)

/** Whether `wide` has each member of `narrow` with the same schema, and others beside them. */
const extend = (wide: Named, narrow: Named): boolean =>
  Object.keys(wide.members).length > Object.keys(narrow.members).length &&
  Object.entries(narrow.members).every(
    ([name, member]) =>
      isSame(wide.members[name], member) && requires(wide.schema, name) === requires(narrow.schema, name)
  )

/** What `wide` has beside the members of `narrow`. */
const extension = (wide: Named, narrow: Named): JsonObject => {
  const { description, properties: _, required: __, ...others } = wide.schema
  const required = listAt(wide.schema, "required").filter(
    (name) => typeof name === "string" && !requires(narrow.schema, name)
  )
  const own: JsonObject = {
    ...others,
    properties: Object.fromEntries(Object.entries(wide.members).filter(([name]) => !(name in narrow.members))),
    ...(required.length > 0 && { required })
  }
  return {
    ...(description !== undefined && { description }),
    allOf: [{ $ref: `#/components/schemas/${narrow.name}` }, own]
  }
}

/** Replaces each schema that repeats a smaller one by `allOf` of the smaller one and the rest. */
export const withSharedSchemas = (document: JsonObject): JsonObject => {
  const components = objectAt(document, "components")
  const schemas = objectAt(components, "schemas")
  const objects = Object.entries(schemas)
    .map(([name, schema]): Named => {
      const members = objectAt(schema, "properties")
      return { name, schema: isObject(schema) ? schema : {}, members, size: JSON.stringify(members).length }
    })
    .filter(({ schema, size }) => size >= minimumShared && !("allOf" in schema))
    .toSorted((some, other) => other.size - some.size)
  const extended = Object.fromEntries(
    objects.flatMap((wide) => {
      const narrow = objects.find((each) => extend(wide, each))
      return narrow === undefined ? [] : [[wide.name, extension(wide, narrow)] as const]
    })
  )
  return { ...document, components: { ...components, schemas: { ...schemas, ...extended } } }
}
