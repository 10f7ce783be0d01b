// JSON documents that are built or changed as plain values.
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The member as an object; an empty one if it is absent or something else. */
export const objectAt = (value: Json | undefined, name: string): JsonObject => {
  const member = isObject(value) ? value[name] : undefined
  return isObject(member) ? member : {}
}

/** The member as a list; an empty one if it is absent or something else. */
export const listAt = (value: Json | undefined, name: string): ReadonlyArray<Json> => {
  const member = isObject(value) ? value[name] : undefined
  return Array.isArray(member) ? (member as ReadonlyArray<Json>) : []
}

/** The member as text; undefined if it is absent or something else. */
export const textAt = (value: Json | undefined, name: string): string | undefined => {
  const member = isObject(value) ? value[name] : undefined
  return typeof member === "string" ? member : undefined
}

export const mapMembers = (value: JsonObject, change: (member: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]))

/** A value of the program as the JSON that it is written as. */
export const jsonOf = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
